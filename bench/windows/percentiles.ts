/** The middle and the slow end of some times in ms. */
export interface Percentiles {
  readonly p50: number
  readonly p99: number
}

/** Returns those of some times. */
export function percentiles(times: readonly number[]): Percentiles {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}

/** The same as text. */
export const inWords = ({ p50, p99 }: Percentiles): string =>
  `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`
