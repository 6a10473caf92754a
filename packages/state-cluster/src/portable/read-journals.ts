import type { ItemPiece, JournalPiece } from '@svc/state/portable'
import type { Redis } from 'ioredis'
import { type JournalReply, journalKey, PREFIX_CHARS } from '../redis/journals.ts'
import { runScript, TIME_CHARS } from '../redis/scripts.ts'
import type { Connections } from './servers.ts'

type Ask = Connections['ask']

/** Items that are read at once, and keys that Redis looks at in one turn. */
const PAGE_ITEMS = 500
const SCANNED = 1_000
/** Stands for no limit. */
const ALL = -1

/** The names of all journals, in order. */
export async function journalNames(ask: Ask, prefix: string): Promise<string[]> {
  const [begin, end] = journalKey(prefix, '\n', 'h').split('\n') as [string, string]
  const keys = await keysLike(ask, `${begin}*${end}`)
  return keys.map((key) => key.slice(begin.length, -end.length)).sort()
}

/** The keys that match; none is there twice. */
export async function keysLike(ask: Ask, pattern: string): Promise<string[]> {
  const found = new Set<string>()
  for (let cursor = '0'; ; ) {
    const [next, keys] = await ask((redis) => redis.scan(cursor, 'MATCH', pattern, 'COUNT', SCANNED))
    for (const key of keys) found.add(key)
    if (next === '0') return [...found]
    cursor = next
  }
}

/** Counts the items of journals. */
export async function countItems(ask: Ask, prefix: string, names: readonly string[]): Promise<number> {
  let count = 0
  for (let at = 0; at < names.length; at += PAGE_ITEMS) {
    const keys = names.slice(at, at + PAGE_ITEMS).map((name) => journalKey(prefix, name, 'h'))
    for (const head of await ask((redis) => redis.mget(keys))) {
      const [tail = 0, first = 1] = (head ?? '').split(' ').map(Number)
      count += Math.max(0, tail - first + 1)
    }
  }
  return count
}

/** The journals with these names, each as it is at one moment. One that was dropped meanwhile is left out. */
export async function* readJournals(
  ask: Ask,
  prefix: string,
  names: readonly string[],
): AsyncGenerator<JournalPiece | ItemPiece> {
  for (const journal of names) {
    const read = await ask((redis) => readJournal(redis, prefix, journal))
    if (!read) continue
    const { first, tail, texts } = read
    yield { kind: 'journal', journal, first, tail }
    for (const [at, text] of texts.entries())
      yield {
        kind: 'item',
        seq: first + at,
        at: Number.parseInt(text.slice(0, TIME_CHARS), 36),
        item: text.slice(PREFIX_CHARS),
      }
  }
}

/** Reads one journal page by page, so that others have their turn; at once where its beginning goes meanwhile. */
async function readJournal(redis: Redis, prefix: string, name: string) {
  const keys = [journalKey(prefix, name, 'h'), journalKey(prefix, name, 'i')]
  const page = (after: number, limit: number, life: string) =>
    runScript(redis, 'read', keys.length, [...keys, after, limit, life]) as Promise<JournalReply>
  const [tail, first, life, , texts] = await page(0, PAGE_ITEMS, '')
  if (tail === 0) return null
  const wanted = tail - first + 1
  while (texts.length < wanted) {
    const [, , , isReset, more] = await page(first - 1 + texts.length, PAGE_ITEMS, life)
    if (isReset === 1 || more.length === 0) {
      const [tail, first, , , texts] = await page(0, ALL, '')
      return tail === 0 ? null : { first, tail, texts }
    }
    texts.push(...more)
  }
  return { first, tail, texts: texts.slice(0, wanted) }
}
