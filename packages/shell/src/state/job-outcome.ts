import type { Job } from './job.ts'
import { detailsText } from './notices.ts'

/** What can be done about a code where the error has no advice of its own. */
const hints: ReadonlyMap<string, string> = new Map([
  ['tool_timeout', 'The app can ask for more time with timeoutMs, up to 24 hours.'],
  ['result_too_large', 'Make the tool return less, or store the result and return where it is.'],
  ['agent_unavailable', 'The machine that ran it went away; start the job again when it is back.'],
  ['plug_error', 'What the plugin wrote to stderr is in the log of the host.'],
  ['plug_unavailable', 'What the plugin wrote to stderr is in the log of the host.'],
])

/** Why a job ended without a result, to be read; `null` for all others. `details`: indented JSON, or empty. */
export function failureOf({ error }: Pick<Job, 'error'>) {
  if (!error) return null
  const { hint, ...details } = error.details ?? {}
  return {
    code: error.code,
    sentence: error.message,
    hint: typeof hint === 'string' ? hint : (hints.get(error.code) ?? null),
    details: detailsText(details),
  }
}

/** A text that is longer or has more lines is folded. */
const FOLDED_CHARS = 160
const FOLDED_LINES = 4
/** What is shown of a text; the whole one can be copied. */
export const SHOWN_CHARS = 20_000

/** Prepares a text for showing; `shown` is the part that is drawn: a page with 256 KB in one element would be slow. */
export const shownText = (whole: string) => ({
  whole,
  shown: whole.length > SHOWN_CHARS ? `${whole.slice(0, SHOWN_CHARS)}…` : whole,
  folded: whole.length > FOLDED_CHARS || whole.split('\n', FOLDED_LINES + 1).length > FOLDED_LINES,
})

/** The result of a job as text; empty where its tool answered an empty object. */
export const resultText = ({ result }: Pick<Job, 'result'>): string => detailsText(result)
