import type { Batch } from './port.ts'

/** What a driver knows of a poke: the items that were appended, or that the journal was dropped with its numbering. */
export type News = Batch | 'dropped'

/** A cursor that no journal can resume: its read is a reset. */
const NO_CURSOR = -1

/** What following needs of a driver. */
export interface Source {
  /** Reads what comes after a cursor. */
  read(after: number): Promise<Batch>
  /**
   * Calls `poke` whenever there may be more to read, with the items if it has them: a follower that waits for just these
   * reads nothing. It says `dropped` where the journal was: the new one may be as long as the cursor by the next read.
   * What it returns ends that.
   */
  listen(poke: (news?: News) => void): () => void
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
      let wasDropped = false
      let wake = () => {}
      const poke = (news?: News) => {
        if (news === 'dropped') wasDropped = true
        if (isWaiting && news !== 'dropped' && news?.items[0]?.seq === cursor + 1) handed = news
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
              // Who has read nothing loses nothing by a drop.
              const from = wasDropped && cursor > 0 ? NO_CURSOR : cursor
              wasDropped = false
              const batch = await read(from)
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
