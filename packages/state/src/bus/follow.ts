import type { Batch } from './port.ts'

/** What following needs of a driver. */
export interface Source {
  /** Reads what comes after a cursor. */
  read(after: number): Promise<Batch>
  /** Calls `poke` whenever there may be more to read; what it returns ends that. */
  listen(poke: () => void): () => void
  signal?: AbortSignal | undefined
  /** Aborts when the bus closes. */
  closing: AbortSignal
}

/** Follows a journal from a cursor, for any driver: reads until nothing is left, then waits for a poke. */
export function follow(after: number, { read, listen, signal, closing }: Source): AsyncIterable<Batch> {
  return {
    [Symbol.asyncIterator]() {
      const ends = signal ? [signal, closing] : [closing]
      let ended = false
      let poked = false
      let wake = () => {}
      const poke = () => {
        poked = true
        wake()
      }
      const end = () => {
        ended = true
        poke()
      }
      const batches = async function* () {
        const stop = listen(poke)
        for (const each of ends) each.addEventListener('abort', end)
        let cursor = after
        try {
          while (!ended && !ends.some((each) => each.aborted)) {
            poked = false
            const batch = await read(cursor)
            if (batch.items.length > 0 || batch.reset) {
              cursor = batch.items.at(-1)?.seq ?? batch.tail
              yield batch
            } else if (!poked) {
              await new Promise<void>((resolve) => {
                wake = resolve
              })
            }
          }
        } finally {
          stop()
          for (const each of ends) each.removeEventListener('abort', end)
        }
      }
      const running = batches()
      return {
        next: () => running.next(),
        // Without the end, a generator that waits for a poke would not notice its return.
        return() {
          end()
          return running.return(undefined)
        },
      }
    },
  }
}
