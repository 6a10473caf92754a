import type { Journals } from '@svc/state'

/**
 * Opens the one writer of an empty journal. An append whose response is lost is sent again with the next one; what it
 * had written is not written twice.
 */
export function openJournalWriter(journal: Pick<Journals, 'append' | 'read'>, name: string) {
  let tail = 0
  let written = 0
  let waiting: readonly string[] = []

  /** How many of the items that were sent before are in the journal after the tail. */
  async function countWritten(sent: number): Promise<number> {
    if (sent === 0) return 0
    const { items, reset } = await journal.read(name, tail, { limit: sent })
    if (reset) return 0
    const other = items.findIndex(({ item }, at) => item !== waiting[at])
    return other < 0 ? items.length : other
  }

  return {
    /** The seq of the last item that is known to be written. */
    tail: (): number => tail,
    /** How many items of its own are known to be written. */
    written: (): number => written,
    /** How many items wait for the response of the journal: they may be written already. */
    unanswered: (): number => waiting.length,
    /**
     * Appends items after those that wait. `false`: somebody else has written, and what was to be written is dropped;
     * `mayFollow` is asked then, once, whether to write behind it. Throws what the journal throws.
     */
    async put(items: readonly string[], mayFollow = async () => false): Promise<boolean> {
      let sent = waiting.length
      let follows = false
      waiting = waiting.length === 0 ? items : [...waiting, ...items]
      while (waiting.length > 0) {
        const appended = await journal.append(name, tail + 1, waiting)
        if (appended.ok) {
          tail = appended.tail
          written += waiting.length
          waiting = []
          return true
        }
        const stand = await countWritten(sent)
        tail += stand
        written += stand
        waiting = waiting.slice(stand)
        sent -= stand
        if (stand > 0) continue
        if (follows || !(await mayFollow())) {
          waiting = []
          return false
        }
        follows = true
        tail = appended.refused
      }
      return true
    },
  }
}
