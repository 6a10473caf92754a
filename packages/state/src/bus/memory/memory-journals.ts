// biome-ignore-all lint/suspicious/useAwait: async turns what a driver throws into a rejection, as the port says.

import type { Clock } from '@svc/node'
import { followUntil } from '../follow.ts'
import { openPokes } from '../pokes.ts'
import type { Batch, Entry, Journals } from '../port.ts'

/** A journal in memory. */
export interface Journal {
  /** What is kept, in order; `entries[gone + n]` is the item `first + n`. */
  entries: Entry[]
  /** Unix ms of the append of each, at the same places. */
  times: number[]
  /** Bytes of each that was counted, at the same places: most journals are never trimmed by their bytes. */
  sizes: number[]
  /** Bytes of the items that are kept and were counted. */
  bytes: number
  /** Places at the front that were trimmed and not cut off yet. */
  gone: number
  first: number
  tail: number
}

/** Makes a journal in which nothing is yet. */
export const newJournal = (): Journal => ({
  entries: [],
  times: [],
  sizes: [],
  bytes: 0,
  gone: 0,
  first: 1,
  tail: 0,
})

/** No limit of the items of a batch. */
const ALL = Number.POSITIVE_INFINITY

/** Stands in a trimmed place until that is cut off, so that the item itself is free at once. */
const GONE: Entry = { seq: 0, item: '' }

/** Cuts the trimmed front off once it is half of all: each place is moved once for each time it was written. */
function cutFront(journal: Journal): void {
  if (journal.gone * 2 < journal.entries.length) return
  journal.entries = journal.entries.slice(journal.gone)
  journal.times = journal.times.slice(journal.gone)
  journal.sizes = journal.sizes.slice(journal.gone)
  journal.gone = 0
}

/** Counts the bytes of the items that were not counted yet. */
function countBytes(journal: Journal): void {
  for (let at = journal.sizes.length; at < journal.entries.length; at += 1) {
    const size = Buffer.byteLength(journal.entries[at]?.item ?? '')
    journal.sizes.push(size)
    journal.bytes += size
  }
}

/** What journals in memory are made of. */
export interface MemoryJournalsOptions {
  readonly clock: Clock
  /** Throws once the bus is closed. */
  readonly alive: () => void
  /** Aborts when the bus is closed. */
  readonly closing: AbortSignal
  /** Where they are kept, by their names. */
  readonly journals: Map<string, Journal>
}

/** Keeps journals in this process. */
export function memoryJournals({ clock, alive, closing, journals }: MemoryJournalsOptions): Journals {
  const { poke, listen } = openPokes()
  const follow = followUntil(closing)

  const read = (name: string, after: number, limit = ALL): Batch => {
    alive()
    const { entries, gone, first, tail } = journals.get(name) ?? newJournal()
    const reset = !(Number.isInteger(after) && after >= first - 1 && after <= tail)
    const start = reset ? first : after + 1
    const from = gone + start - first
    return { items: entries.slice(from, from + limit), first, tail, reset }
  }

  closing.addEventListener('abort', () => journals.clear(), { once: true })
  return {
    async append(name, seq, items) {
      alive()
      const known = journals.get(name)
      const journal = known ?? newJournal()
      if (seq !== journal.tail + 1) return { ok: false, refused: journal.tail }
      if (items.length === 0) return { ok: true, tail: journal.tail }
      const now = clock.now()
      const added = items.map((item, at): Entry => ({ seq: seq + at, item }))
      for (const entry of added) {
        journal.entries.push(entry)
        journal.times.push(now)
      }
      journal.tail += added.length
      if (!known) journals.set(name, journal)
      poke(name, { items: added, first: journal.first, tail: journal.tail, reset: false })
      return { ok: true, tail: journal.tail }
    },
    async read(name, after, options) {
      return read(name, after, options?.limit)
    },
    follow(name, after, { signal, limit = ALL } = {}) {
      alive()
      return follow(after, {
        read: async (cursor) => read(name, cursor, limit),
        listen: (fn) =>
          listen(name, (news) =>
            fn(news && news !== 'dropped' && news.items.length > limit ? undefined : news),
          ),
        signal,
      })
    },
    async trim(name, { keep = 0, olderThanMs, maxBytes = Number.POSITIVE_INFINITY }) {
      alive()
      const journal = journals.get(name)
      if (!journal) return
      if (maxBytes < Number.POSITIVE_INFINITY) countBytes(journal)
      const now = clock.now()
      const old = () => olderThanMs === undefined || now - (journal.times[journal.gone] ?? 0) >= olderThanMs
      const isTrimmable = () => journal.bytes > maxBytes || (journal.first <= journal.tail - keep && old())
      while (journal.first <= journal.tail && isTrimmable()) {
        journal.bytes -= journal.sizes[journal.gone] ?? 0
        journal.entries[journal.gone] = GONE
        journal.first += 1
        journal.gone += 1
      }
      cutFront(journal)
    },
    async drop(name) {
      alive()
      if (journals.delete(name)) poke(name, 'dropped')
    },
  }
}
