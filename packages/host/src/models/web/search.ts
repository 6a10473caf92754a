import { type ArgsOut, type Methods, type ResultOf, refuse } from '@svc/contract'
import * as z from '@svc/contract/zod'
import { inTime } from '../../kernel/in-time.ts'
import type { ModelServices } from '../services.ts'

/** One result of a search; `snippet` is what of the page fits the query, as plain text. */
export interface WebResult {
  /** The title of the page. */
  readonly title: string
  /** Its address. */
  readonly url: string
  /** A part of its text. */
  readonly snippet?: string
}

/**
 * A search of the web: `createHost({ webSearch })`. At most `limit` results are used, the best first; those without an
 * http or https URL are left out. It has `WEB_SEARCH_MS`, after which `signal` fires.
 */
export type WebSearch = (
  query: string,
  options: {
    /** The most results to return. */
    readonly limit: number
    /** Stops the search. */
    readonly signal: AbortSignal
  },
) => readonly WebResult[] | Promise<readonly WebResult[]>

const found = z.array(z.object({ title: z.string(), url: z.string(), snippet: z.string().default('') }))

const isLink = (url: string) => ['https:', 'http:'].includes(URL.parse(url)?.protocol ?? '')

/** Asks the operator's search. What it throws, or answers in another form, is a fault of this host. */
export async function searchWeb(
  { clock, limits }: Pick<ModelServices, 'clock' | 'limits'>,
  search: WebSearch,
  { query, limit }: ArgsOut<Methods['web']['search']>,
  signal: AbortSignal,
): Promise<ResultOf<Methods['web']['search']>> {
  const ms = limits.WEB_SEARCH_MS
  const late = () => refuse('internal_error', `the search of this host took more than ${ms} ms`)
  const answer = await inTime(async (ending) => search(query, { limit, signal: ending }), {
    clock,
    ms,
    signal,
    late,
  })
  const { PUBLIC_URL_MAX_CHARS, WEB_RESULT_TEXT_MAX_CHARS } = limits
  const cut = (text: string) => text.slice(0, WEB_RESULT_TEXT_MAX_CHARS)
  const results = found.parse(answer).filter(({ url }) => url.length <= PUBLIC_URL_MAX_CHARS && isLink(url))
  return {
    results: results
      .slice(0, limit)
      .map(({ title, url, snippet }) => ({ title: cut(title), url, snippet: cut(snippet) })),
  }
}
