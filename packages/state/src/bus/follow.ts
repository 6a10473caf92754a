import type { Batch } from './port.ts'

/** What following needs of a driver. */
export interface Source {
  /** Reads what comes after a cursor. */
  read(after: number): Promise<Batch>
  /**
   * Calls `poke` whenever there may be more to read, with the items if it has them: a follower that waits for just these
   * reads nothing. What it returns ends that.
   */
  listen(poke: (news?: Batch) => void): () => void
  signal?: AbortSignal | undefined
  /** Aborts when the bus closes. */
  closing: AbortSignal
}

/**
 * Follows a journal from a cursor, for any driver: reads until nothing is left, then waits for a poke. What comes while
 * a batch is in use is read after it, so that a slow user of the batches holds one of them.
 */
export function follow(after: number, { read, listen, signal, closing }: Source): AsyncIterable<Batch> {
  return {
    [Symbol.asyncIterator]() {
      const ends = signal ? [signal, closing] : [closing]
      let ended = false
      let poked = false
      let isWaiting = false
      let cursor = after
      let handed: Batch | null = null
      let wake = () => {}
      const poke = (news?: Batch) => {
        if (isWaiting && news?.items[0]?.seq === cursor + 1) handed = news
        else poked = true
        isWaiting = false
        wake()
      }
      const end = () => {
        ended = true
        poke()
      }
      const batches = async function* () {
        const stop = listen(poke)
        for (const each of ends) each.addEventListener('abort', end)
        poked = true
        try {
          while (!ended && !ends.some((each) => each.aborted)) {
            if (handed) {
              const news = handed
              handed = null
              cursor = news.items.at(-1)?.seq ?? cursor
              yield news
            } else if (poked) {
              poked = false
              const batch = await read(cursor)
              if (batch.items.length === 0 && !batch.reset) continue
              poked = true
              cursor = batch.items.at(-1)?.seq ?? batch.tail
              yield batch
            } else {
              await new Promise<void>((resolve) => {
                isWaiting = true
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
