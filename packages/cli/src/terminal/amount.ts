const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const
const STEP = 1_000

/** A number of bytes as people read it: `812 bytes`, `3.4 MB`. */
export function bytesText(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= STEP && unit < UNITS.length - 1) {
    value /= STEP
    unit += 1
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`
}

/** `1 record`, `2 records`. */
export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`
