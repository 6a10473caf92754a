import type { Clock } from '@svc/node'
import type { Batch, Journals } from '@svc/state'
import { encodePart, followUntil, openPokes } from '@svc/state/driver'
import type { Thread } from '../folder/thread.ts'
import type { Appended, Refused } from '../threads/journal-verbs.ts'

/** What the journals of a folder are made of. */
export interface SqliteJournalsOptions {
  readonly thread: Thread
  readonly clock: Clock
  /** Throws once the bus is closed. */
  readonly alive: () => void
  /** Aborts when the bus closes. */
  readonly closing: AbortSignal
}

/** Items a batch where nobody says how many. */
const ALL = Number.MAX_SAFE_INTEGER

/** The journals of a folder. */
export function sqliteJournals({ thread, clock, alive, closing }: SqliteJournalsOptions): Journals {
  const { poke, listen } = openPokes()
  const follow = followUntil(closing)

  const read = (name: string, after: number, limit = ALL) =>
    thread.call<Batch>('read', encodePart(name), after, limit)

  return {
    async append(name, seq, items) {
      alive()
      const result = await thread.call<Appended | Refused>(
        'append',
        encodePart(name),
        seq,
        items,
        clock.now(),
      )
      if (!result.ok) return result
      const { first, tail } = result
      if (items.length > 0) {
        const entries = items.map((item, at) => ({ seq: seq + at, item }))
        poke(name, { items: entries, first, tail, reset: false })
      }
      return { ok: true, tail }
    },
    async read(name, after, options) {
      alive()
      return read(name, after, options?.limit)
    },
    follow(name, after, { signal, limit = ALL } = {}) {
      alive()
      return follow(after, {
        read: (cursor) => read(name, cursor, limit),
        listen: (fn) =>
          listen(name, (news) =>
            fn(news && news !== 'dropped' && news.items.length > limit ? undefined : news),
          ),
        signal,
      })
    },
    async trim(name, options) {
      alive()
      const now = clock.now()
      while (await thread.call<boolean>('trim', encodePart(name), options, now)) alive()
    },
    async drop(name) {
      alive()
      if (!(await thread.call<boolean>('drop', encodePart(name)))) return
      poke(name, 'dropped')
      while (await thread.call<boolean>('sweepDropped')) alive()
    },
  }
}
