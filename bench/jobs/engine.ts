import { randomFillSync } from 'node:crypto'
import { limits as defaults, idMaker, type Limits } from '@svc/contract'
import { memoryBus, memoryStore, systemClock } from '@svc/host'
import type { Runner } from '@svc/runner'
import { pino } from 'pino'
import { openAudit } from '../../packages/host/src/access/audit/audit.ts'
import { openEvents } from '../../packages/host/src/events/events.ts'
import { openHosts } from '../../packages/host/src/kernel/hosts.ts'
import { openMetrics } from '../../packages/host/src/kernel/metrics.ts'
import { BUILTIN, type RunnerLink, type Runners } from '../../packages/host/src/machines/runners.ts'
import type { Plugins } from '../../packages/host/src/plugins/deployments/plugins.ts'
import type { JobOrder } from '../../packages/host/src/work/jobs/accept.ts'
import { openJobs } from '../../packages/host/src/work/jobs/jobs.ts'
import type { Samplings } from '../../packages/host/src/work/sampling/samplings.ts'
import type { ReachedPlugin } from '../../packages/host/src/work/tools/reach.ts'

const ORIGIN = 'http://127.0.0.1'

/** Runs nothing: a job has ended when it is started. */
const idle: Runner = {
  job(input) {
    input.onStarted()
    return Promise.resolve({ ok: true, payload: {}, json: '{}', bytes: 2 })
  },
  call: () => Promise.reject(new Error('this runner has jobs only')),
  describe: () => Promise.reject(new Error('this runner has jobs only')),
  stats: () => ({ processes: 0, busy: 0, waiting: 0, noise: 0 }),
  install: async () => ({ ok: true }),
  close: async () => {},
}

const LINK: RunnerLink = { id: BUILTIN, epoch: 1, runner: idle, since: 0, owner: null }

const PLUGIN: ReachedPlugin = {
  tool_id: 'tool-local-noop-1',
  handle: 'noop',
  spec: { id: 'tool-local-noop-1', version: '1', command: ['noop'] },
  status: 'available',
  description: { name: 'noop', tools: [{ name: 'noop', parameters: [] }] },
  problem: null,
  link: LINK,
}

/** Random bytes from a pool, as the host draws them for its ids. */
function pooledRandom(): (count: number) => Uint8Array {
  const pool = new Uint8Array(8_192)
  let at = pool.length
  return (count) => {
    if (at + count > pool.length) {
      randomFillSync(pool)
      at = 0
    }
    at += count
    return pool.subarray(at - count, at)
  }
}

/** The engine of jobs alone, in memory, with its journals and events. */
export interface Engine {
  /** Takes a job on. */
  start(userId: string): Promise<unknown>
  /** Resolves when so many jobs have ended since it was opened. */
  ended(count: number): Promise<void>
  close(): Promise<void>
}

/** Opens an engine of its own store. Close it. */
export function openEngine(): Engine {
  const limits: Limits = defaults
  const clock = systemClock
  const log = pino({ level: 'silent' })
  const metrics = openMetrics({ processMetrics: false })
  const base = { clock, limits, log, store: memoryStore(), bus: memoryBus({ clock }), runner: idle }
  const newId = idMaker(pooledRandom())
  const hosts = openHosts({ ...base, newId })
  const events = openEvents({ ...base })
  const audit = openAudit(base)
  const plugins = { bound: () => PLUGIN } as unknown as Plugins // jobs look plugins up and nothing else
  const samplings = { open: () => null } as unknown as Samplings // the plugin wants nothing
  const runners = { builtin: LINK, onChange: () => () => {} } as unknown as Runners // no machine is enrolled
  let count = 0
  let wanted = 0
  let reached = () => {}
  const jobs = openJobs({
    ...base,
    newId,
    hosts,
    events,
    audit,
    plugins,
    runners,
    samplings,
    metrics: {
      ...metrics,
      jobEnded(state) {
        metrics.jobEnded(state)
        count += 1
        if (count === wanted) reached()
      },
    },
  })
  const order: Omit<JobOrder, 'userId'> = {
    appId: 'app_1',
    plugin: PLUGIN,
    tool: 'noop',
    args: {},
    clientTag: null,
    origin: ORIGIN,
    timeout: { effective: limits.JOB_DEADLINE_DEFAULT_MS, clampedFrom: null },
  }
  return {
    start: (userId) => jobs.start({ ...order, userId }),
    ended: (total) =>
      new Promise((resolve) => {
        if (count >= total) return resolve()
        wanted = total
        reached = resolve
      }),
    async close() {
      await jobs.close()
      await hosts.close()
      await events.close()
      await base.bus.close()
      await base.store.close()
    },
  }
}
