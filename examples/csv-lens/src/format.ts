/** Digits of a figure that are shown; its title has them all. */
export const DIGITS_SHOWN = 6

/** A figure for reading: grouped, at most {@link DIGITS_SHOWN} significant digits after the whole part. */
export function formatNumber(value: number, locale = 'en'): string {
  const size = Math.abs(value)
  if (size !== 0 && (size >= 1e15 || size < 1e-6))
    return new Intl.NumberFormat(locale, {
      notation: 'scientific',
      maximumSignificantDigits: DIGITS_SHOWN,
    }).format(value)
  // The whole part is never cut: 1,234,567.8 is shown as 1,234,568 and not as 1,234,570.
  const whole = Math.max(1, Math.ceil(Math.log10(size + 1)))
  return new Intl.NumberFormat(locale, { maximumSignificantDigits: Math.max(DIGITS_SHOWN, whole) }).format(
    value,
  )
}

/** A count, grouped. */
export const formatCount = (value: number, locale = 'en'): string =>
  new Intl.NumberFormat(locale).format(value)

/** A share of a whole in per cent. */
export function formatShare(part: number, whole: number, locale = 'en'): string {
  const share = whole === 0 ? 0 : part / whole
  return new Intl.NumberFormat(locale, {
    style: 'percent',
    maximumFractionDigits: share < 0.1 ? 1 : 0,
  }).format(share)
}

/** Bytes in the largest unit that gives at least 1: `3.2 MiB`. */
export function formatBytes(bytes: number, locale = 'en'): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB']
  const at = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10))
  const value = new Intl.NumberFormat(locale, { maximumFractionDigits: at === 0 ? 0 : 1 }).format(
    bytes / 1_024 ** at,
  )
  return `${value} ${units[at]}`
}

/** A time for reading: `820 ms`, `1.4 s`. */
export const formatTime = (ms: number): string =>
  ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
