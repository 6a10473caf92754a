import type { Clock } from '@svc/node'
import type { AppendResult, Batch, Journals } from '@svc/state'
import { BusError, followUntil } from '@svc/state/driver'
import { gatherAppends } from './appends.ts'
import type { Link } from './link.ts'
import { runScript, type scripts, TIME_CHARS, TOKEN_CHARS } from './scripts.ts'
import type { Wake, Wakes } from './wakes.ts'

/** What the journals in Redis are made of. */
export interface RedisJournalsOptions {
  readonly link: Link
  readonly wakes: Wakes
  readonly prefix: string
  readonly clock: Clock
  /** Returns a token that no append had before. */
  readonly newToken: () => string
  /** Grows when journals may be others than before. */
  readonly epochs: () => number
  /** Throws once the bus is closed. */
  readonly alive: () => void
  /** Aborts when the bus closes. */
  readonly closing: AbortSignal
}

/** What the script `read` returns of a journal. */
export type JournalReply = [tail: number, first: number, life: string, isReset: number, items: string[]]

/** What `read` returns of a journal, and the word that tells it from one of the same name. */
interface Reading {
  readonly batch: Batch
  readonly life: string
}

/** What a key of a journal is of: its head, its items, its last drop. */
type JournalKey = 'h' | 'i' | 'd'

/** A key of a journal. */
export const journalKey = (prefix: string, name: string, key: JournalKey): string =>
  `{${prefix}:${name}}:${key}`

/** Characters of an item before its text. */
export const PREFIX_CHARS = TIME_CHARS + TOKEN_CHARS
/** A cursor that no journal can resume: its read is a reset. */
const NO_CURSOR = -1
/** Stands for no limit and no bound. */
const NONE = -1

/** Keeps journals in Redis. */
export function redisJournals(options: RedisJournalsOptions): Journals {
  const { link, wakes, prefix, clock, newToken, epochs, alive, closing } = options

  const append = gatherAppends(link)
  const follow = followUntil(closing)
  const keyOf = (name: string, key: JournalKey) => journalKey(prefix, name, key)

  const run = <T>(
    name: string,
    script: keyof typeof scripts,
    keys: readonly JournalKey[],
    args: readonly (string | number)[],
  ) =>
    link.call((redis) => {
      const all = keys.map((key) => keyOf(name, key))
      return runScript(redis, script, all.length, [...all, ...args]) as Promise<T>
    })

  async function read(
    name: string,
    after: number,
    limit = Number.POSITIVE_INFINITY,
    known = '',
  ): Promise<Reading> {
    const cursor = Number.isInteger(after) ? after : NO_CURSOR
    const most = Number.isFinite(limit) ? limit : NONE
    const [tail, first, life, isReset, texts] = await run<JournalReply>(
      name,
      'read',
      ['h', 'i'],
      [cursor, most, known],
    )
    const from = isReset ? first : cursor + 1
    const items = texts.map((text, at) => ({ seq: from + at, item: text.slice(PREFIX_CHARS) }))
    return { batch: { items, first, tail, reset: isReset === 1 }, life }
  }

  /** The reads of one follower: each knows what the last one saw. */
  function readsOf(name: string, limit: number | undefined) {
    let known = { life: '', epoch: 0 }
    return {
      /** The life of the journal that was read last. */
      life: () => known.life,
      async read(after: number): Promise<Batch> {
        for (;;) {
          const epoch = epochs()
          const isOther = known.epoch !== 0 && known.epoch !== epoch && after > 0
          try {
            const { batch, life } = await read(name, isOther ? NO_CURSOR : after, limit, known.life)
            if (epoch !== epochs() && known.epoch !== 0) continue
            known = { life, epoch }
            return batch
          } catch (error) {
            if (closing.aborted) return nothingAfter(after)
            const isAway = error instanceof BusError && error.code === 'unavailable'
            if (!isAway || known.epoch === 0) throw error
            // Nothing to read while Redis is away: its return wakes every follower.
            if (!link.redis) return nothingAfter(after)
          }
        }
      },
    }
  }

  return {
    async append(name, seq, items): Promise<AppendResult> {
      alive()
      const token = newToken()
      const head = clock.now().toString(36).padStart(TIME_CHARS, '0') + token
      const args = [
        Number.isInteger(seq) ? seq : NO_CURSOR,
        token,
        wakes.channelOf(name),
        wakes.messageOf(token, name),
        ...items.map((item) => head + item),
      ]
      const keys = [keyOf(name, 'h'), keyOf(name, 'i')] as const
      if (!wakes.isAwaited(name)) return resultOf(await append({ keys, args }), seq, items)
      wakes.expect(token)
      try {
        const answer = await append({ keys, args })
        if (typeof answer === 'number') wakes.unexpect(token)
        else if (items.length > 0) wakes.poke(name, newsOf(answer, seq, items))
        return resultOf(answer, seq, items)
      } catch (error) {
        // It may be there all the same, now or later.
        wakes.unexpect(token)
        wakes.poke(name)
        throw error
      }
    },
    async read(name, after, { limit } = {}) {
      alive()
      return (await read(name, after, limit)).batch
    },
    follow(name, after, { signal, limit } = {}) {
      alive()
      const reads = readsOf(name, limit)
      return follow(after, {
        read: reads.read,
        listen: (poke) =>
          wakes.listen(name, (wake) => {
            const isWhole = limit === undefined || (wake?.batch.items.length ?? 0) <= limit
            poke(isWhole && wake?.life === reads.life() ? wake.batch : undefined)
          }),
        signal,
      })
    },
    async trim(name, { keep = 0, olderThanMs, maxBytes }) {
      alive()
      const oldest = olderThanMs === undefined ? Number.MAX_SAFE_INTEGER : clock.now() - olderThanMs
      const most = maxBytes !== undefined && Number.isFinite(maxBytes) ? maxBytes : NONE
      while ((await run(name, 'trim', ['h', 'i'], [keep, oldest, most])) === 1) alive()
    },
    async drop(name) {
      alive()
      const token = newToken()
      const args = [token, wakes.channelOf(name), `[${wakes.messageOf(token, name)}]`]
      await run(name, 'drop', ['h', 'i', 'd'], args)
      wakes.poke(name)
    },
  }
}

/** Lets a follower wait. */
const nothingAfter = (tail: number): Batch => ({ items: [], first: 1, tail, reset: false })

function resultOf(answer: string | number, seq: number, items: readonly string[]): AppendResult {
  return typeof answer === 'number'
    ? { ok: false, refused: answer }
    : { ok: true, tail: seq + items.length - 1 }
}

/** Of the answer `first life`. */
function newsOf(answer: string, seq: number, items: readonly string[]): Wake {
  const [first, life = ''] = answer.split(' ')
  const entries = items.map((item, at) => ({ seq: seq + at, item }))
  return {
    life,
    batch: { items: entries, first: Number(first), tail: seq + items.length - 1, reset: false },
  }
}
