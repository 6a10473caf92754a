import type { JobState } from '@svc/contract'
import { lazy } from '@svc/node'
import { leaveOutUnmeasured } from './loop-delay.ts'
import { type Count, gauge, type OwnMetric, openCounter, openHistogram, registerOwn } from './own-metrics.ts'

/** What a host has left, and what it is reading. */
export interface LoadFigures {
  readonly lagMs: number
  readonly shortages: readonly string[]
  /** Whether data cannot be written. */
  readonly storageFails: boolean
  readonly bodies: { readonly count: number; readonly bytes: number }
}

/** The calls of a namespace: their time, and their numbers by method and code. */
interface Namespace {
  readonly took: (seconds: number) => void
  readonly methods: Map<string, Map<string, Count>>
}

const SECONDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 70]
const MODEL_SECONDS = [0.1, 0.5, 2, 10, 70, 280]

/** Opens the counters; `processMetrics` adds Node's own (memory, event loop) from the first time that somebody asks. */
export function openMetrics(options: { processMetrics: boolean }) {
  // A call bumps numbers; names and buckets are put together when somebody asks.
  const namespaces = new Map<string, Namespace>()
  const calls = openCounter('svc_rpc_calls_total', 'RPC calls by method and code.')
  const duration = openHistogram({
    name: 'svc_rpc_seconds',
    help: 'Time from the body of a call to its answer.',
    buckets: SECONDS,
  })
  const jobsEnded = openCounter('svc_jobs_ended_total', 'Jobs by the state that they ended in.')
  const models = openHistogram({
    name: 'svc_model_seconds',
    help: 'Requests to models by outcome, from the request to the end of the answer.',
    buckets: MODEL_SECONDS,
  })
  const rateLimited = openCounter(
    'svc_rate_limited_total',
    'Requests refused by the limiter, by class and whose token bucket was empty.',
  )
  const reports = openCounter(
    'svc_browser_reports_total',
    'What browsers reported of pages and bundles, by kind.',
  )
  const active = { readers: 0, jobs: 0 }
  const own: OwnMetric[] = [
    calls.metric,
    duration.metric,
    gauge('svc_event_readers', 'Open event streams.', () => active.readers),
    gauge('svc_jobs_active', 'Jobs that this host holds, queued or running.', () => active.jobs),
    jobsEnded.metric,
    models.metric,
    rateLimited.metric,
    reports.metric,
  ]
  const registry = lazy(async () => {
    const { collectDefaultMetrics, Registry } = await import('prom-client')
    const made = new Registry()
    if (options.processMetrics) {
      collectDefaultMetrics({ register: made })
      leaveOutUnmeasured(made)
    }
    for (const metric of own) registerOwn(made, metric)
    return made
  })
  return {
    /** The registry of prom-client with all of these, which is loaded when somebody asks for it. */
    registry,
    /** One call ended, with the code of its answer (`ok` for a success) and its duration in seconds. */
    call(ns: string, method: string, code: string, seconds: number) {
      const { took, methods } = place(namespaces, ns, () => ({
        took: duration.of({ ns }),
        methods: new Map(),
      }))
      const codes = place(methods, method, () => new Map<string, Count>())
      place(codes, code, () => calls.of({ ns, method, code })).value += 1
      took(seconds)
    },
    /** Readers of the event stream come and go. */
    readers(change: 1 | -1) {
      active.readers += change
    },
    /** Jobs that this host holds, queued or running, come and go. */
    jobs(change: 1 | -1) {
      active.jobs += change
    },
    /** Tells where to read what the host has left, when somebody asks. */
    load: (read: () => LoadFigures) => void own.push(...loadGauges(read)),
    /** A request was refused because the bucket of its class was empty. */
    rateLimited(rate: string, by: string) {
      rateLimited.of({ rate, by }).value += 1
    },
    /** A browser reported something of that kind. */
    reported(kind: string) {
      reports.of({ kind }).value += 1
    },
    /** This host ended a job, in that state. */
    jobEnded(state: JobState) {
      jobsEnded.of({ state }).value += 1
    },
    /** A request to the model of that name ended: `ok`, `left` by its caller, or how it failed; in seconds. */
    model(model: string, outcome: string, seconds: number) {
      models.of({ model, outcome })(seconds)
    },
  }
}

/** What the host counts, for `/metrics` in Prometheus' text form. */
export type Metrics = ReturnType<typeof openMetrics>

function loadGauges(read: () => LoadFigures): OwnMetric[] {
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
  return rows.map(([name, help, figureOf]) => gauge(name, help, () => figureOf(read())))
}

/** What a map has under a key, made at first sight. */
function place<V>(map: Map<string, V>, key: string, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
