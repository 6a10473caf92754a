const SECOND_MS = 1_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** As `1h2m3.5s` or `120ms`. */
const DURATION = /^(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9}(?:\.\d{1,9})?)s)?(?:(\d{1,9})ms)?$/
const NUMBER = /^\d{1,15}(?:\.\d{1,15})?$/
const A_DATE = /^[a-z]{3}|^\d{4}-/i
/** A number of seconds above this is a time since 1970; above the second one it is in ms. */
const EPOCH_S = 1_000_000_000
const EPOCH_MS = 1_000_000_000_000

/** Where a limit stands, and when it is back to its beginning. */
const limits = [
  ['x-ratelimit-remaining-requests', 'x-ratelimit-reset-requests'],
  ['x-ratelimit-remaining-tokens', 'x-ratelimit-reset-tokens'],
  ['x-ratelimit-remaining', 'x-ratelimit-reset'],
  ['anthropic-ratelimit-requests-remaining', 'anthropic-ratelimit-requests-reset'],
  ['anthropic-ratelimit-tokens-remaining', 'anthropic-ratelimit-tokens-reset'],
  ['ratelimit-remaining', 'ratelimit-reset'],
] as const

/**
 * How long a refusal asks to wait, in ms; `null`: it does not say. A date counts from that of the refusal, else from `clock`
 * in Unix ms. `header` returns one by its name in lower case.
 */
export function retryAfter(header: (name: string) => string | undefined, clock: number): number | null {
  const now = Date.parse(header('date') ?? '') || clock
  const ms = Number(header('retry-after-ms') ?? Number.NaN)
  if (ms >= 0) return Math.ceil(ms)
  const told = waitOf(header('retry-after'), now)
  if (told !== null) return told
  const resets = limits.map(([left, reset]) => ({ left: header(left), wait: waitOf(header(reset), now) }))
  const waits = resets.flatMap(({ wait }) => wait ?? [])
  const used = resets.flatMap(({ left, wait }) =>
    left !== undefined && Number(left) <= 0 ? (wait ?? []) : [],
  )
  // Of a limit that has room left nobody has to wait.
  if (used.length > 0) return Math.max(...used)
  return waits.length > 0 && resets.every(({ left }) => left === undefined) ? Math.max(...waits) : null
}

/** Reads seconds, a time since 1970, a duration as `6m0s`, or a date, as ms from `now`; `null`: it is none of them. */
export function waitOf(text: string | undefined, now: number): number | null {
  const told = text?.trim() ?? ''
  if (told === '') return null
  if (NUMBER.test(told)) {
    const number = Number(told)
    if (number >= EPOCH_MS) return Math.max(0, Math.ceil(number - now))
    return number >= EPOCH_S
      ? Math.max(0, Math.ceil(number * SECOND_MS - now))
      : Math.ceil(number * SECOND_MS)
  }
  const duration = DURATION.exec(told)
  if (duration) {
    const [h, m, s, ms] = duration.slice(1).map((count) => Number(count ?? 0))
    return Math.ceil((h ?? 0) * HOUR_MS + (m ?? 0) * MINUTE_MS + (s ?? 0) * SECOND_MS + (ms ?? 0))
  }
  const date = A_DATE.test(told) ? Date.parse(told) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}
