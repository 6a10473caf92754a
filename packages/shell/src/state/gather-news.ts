import type { DeskParts } from './parts.ts'

/** What happens within this time is announced by a screen reader in one sentence. */
export const SAY_GAP_MS = 1_000
/** Changes that are announced by name at one time. */
const NEWS_NAMED = 3

/** What there is to say of the things of a list, by their ids; `null` is nothing. `gone`: of one that is not in it now. */
export function newsBetween<Item>(
  before: readonly Item[],
  after: readonly Item[],
  idOf: (item: Item) => string,
  say: {
    readonly of: (item: Item, old: Item | undefined) => string | null
    readonly gone?: (item: Item) => string | null
  },
): ReadonlyMap<string, string> {
  const known = new Map(before.map((item) => [idOf(item), item]))
  const ids = new Set(after.map(idOf))
  const told = [
    ...after.map((item) => [idOf(item), say.of(item, known.get(idOf(item)))] as const),
    ...before.flatMap((item) =>
      ids.has(idOf(item)) ? [] : [[idOf(item), say.gone?.(item) ?? null] as const],
    ),
  ]
  return new Map(told.filter((news): news is [string, string] => news[1] !== null))
}

/** Several pieces of news as one sentence: the first ones, and how many more of these things, such as `jobs`. */
export function newsSentence(news: Iterable<string>, things: string): string {
  const all = [...news]
  const more = all.length - NEWS_NAMED
  const named = all.slice(0, NEWS_NAMED).join('; ')
  return more > 0 ? `${named}; and ${more} more ${things} changed` : named
}

/** Gathers news of such things for a screen reader, so that a job that starts and ends at once is one sentence. */
export function gatherNews(later: DeskParts['later'], say: DeskParts['say'], things: string) {
  const waiting = new Map<string, string>()
  return {
    /** Adds news, each under the name of what it is about: later news of the same takes its place. */
    add(news: ReadonlyMap<string, string>): void {
      if (news.size > 0 && waiting.size === 0)
        later(() => {
          if (waiting.size > 0) say(newsSentence(waiting.values(), things))
          waiting.clear()
        }, SAY_GAP_MS)
      for (const [name, sentence] of news) waiting.set(name, sentence)
    },
    /** Drops what was not said yet. */
    forget: () => waiting.clear(),
  }
}
