import type { DatabaseSync } from 'node:sqlite'

/**
 * Keeps the epoch of the journals. It changes where items may have been lost: the machine went down while the folder was
 * open, so that journals may lack what their readers saw.
 */
export function openFacts(db: DatabaseSync, boot: string | null) {
  const get = db.prepare('SELECT value FROM facts WHERE name = ?')
  const set = db.prepare('INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)')
  const factOf = (name: string) => get.get(name)?.value as string | undefined
  const CLOSED = 'closed'
  return {
    /** The epoch that holds, which is `fresh` where the last one cannot go on. */
    epoch(fresh: string): string {
      const [epoch, openedIn] = [factOf('epoch'), factOf('opened_in')]
      const goesOn = epoch !== undefined && (openedIn === CLOSED || (boot !== null && openedIn === boot))
      set.run('opened_in', boot ?? 'unknown')
      if (goesOn) return epoch
      set.run('epoch', fresh)
      return fresh
    },
    /** Notes that everything is on the disk; of a folder whose opening failed there is nothing to note. */
    closed(): void {
      if (factOf('epoch') !== undefined) set.run('opened_in', CLOSED)
    },
  }
}
