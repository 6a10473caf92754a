/** Leaves everybody else a turn of the event loop, in the middle of a long piece of work. */
export const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
