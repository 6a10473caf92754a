import { setImmediate } from 'node:timers/promises'

/** Leaves everybody else a turn of the event loop, in the middle of a long piece of work. */
export const pause = (): Promise<void> => setImmediate()
