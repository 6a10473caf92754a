import type { Histogram, Registry } from 'prom-client'

interface Series {
  /** How many fell into each bucket; the last one takes what is over all bounds. */
  readonly counts: number[]
  sum: number
}

/** What a histogram is called, and where its buckets end, upwards. */
export interface HistogramOptions {
  readonly name: string
  readonly help: string
  readonly label: string
  readonly buckets: readonly number[]
}

/**
 * A histogram by one label: give it the label's value, and it gives what takes the observations. One of them is two
 * additions; prom-client's own checks and writes down the labels each time, which costs more than a look-up of a user.
 */
export function openHistogram(
  registry: Registry,
  { name, help, label, buckets }: HistogramOptions,
): (labelValue: string) => (value: number) => void {
  const series = new Map<string, Series>()
  const get = async () => ({
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    values: [...series].flatMap(lines),
  })
  // The registry asks a metric for its name and its values, and for nothing else.
  registry.registerMetric({ name, get } as unknown as Histogram)

  function lines([labelValue, { counts, sum }]: [string, Series]) {
    const labels = { [label]: labelValue }
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

  return (labelValue) => {
    const own: Series = { counts: [...buckets, Infinity].map(() => 0), sum: 0 }
    series.set(labelValue, own)
    return (value) => {
      let at = 0
      while (at < buckets.length && value > (buckets[at] as number)) at++
      own.counts[at] = (own.counts[at] as number) + 1
      own.sum += value
    }
  }
}
