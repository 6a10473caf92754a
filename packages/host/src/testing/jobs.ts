import { type EventPayloads, idMaker, type JobSnapshot, type Limits, limits } from '@svc/contract'
import { type FrozenClock, frozenClock } from '@svc/node/testing'
import { type Bus, memoryBus, memoryStore, type Store } from '@svc/state'
import { pino } from 'pino'
import { openAudit } from '../access/audit/audit.ts'
import { windows } from '../catalog/window-row.ts'
import type { Services } from '../edge/services.ts'
import { openHosts } from '../kernel/hosts.ts'
import { openMetrics } from '../kernel/metrics.ts'
import type { JobOrder } from '../work/jobs/accept.ts'
import { type JobRow, jobs as jobRows } from '../work/jobs/job-row.ts'
import { type JobServices, type Jobs, openJobs } from '../work/jobs/jobs.ts'
import type { ReachedPlugin } from '../work/tools/reach.ts'
import { asyncTimeout } from '../work/tools/timeout.ts'
import { type HostLinks, type Machines, openMachines } from './jobs-machines.ts'
import { type TestRunner, testRunner } from './jobs-runner.ts'

/** A `tool_job` event as it was emitted. */
export type JobEvent = EventPayloads['tool_job'] & { readonly windowUuid: string | null }

/** Jobs whose snapshots are read. */
export interface ReadJobs extends Omit<Jobs, 'get' | 'list'> {
  get(...asked: Parameters<Jobs['get']>): Promise<JobSnapshot>
  list(...asked: Parameters<Jobs['list']>): Promise<{ jobs: JobSnapshot[]; truncated: boolean }>
}

/** A test bed of jobs over memory, a frozen clock and a runner that does what the test says. */
export interface JobBed {
  readonly clock: FrozenClock
  readonly store: Store
  readonly bus: Bus
  readonly jobs: ReadJobs
  /** The runner of its own process. */
  readonly runner: TestRunner
  /** The links of ada's machines to it. */
  readonly runners: HostLinks
  readonly metrics: Services['metrics']
  /** What its jobs are made of. */
  readonly parts: JobServices
  /** Every event of this bed, in order. */
  readonly events: JobEvent[]
  /** What was told of a job to its user's page, as `event:seq`. */
  eventsOf(jobId: string): string[]
  /** Starts a job of ada's app on the runner of the process, or on one of the machines `on`; returns its id. */
  start(
    order?: Partial<JobOrder> & { readonly timeoutMs?: number; readonly on?: readonly string[] },
  ): Promise<string>
  row(jobId: string): Promise<JobRow>
  /** Opens a window; returns its id. */
  window(userId?: string, appId?: string): Promise<string>
  close(): Promise<void>
}

/** What a test may share between beds, or change. */
export interface JobBedOptions {
  readonly clock?: FrozenClock
  readonly store?: Store
  readonly bus?: Bus
  readonly limits?: Partial<Limits>
  /** Where its events go, with those of other beds. */
  readonly events?: JobEvent[]
  readonly machines?: Machines
  /** Whether it has the plugin. */
  readonly hasPlugin?: boolean
}

/** The plugin of the tests. */
export const PLUGIN: ReachedPlugin = {
  tool_id: 'tool-local-build-1',
  handle: 'build',
  spec: { id: 'tool-local-build-1', version: '1', command: ['build'] },
  status: 'available',
  description: { name: 'build', tools: [{ name: 'all', parameters: [] }] },
  problem: null,
  link: { id: 'builtin', epoch: 1, runner: testRunner(), since: 0, owner: null },
}

const log = pino({ level: 'silent' })
let drawn = 0
/** Ids count up, over all beds of a file. */
const newId = idMaker((count) => {
  drawn += 1
  const digits = [drawn >> 16, (drawn >> 8) & 255, drawn & 255]
  return Uint8Array.from({ length: count }, (_, at) => digits[at] ?? 0)
})

/** Opens a test bed. Close it. */
export function openJobBed(options: JobBedOptions = {}): JobBed {
  const clock = options.clock ?? frozenClock()
  const store = options.store ?? memoryStore()
  const bus = options.bus ?? memoryBus({ clock })
  const table = { ...limits, ...options.limits }
  const metrics = openMetrics({ processMetrics: false })
  const runner = testRunner()
  const events = options.events ?? []
  const plugin: ReachedPlugin = { ...PLUGIN, link: { ...PLUGIN.link, runner } }
  const bound = () => (options.hasPlugin === false ? undefined : plugin)
  const runners = (options.machines ?? openMachines()).linksOf(plugin.link)
  const audit = openAudit({ clock, bus, limits: table, log })
  const base = { clock, store, bus, limits: table, log, metrics, audit, newId, runner }
  const hosts = openHosts(base)
  const services = {
    ...base,
    hosts,
    samplings: { open: () => null } as unknown as Services['samplings'], // the plugin of the tests wants nothing
    plugins: { bound } as unknown as Services['plugins'], // jobs look plugins up and nothing else
    runners,
    events: {
      told: async () => {},
      emitEach: (
        _user: string,
        _type: string,
        windowUuids: readonly (string | null)[],
        payload: EventPayloads['tool_job'],
      ) => {
        for (const windowUuid of windowUuids) events.push({ ...payload, windowUuid })
      },
      lead: async () => {},
    } as unknown as Services['events'],
  }
  const opened = openJobs(services)
  runners.onTakeUp = (userId, runnerId) => void opened.reconcile(userId, runnerId)
  const jobs: ReadJobs = {
    ...opened,
    get: async (...asked) => JSON.parse(await opened.get(...asked)),
    list: async (...asked) => JSON.parse(await opened.list(...asked)),
  }
  return {
    clock,
    store,
    bus,
    jobs,
    runner,
    runners,
    metrics,
    events,
    parts: services,
    eventsOf: (jobId) =>
      events
        .filter(({ job_id, windowUuid }) => job_id === jobId && windowUuid === null)
        .map(({ event, seq }) => `${event}:${seq}`),
    async start({ timeoutMs, on, ...order } = {}) {
      const links = on && runners.online('ada').filter(({ id }) => on.includes(id))
      const { id } = await jobs.start({
        userId: 'ada',
        appId: 'app_1',
        tool: 'all',
        args: {},
        clientTag: null,
        plugin: { ...plugin, ...(links && { links }) },
        origin: 'http://127.0.0.1:8787',
        timeout: asyncTimeout(timeoutMs, table),
        ...order,
      })
      return id
    },
    async row(jobId) {
      const record = await store.get(jobRows, jobId)
      if (!record) throw new Error(`there is no job ${jobId}`)
      return record.row
    },
    async window(user_id = 'ada', app_id = 'app_1') {
      const id = newId('window')
      const now = clock.now()
      await store.insert(windows, id, {
        user_id,
        app_id,
        version_id: 'ver_1',
        view: 'main',
        title: 'Main',
        geometry: { w: 1, h: 1, z: 1 },
        status: 'open',
        opened_at: now,
        last_seen_at: now,
        closed_at: null,
        close_reason: null,
        due_at: null,
      })
      return id
    },
    async close() {
      await jobs.close()
      await hosts.close()
    },
  }
}

/** Lets every promise that can settle now do so. */
export const settled = () => new Promise<void>((done) => setImmediate(done))
