/** A count, grouped. */
export const formatCount = (value: number, locale = 'en'): string =>
  new Intl.NumberFormat(locale).format(value)

/** A share of a whole in whole per cent; below the whole it never reads as 100. */
export const formatShare = (share: number, locale = 'en'): string =>
  new Intl.NumberFormat(locale, { style: 'percent' }).format(share < 1 ? Math.min(share, 0.99) : share)

/** Bytes in the largest unit that gives at least 1: `1.1 MiB`. */
export function formatBytes(bytes: number, locale = 'en'): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB']
  const at = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10))
  const value = new Intl.NumberFormat(locale, { maximumFractionDigits: at === 0 ? 0 : 1 }).format(
    bytes / 1_024 ** at,
  )
  return `${value} ${units[at]}`
}

/** A length of time for reading: `0.8 s`, `23 s`, `3 min`. */
export function formatTime(ms: number): string {
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)} s`
  return ms < 99_500 ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / 60_000)} min`
}
