import type { Histogram, Registry } from 'prom-client'

type Labels = Readonly<Record<string, string>>

/** A number that is told, and what it belongs to. */
interface Sample {
  readonly metricName?: string
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
}

/** A metric that is numbers until somebody asks: a registry of prom-client then tells its samples. */
export interface OwnMetric {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly samples: () => readonly Sample[]
}

/** Gives a metric to a registry, which asks for its name and its values, and for nothing else. */
export function registerOwn(registry: Registry, { name, help, type, samples }: OwnMetric): void {
  const get = async () => ({ name, help, type, aggregator: 'sum', values: samples() })
  registry.registerMetric({ name, get } as unknown as Histogram)
}

/** A gauge that is read when somebody asks. */
export const gauge = (name: string, help: string, read: () => number): OwnMetric => ({
  name,
  help,
  type: 'gauge',
  samples: () => [{ labels: {}, value: read() }],
})

/** How often something with the same labels happened; whoever counts adds to it. */
export interface Count {
  readonly labels: Labels
  value: number
}

/** Opens a counter by labels: one count for each set of their values. */
export function openCounter(name: string, help: string) {
  const counts = openSeries<Count>((labels) => ({ labels, value: 0 }))
  const metric: OwnMetric = { name, help, type: 'counter', samples: counts.all }
  return { metric, of: counts.of }
}

/** What a histogram is called, and where its buckets end, upwards. */
export interface HistogramOptions {
  readonly name: string
  readonly help: string
  readonly buckets: readonly number[]
}

interface Series {
  readonly labels: Labels
  /** How many fell into each bucket; the last one takes what is over all bounds. */
  readonly counts: number[]
  sum: number
  readonly take: (value: number) => void
}

/**
 * Opens a histogram by labels: `of` returns what takes the observations of one set of their values. One of them is two
 * additions; prom-client's own checks and writes down the labels each time, which costs more than a look-up of a user.
 */
export function openHistogram({ name, help, buckets }: HistogramOptions) {
  const series = openSeries<Series>((labels) => {
    const own: Series = {
      labels,
      counts: [...buckets, Infinity].map(() => 0),
      sum: 0,
      take(value) {
        let at = 0
        while (at < buckets.length && value > (buckets[at] as number)) at++
        own.counts[at] = (own.counts[at] as number) + 1
        own.sum += value
      },
    }
    return own
  })

  function samplesOf({ labels, counts, sum }: Series): readonly Sample[] {
    let total = 0
    const cumulated = counts.map((count, at) => {
      total += count
      const le = buckets[at] ?? '+Inf'
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: total }
    })
    return [
      ...cumulated,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: total },
    ]
  }

  const metric: OwnMetric = {
    name,
    help,
    type: 'histogram',
    samples: () => series.all().flatMap(samplesOf),
  }
  return { metric, of: (labels: Labels) => series.of(labels).take }
}

/** What there is one of for each set of values of labels, made at first sight; a metric has the same labels each time. */
function openSeries<T>(make: (labels: Labels) => T) {
  const made = new Map<string, T>()
  return {
    of(labels: Labels): T {
      const [value = '', ...others] = Object.values(labels)
      const key = others.length === 0 ? value : JSON.stringify([value, ...others])
      const known = made.get(key)
      if (known !== undefined) return known
      const one = make(labels)
      made.set(key, one)
      return one
    },
    all: (): readonly T[] => [...made.values()],
  }
}
