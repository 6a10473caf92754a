const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** Below it the seconds are shown too. */
const SECONDS_BELOW_MS = 10 * MINUTE

/** A length of time in words: `12 s`, `1 min 5 s`, `28 min`, `3 h 5 min`. */
export function lengthText(ms: number): string {
  const whole = Math.max(0, ms)
  const hours = Math.floor(whole / HOUR)
  const minutes = Math.floor((whole % HOUR) / MINUTE)
  const seconds = Math.floor((whole % MINUTE) / SECOND)
  const named = [
    hours > 0 ? `${hours} h` : '',
    minutes > 0 ? `${minutes} min` : '',
    seconds > 0 && whole < SECONDS_BELOW_MS ? `${seconds} s` : '',
  ].filter(Boolean)
  return named.join(' ') || '0 s'
}
