/** What a time must be, for refusals. */
export const INSTANT_RULE = 'must be a time of RFC 3339 with its offset, such as 2026-01-01T00:00:00Z'

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const LAST_MINUTE = 23 * 60 + 59

/**
 * The time of an RFC 3339 text in Unix ms, digits past the third of a second dropped; `null` for any other text. A leap
 * second, 23:59:60 in UTC on the last day of a month, is the beginning of the day after it, as Unix time has it.
 */
export function instantOf(text: string): number | null {
  const found = RFC_3339.exec(text)
  if (!found) return null
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number) as [
    ...[number, number, number, number, number, number],
  ]
  const [fraction = '', sign = '+', offsetHour = 0, offsetMinute = 0] = found.slice(7)
  if (hour > 23 || minute > 59 || second > 60 || Number(offsetHour) > 23 || Number(offsetMinute) > 59)
    return null
  const date = new Date(0)
  // Unlike Date.UTC, this takes a year below 100 for itself.
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '-' ? -1 : 1)
  const minuteMs = date.getTime() + (hour * 60 + minute - offset) * MINUTE_MS
  if (second === 60 && !endsMonth(minuteMs)) return null
  const ms = Math.floor(Number(`0${fraction.slice(0, 4)}`) * 1_000 + 0.5)
  return minuteMs + second * 1_000 + (second === 60 ? 0 : ms)
}

/** Whether a minute is the last one of a month in UTC. */
const endsMonth = (minuteMs: number): boolean =>
  ((minuteMs % DAY_MS) + DAY_MS) % DAY_MS === LAST_MINUTE * MINUTE_MS &&
  new Date(minuteMs + MINUTE_MS).getUTCDate() === 1
