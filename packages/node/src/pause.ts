import { setImmediate } from 'node:timers/promises'

/** Leaves everybody else a turn of the event loop, in the middle of a long piece of work. */
export const pause = (): Promise<void> => setImmediate()

/** Goes through a long list and leaves everybody else a turn after each `count`. */
export async function* inTurns<Item>(items: Iterable<Item>, count: number): AsyncGenerator<Item> {
  let done = 0
  for (const item of items) {
    yield item
    done += 1
    if (done % count === 0) await pause()
  }
}
