import type { Page } from 'playwright-core'
import { firstLineOf } from '../terminal/first-line.ts'
import { bounds } from './bounds.ts'

/** What a browser complained of. */
export interface Complaints {
  /** Errors that nothing caught, and promises whose rejection nothing handled. */
  readonly uncaught: readonly string[]
  /** Errors on the console that are no failed call. */
  readonly console: readonly string[]
  /** What the policy of the document refused. */
  readonly policy: readonly string[]
}

const POLICY = /Content Security Policy/i
/** A call that is refused is a failed request in the eyes of the browser as well; the app itself hears of it. */
const OF_HOST = /\/api\/v1\//

/** Notes them from now on. */
export function watchComplaints(page: Page): Complaints {
  const uncaught: string[] = []
  const onConsole: string[] = []
  const policy: string[] = []
  page.on('pageerror', (error) => uncaught.push(firstLineOf(error)))
  page.on('crash', () => uncaught.push('its document crashed'))
  page.on('console', (message) => {
    if (message.type() !== 'error') return
    const { url } = message.location()
    const text = firstLineOf(message.text())
    if (POLICY.test(text)) policy.push(text)
    else if (!text.startsWith('Failed to load resource')) onConsole.push(text)
    // What the browser itself says has no place.
    else if (!OF_HOST.test(url)) onConsole.push(`${text} ${URL.parse(url)?.pathname ?? ''}`.trimEnd())
  })
  return { uncaught, console: onConsole, policy }
}

/** The same complaint once each with how often it came, the first few of them. */
export function named(texts: readonly string[], what: string): string[] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  const all = [...counts].map(([text, times]) => `${what}: ${text}${times > 1 ? ` (${times} times)` : ''}`)
  const more = all.length - bounds.NAMED
  return more > 0 ? [...all.slice(0, bounds.NAMED), `${what}: ${more} more`] : all
}

/** Returns the sentences about what nothing caught. */
export const uncaughtProblems = ({ uncaught }: Complaints): string[] => named(uncaught, 'nothing caught')
