import { aligned } from '../lib/aligned.ts'
import { medianOf, type Point, type Slope, type Trend, trendOf } from './slope.ts'

/** What a sample holds: by its name each quantity. */
export type Sample = Readonly<Record<string, number>>

/** A quantity over the time of a soak. */
export interface Series {
  readonly name: string
  readonly first: number
  readonly last: number
  readonly median: number
  readonly slope: Slope
  readonly trend: Trend
}

/** The first third, of as far as it has come, is not looked at: pools and caches fill, and V8 compiles. */
const WARM_UP_SHARE = 1 / 3

/** Keeps the samples of a soak. */
export function openSamples() {
  const points = new Map<string, Point[]>()
  const times: number[] = []
  return {
    /** Takes a sample; a quantity that it does not name is 0, as one was that is named for the first time. */
    add(at: number, sample: Sample): void {
      for (const name of new Set([...points.keys(), ...Object.keys(sample)])) {
        const series = points.get(name) ?? times.map((before) => ({ at: before, value: 0 }))
        points.set(name, series)
        series.push({ at, value: sample[name] ?? 0 })
      }
      times.push(at)
    },
    /** What each quantity does after the warm-up, by name. */
    series(): Series[] {
      const until = times.at(-1) ?? 0
      return [...points]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, all]) => {
          const looked = all.filter(({ at }) => at >= until * WARM_UP_SHARE)
          const values = looked.map(({ value }) => value)
          const [first = Number.NaN, last = Number.NaN] = [values[0], values.at(-1)]
          return { name, first, last, median: medianOf(values), ...trendOf(looked) }
        })
    },
  }
}

/** The names of those that grow beyond noise. */
export const grown = (all: readonly Series[]): string[] =>
  all.filter(({ trend }) => trend === 'grows').map(({ name }) => name)

/** Returns a table of series, `per` being what a slope is of; a quantity in bytes is shown in kB. */
export function seriesTable(all: readonly Series[], per = 'a minute'): string {
  const shown = (name: string, value: number) =>
    name.startsWith('bytes') ? `${(value / 1_000).toFixed(0)} kB` : String(Number(value.toFixed(1)))
  const slopes = (name: string, value: number) =>
    name.startsWith('bytes') ? `${(value / 1_000).toFixed(1)} kB` : value.toFixed(2)
  const rows = all.map(({ name, first, median, last, slope, trend }) => [
    name,
    ...[first, median, last].map((value) => shown(name, value)),
    `${slopes(name, slope.median)} [${slopes(name, slope.low)} – ${slopes(name, slope.high)}]`,
    trend === 'grows' ? '! grows' : trend,
  ])
  const head = ['quantity', 'first', 'median', 'last', `${per} [99 %]`, 'trend']
  return aligned([head, ...rows])
}
