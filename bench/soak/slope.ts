/** One sample of a quantity: when, in minutes since the start, and how much. */
export interface Point {
  readonly at: number
  readonly value: number
}

/** How a quantity changes a minute: the Theil–Sen slope between the bounds of its confidence. */
export interface Slope {
  readonly low: number
  readonly median: number
  readonly high: number
}

/** What a quantity does over the time that was looked at. */
export type Trend = 'grows' | 'falls' | 'level' | 'too few'

/** Of 99 % confidence: of a hundred level quantities one is said to change. */
const Z = 2.576
/** Samples that follow each other are not independent (a pool fills, a collection is due): their medians nearly are. */
const BLOCKS = 24
/** Below so many a slope says nothing. */
const POINTS_MIN = 8
/** A change below this share of the quantity, or below one, over the whole time is noise, however steady it is. */
const SMALLEST_SHARE = 0.01
const SMALLEST = 1

/** Returns the medians of at most 24 blocks of points that follow each other. */
export function blockMedians(points: readonly Point[]): Point[] {
  const size = Math.max(1, Math.ceil(points.length / BLOCKS))
  return Array.from({ length: Math.floor(points.length / size) }, (_, at) => {
    const block = points.slice(at * size, (at + 1) * size)
    return { at: medianOf(block.map((one) => one.at)), value: medianOf(block.map(({ value }) => value)) }
  })
}

/**
 * Returns the median of the slopes between all pairs of points, which a few outliers do not move, and the bounds between
 * which the true one is with 99 % confidence (Sen 1968, by Kendall's variance).
 */
export function slopeOf(points: readonly Point[]): Slope {
  const slopes = points
    .flatMap((from, at) => points.slice(at + 1).map((to) => (to.value - from.value) / (to.at - from.at)))
    .filter(Number.isFinite)
    .sort((a, b) => a - b)
  const n = points.length
  const width = Z * Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18)
  const at = (place: number) =>
    slopes[Math.min(slopes.length - 1, Math.max(0, Math.round(place)))] ?? Number.NaN
  return {
    low: at((slopes.length - width) / 2),
    median: medianOf(slopes),
    high: at((slopes.length + width) / 2),
  }
}

/**
 * Tells whether a quantity grows: with 99 % confidence, over the whole time and over its later half, so that what fills up
 * once and then stays is level; and by at least a percent of itself, and by one. Otherwise its slope is zero within noise.
 */
export function trendOf(points: readonly Point[]): { readonly slope: Slope; readonly trend: Trend } {
  const whole = blockMedians(points)
  const slope = slopeOf(whole)
  if (whole.length < POINTS_MIN) return { slope, trend: 'too few' }
  const later = slopeOf(whole.slice(Math.floor(whole.length / 2)))
  const minutes = (whole.at(-1)?.at ?? 0) - (whole[0]?.at ?? 0)
  const level = medianOf(whole.map(({ value }) => value))
  const changes = Math.abs(slope.median * minutes) >= Math.max(SMALLEST, level * SMALLEST_SHARE)
  if (changes && slope.low > 0 && later.low > 0) return { slope, trend: 'grows' }
  if (changes && slope.high < 0 && later.high < 0) return { slope, trend: 'falls' }
  return { slope, trend: 'level' }
}

export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low, high] = [sorted[middle - 1], sorted[middle]]
  return sorted.length % 2 === 0 && low !== undefined && high !== undefined
    ? (low + high) / 2
    : (high ?? Number.NaN)
}
