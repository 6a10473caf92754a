import type { JobState } from '@svc/contract'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

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

/** What a host has left, and what it is reading. */
export interface LoadFigures {
  readonly lagMs: number
  readonly shortages: readonly string[]
  /** Whether data cannot be written. */
  readonly storageFails: boolean
  readonly bodies: { readonly count: number; readonly bytes: number }
}

/** Calls of one method that ended with one code. */
interface Kind {
  readonly labels: { readonly ns: string; readonly method: string; readonly code: string }
  /** How many since somebody asked. */
  fresh: number
}

/** The calls of a namespace: their time, and their kinds by method and code. */
interface Namespace {
  readonly took: (seconds: number) => void
  readonly methods: Map<string, Map<string, Kind>>
}

const SECONDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 70]
const MODEL_SECONDS = [0.1, 0.5, 2, 10, 70, 280]

/** Opens the counters; `processMetrics` adds Node's own (memory, event loop). */
export function openMetrics(options: { processMetrics: boolean }) {
  const registry = new Registry()
  if (options.processMetrics) collectDefaultMetrics({ register: registry })
  // A call bumps numbers; names and buckets are put together when somebody asks.
  const namespaces = new Map<string, Namespace>()
  const kinds: Kind[] = []
  new Counter({
    name: 'svc_rpc_calls_total',
    help: 'RPC calls by method and code.',
    labelNames: ['ns', 'method', 'code'],
    registers: [registry],
    collect() {
      for (const kind of kinds) {
        this.inc(kind.labels, kind.fresh)
        kind.fresh = 0
      }
    },
  })
  const duration = openHistogram(registry, {
    name: 'svc_rpc_seconds',
    help: 'Time from the body of a call to its answer.',
    label: 'ns',
    buckets: SECONDS,
  })
  const readers = new Gauge({ name: 'svc_event_readers', help: 'Open event streams.', registers: [registry] })
  const jobs = new Gauge({
    name: 'svc_jobs_active',
    help: 'Jobs that this host holds, queued or running.',
    registers: [registry],
  })
  const jobsEnded = new Counter({
    name: 'svc_jobs_ended_total',
    help: 'Jobs by the state that they ended in.',
    labelNames: ['state'],
    registers: [registry],
  })
  const models = new Histogram({
    name: 'svc_model_seconds',
    help: 'Requests to models by outcome, from the request to the end of the answer.',
    labelNames: ['model', 'outcome'],
    buckets: MODEL_SECONDS,
    registers: [registry],
  })
  const rateLimited = new Counter({
    name: 'svc_rate_limited_total',
    help: 'Requests refused by the limiter, by class and whose token bucket was empty.',
    labelNames: ['rate', 'by'],
    registers: [registry],
  })
  const reports = new Counter({
    name: 'svc_browser_reports_total',
    help: 'What browsers reported of pages and bundles, by kind.',
    labelNames: ['kind'],
    registers: [registry],
  })
  return {
    registry,
    /** One call ended, with the code of its answer (`ok` for a success) and its duration in seconds. */
    call(ns: string, method: string, code: string, seconds: number) {
      const { took, methods } = place(namespaces, ns, () => ({ took: duration(ns), methods: new Map() }))
      const codes = place(methods, method, () => new Map<string, Kind>())
      const kind = place(codes, code, () => {
        const made = { labels: { ns, method, code }, fresh: 0 }
        kinds.push(made)
        return made
      })
      kind.fresh += 1
      took(seconds)
    },
    /** Readers of the event stream come and go. */
    readers: (change: 1 | -1) => readers.inc(change),
    /** Jobs that this host holds, queued or running, come and go. */
    jobs: (change: 1 | -1) => jobs.inc(change),
    /** Tells where to read what the host has left, when somebody asks. */
    load: (read: () => LoadFigures) => gaugeLoad(registry, read),
    /** A request was refused because the bucket of its class was empty. */
    rateLimited: (rate: string, by: string) => rateLimited.inc({ rate, by }),
    /** A browser reported something of that kind. */
    reported: (kind: string) => reports.inc({ kind }),
    /** This host ended a job, in that state. */
    jobEnded: (state: JobState) => jobsEnded.inc({ state }),
    /** A request to the model of that name ended: `ok`, `left` by its caller, or how it failed; in seconds. */
    model: (model: string, outcome: string, seconds: number) => models.observe({ model, outcome }, seconds),
  }
}

/** What the host counts, for `/metrics` in Prometheus' text form. */
export type Metrics = ReturnType<typeof openMetrics>

function gaugeLoad(registry: Registry, read: () => LoadFigures): void {
  const rows = [
    ['svc_event_loop_lag_seconds', 'The last delay of the event loop.', (figures) => figures.lagMs / 1_000],
    [
      'svc_short_of',
      'Of how many of memory and event loop the host is short.',
      ({ shortages }) => shortages.length,
    ],
    [
      'svc_storage_failing',
      'Whether data cannot be written just now.',
      ({ storageFails }) => Number(storageFails),
    ],
    ['svc_bodies_reading', 'Bodies that are being read.', ({ bodies }) => bodies.count],
    [
      'svc_bodies_reading_bytes',
      'Bytes reserved for bodies that are being read.',
      ({ bodies }) => bodies.bytes,
    ],
  ] as const satisfies readonly (readonly [string, string, (figures: LoadFigures) => number])[]
  for (const [name, help, figureOf] of rows)
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(figureOf(read()))
      },
    })
}

/** What a map has under a key, made at first sight. */
function place<V>(map: Map<string, V>, key: string, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
