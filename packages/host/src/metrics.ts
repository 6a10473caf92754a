import type { JobState } from '@svc/contract'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { openHistogram } from './histogram.ts'

/** What the host counts, for `/metrics` in Prometheus' text form. */
export interface Metrics {
  readonly registry: Registry
  /** One call ended, with the code of its answer (`ok` for a success) and its duration in seconds. */
  call(ns: string, method: string, code: string, seconds: number): void
  /** Readers of the event stream come and go. */
  readers(change: 1 | -1): void
  /** Jobs that this host holds, queued or running, come and go. */
  jobs(change: 1 | -1): void
  /** This host ended a job, in that state. */
  jobEnded(state: JobState): void
  /** A request to the model of that name ended: `ok`, `left` by its caller, or how it failed; in seconds. */
  model(model: string, outcome: string, seconds: number): void
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
export function openMetrics(options: { processMetrics: boolean }): Metrics {
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
  return {
    registry,
    call(ns, method, code, seconds) {
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
    readers: (change) => readers.inc(change),
    jobs: (change) => jobs.inc(change),
    jobEnded: (state) => jobsEnded.inc({ state }),
    model: (model, outcome, seconds) => models.observe({ model, outcome }, seconds),
  }
}

/** What a map has under a key, made at first sight. */
function place<V>(map: Map<string, V>, key: string, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
