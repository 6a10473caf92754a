import type { DatabaseSync } from 'node:sqlite'
import type { Batch, Entry, TrimOptions } from '@svc/state'
import type { ByteText } from '@svc/state/driver'
import { bytesOf, itemSum } from './bytes.ts'
import { Damaged } from './failure.ts'

/** The places of a journal after an append. */
export interface Appended {
  readonly ok: true
  readonly first: number
  readonly tail: number
}

/** An append that was refused, and the tail that it did not follow. */
export interface Refused {
  readonly ok: false
  readonly refused: number
}

interface Head {
  readonly n: number
  first: number
  tail: number
  bytes: number
}

/** An item as it is stored. */
export interface Item {
  readonly seq: number
  readonly at: number
  readonly bytes: number
  readonly crc: number
  readonly item: string
}

/** Heads of journals that are kept; beyond, all are forgotten and read anew. */
const HEADS_MAX = 10_000
/** Items that one verb removes at most, so that others have their turn. */
const REMOVED_MAX = 2_000
const NO_JOURNAL: Head = { n: 0, first: 1, tail: 0, bytes: 0 }

/** The verbs of journals: the rules of the port, over one connection. */
export function openJournalVerbs(db: DatabaseSync) {
  const heads = new Map<ByteText, Head>()
  const find = db.prepare('SELECT n, first, tail, bytes FROM journals WHERE name = ?')
  // Above the numbers of those that were dropped too: their items may still be there.
  const add = db.prepare(`
    INSERT INTO journals (n, name, first, tail, bytes)
    SELECT 1 + max(coalesce((SELECT max(n) FROM journals), 0), coalesce((SELECT max(journal) FROM dropped), 0)), ?, 1, 0, 0`)
  const change = db.prepare('UPDATE journals SET first = ?, tail = ?, bytes = ? WHERE n = ?')
  const take = db.prepare('DELETE FROM journals WHERE n = ?')
  const addItem = db.prepare(
    'INSERT INTO items (journal, seq, at, bytes, crc, item) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const items = db.prepare(
    'SELECT seq, crc, item FROM items WHERE journal = ? AND seq >= ? ORDER BY seq LIMIT ?',
  )
  const ages = db.prepare(
    'SELECT seq, at, bytes FROM items WHERE journal = ? AND seq >= ? ORDER BY seq LIMIT ?',
  )
  const takeBefore = db.prepare('DELETE FROM items WHERE journal = ? AND seq < ?')
  const setDropped = db.prepare('INSERT INTO dropped (journal) VALUES (?)')
  const anyDropped = db.prepare('SELECT journal FROM dropped LIMIT 1')
  const endDropped = db.prepare('DELETE FROM dropped WHERE journal = ?')

  function headOf(name: ByteText): Head | null {
    const known = heads.get(name)
    if (known) return known
    const found = find.get(bytesOf(name))
    if (!found) return null
    return keep(name, found as unknown as Head)
  }

  function keep(name: ByteText, head: Head): Head {
    if (heads.size === HEADS_MAX) heads.clear()
    const own = { ...head }
    heads.set(name, own)
    return own
  }

  const save = ({ n, first, tail, bytes }: Head) => change.run(first, tail, bytes, n)

  return {
    append(name: ByteText, seq: number, texts: readonly string[], at: number): Appended | Refused {
      const there = headOf(name)
      const { tail } = there ?? NO_JOURNAL
      if (seq !== tail + 1) return { ok: false, refused: tail }
      if (texts.length === 0) return { ok: true, first: there?.first ?? 1, tail }
      const head = there ?? keep(name, { ...NO_JOURNAL, n: Number(add.run(bytesOf(name)).lastInsertRowid) })
      for (const item of texts) {
        const bytes = Buffer.byteLength(item)
        head.tail += 1
        head.bytes += bytes
        addItem.run(head.n, head.tail, at, bytes, itemSum(item, head.tail), item)
      }
      save(head)
      return { ok: true, first: head.first, tail: head.tail }
    },
    read(name: ByteText, after: number, limit: number): Batch {
      const { n, first, tail } = headOf(name) ?? NO_JOURNAL
      const reset = !(Number.isInteger(after) && after >= first - 1 && after <= tail)
      const from = reset ? first : after + 1
      const found = items.all(n, from, limit) as unknown as Item[]
      checkRow(found, from, Math.min(tail, from - 1 + limit))
      return { items: found.map(itemOf), first, tail, reset }
    },
    /** Says whether more is to go: then it is called again. */
    trim(
      name: ByteText,
      { keep = 0, olderThanMs, maxBytes = Number.POSITIVE_INFINITY }: TrimOptions,
      now: number,
    ): boolean {
      const head = headOf(name)
      if (!head) return false
      const from = head.first
      const oldest = ages.all(head.n, from, REMOVED_MAX) as unknown as Item[]
      checkRow(oldest, from, Math.min(head.tail, from - 1 + REMOVED_MAX))
      for (const { at, bytes } of oldest) {
        const isOld = olderThanMs === undefined || now - at >= olderThanMs
        const mayGo = head.bytes > maxBytes || (head.first <= head.tail - keep && isOld)
        if (!mayGo) break
        head.bytes -= bytes
        head.first += 1
      }
      if (head.first === from) return false
      takeBefore.run(head.n, head.first)
      save(head)
      return head.first - from === REMOVED_MAX
    },
    /** Says whether it was there; its items go by `sweepDropped`. */
    drop(name: ByteText): boolean {
      const head = headOf(name)
      if (!head) return false
      heads.delete(name)
      take.run(head.n)
      setDropped.run(head.n)
      return true
    },
    /** Removes items of journals that were dropped; says whether more is to go. */
    sweepDropped(): boolean {
      const found = anyDropped.get()
      if (!found) return false
      const n = found.journal as number
      const gone = ages.all(n, 0, REMOVED_MAX) as unknown as Item[]
      const last = gone.at(-1)
      if (last) takeBefore.run(n, last.seq + 1)
      if (gone.length < REMOVED_MAX) endDropped.run(n)
      return true
    },
    /** What was written since the last commit is undone. */
    undone: () => heads.clear(),
  }
}

/** Throws `Damaged` where items are not those from one number to another. */
function checkRow(items: readonly Item[], from: number, to: number): void {
  const isWhole =
    items.length === Math.max(0, to - from + 1) && items.every(({ seq }, at) => seq === from + at)
  if (!isWhole) throw new Damaged(`a journal does not have its items from ${from} to ${to}`)
}

/** Throws `Damaged` where the text is not the one that was written. */
export function itemOf({ seq, crc, item }: Pick<Item, 'seq' | 'crc' | 'item'>): Entry {
  if (typeof item !== 'string' || itemSum(item, seq) !== crc)
    throw new Damaged(`item ${seq} of a journal is not what was written: its check sum differs`)
  return { seq, item }
}
