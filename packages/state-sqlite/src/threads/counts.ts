import type { DatabaseSync } from 'node:sqlite'
import { type ByteText, partEnds } from '@svc/state/driver'
import { rangeOf } from './bytes.ts'

/** Counts that are kept; beyond, all are forgotten and counted anew when asked for. */
const COUNTS_MAX = 20_000

interface Count {
  rows: number
  /** Null until a cap of weight asks for it. */
  weight: number | null
}

/**
 * How many records stand under the beginning of a key, and what they weigh: counted once in the database, then carried
 * along with each write. One connection writes, so nobody else changes them.
 */
export function openCounts(db: DatabaseSync) {
  const counts = new Map<string, Count>()
  const countRows = db.prepare('SELECT count(*) AS found FROM entries WHERE idx = ? AND key >= ? AND key < ?')
  const sumWeight = db.prepare(
    'SELECT total(r.weight) AS found FROM entries e JOIN records r ON r.n = e.record WHERE e.idx = ? AND e.key >= ? AND e.key < ?',
  )
  const nameOf = (index: number, eq: ByteText) => `${index} ${eq}`

  function countOf(index: number, eq: ByteText): Count {
    const name = nameOf(index, eq)
    const known = counts.get(name)
    if (known) return known
    const [low, high] = rangeOf(eq)
    const count: Count = { rows: countRows.get(index, low, high)?.found as number, weight: null }
    if (counts.size === COUNTS_MAX) counts.clear()
    counts.set(name, count)
    return count
  }

  return {
    rows: (index: number, eq: ByteText): number => countOf(index, eq).rows,
    weight(index: number, eq: ByteText): number {
      const count = countOf(index, eq)
      const [low, high] = rangeOf(eq)
      count.weight ??= sumWeight.get(index, low, high)?.found as number
      return count.weight
    },
    /** Tells of an entry that came (`rows` 1), left (-1), or whose record changed its weight (0). */
    move(index: number, entry: ByteText, rows: number, weight: number): void {
      if (counts.size === 0) return
      for (const end of [0, ...partEnds(entry)]) {
        const count = counts.get(nameOf(index, entry.slice(0, end)))
        if (!count) continue
        count.rows += rows
        if (count.weight !== null) count.weight += weight
      }
    },
    /** Forgets all of them: what was written is undone. */
    clear: () => counts.clear(),
  }
}

export type Counts = ReturnType<typeof openCounts>
