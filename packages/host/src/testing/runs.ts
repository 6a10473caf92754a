import { type Frame, type Grants, idMaker, type Limits, limits } from '@svc/contract'
import { openPublicFetch } from '@svc/node/public-fetch'
import { type FrozenClock, frozenClock } from '@svc/node/testing'
import { type Bus, memoryBus, memoryStore, type Store } from '@svc/state'
import { pino } from 'pino'
import { openTokens } from '../access/tokens/tokens.ts'
import { openCopies } from '../catalog/copies.ts'
import type { InstallRow, VersionRow } from '../catalog/records.ts'
import type { Services } from '../edge/services.ts'
import { openHosts } from '../kernel/hosts.ts'
import { openMetrics } from '../kernel/metrics.ts'
import { openThreads } from '../kernel/threads/threads.ts'
import { openToolSessions } from '../machines/tool-sessions.ts'
import { openModels } from '../models/providers/models.ts'
import { quotas as quotaRows } from '../models/quotas/quota-row.ts'
import { type DailyQuotas, openQuotas } from '../models/quotas/quotas.ts'
import { readQuotas } from '../models/quotas/read-quotas.ts'
import { type SessionRow, sessions as sessionRows } from '../work/sessions/session-row.ts'
import type { SessionTool } from '../work/sessions/session-tools.ts'
import { openSessions } from '../work/sessions/sessions.ts'

// Loaded before any test waits for a run: the first one of a host loads them.
import '../work/runs/agent-loop.ts'
import '../work/runs/tool-loop.ts'
import { frameJournal, type RunRow, runKey, runs as runRows } from '../catalog/run-row.ts'
import { readHistory } from '../work/runs/messages.ts'
import type { RunArgs, RunCaller, Runs, StreamIds } from '../work/runs/runs.ts'
import { openRunsWith } from '../work/runs/runs.ts'
import { type ScriptedModel, scriptedModel } from './run-model.ts'

/** What a test may share between beds, or change. */
export interface RunBedOptions {
  readonly clock?: FrozenClock
  readonly store?: Store
  readonly bus?: Bus
  readonly limits?: Partial<Limits>
  readonly daily?: Partial<DailyQuotas>
  readonly grants?: Grants
  readonly vision?: boolean
  readonly model?: ScriptedModel
  readonly models?: Services['models']
  readonly tools?: readonly SessionTool[]
  readonly log?: Services['log']
}

/** A test bed of runs over memory, a frozen clock and a model that does what the test says. */
export interface RunBed {
  readonly clock: FrozenClock
  readonly store: Store
  readonly bus: Bus
  readonly runs: Runs
  readonly sessions: Services['sessions']
  readonly model: ScriptedModel
  readonly caller: RunCaller
  /** Windows that were told to follow a stream: `window stream after`. */
  readonly followed: string[]
  /** Makes a session of ada's app; returns its id. */
  session(row?: Partial<SessionRow>): Promise<string>
  /** Starts a run. */
  start(session: string, args?: Partial<RunArgs>, caller?: Partial<RunCaller>): Promise<StreamIds>
  cancel(session: string, runId: string): Promise<boolean>
  row(session: string, runId: string): Promise<RunRow | null>
  /** The frames so far, checked to be numbered from 1 without a hole. */
  frames(streamId: string): Promise<Frame[]>
  /** Waits for `end`, then the frames. */
  ended(streamId: string): Promise<Frame[]>
  history(session: string): ReturnType<typeof readHistory>
  /** What the user has used today. */
  used(): Promise<{ runs: number; completions: number; tokens: number } | undefined>
  close(): Promise<void>
}

let drawn = 0
/** Ids count up, over all beds of a file. */
const newId = idMaker((count) => {
  drawn += 1
  const digits = [drawn >> 16, (drawn >> 8) & 255, drawn & 255]
  return Uint8Array.from({ length: count }, (_, at) => digits[at] ?? 0)
})

/** Lets every promise that can settle now do so. */
export async function settled(turns = 1): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise<void>((done) => setImmediate(done))
}

/** The text of the frames, in one. */
export const textOf = (frames: readonly Frame[]): string =>
  frames.map((frame) => (frame.event === 'sse' ? (frame.data.choices[0]?.delta.content ?? '') : '')).join('')

/** The frames by their kind; a chunk by what it carries. */
export const kindsOf = (frames: readonly Frame[]): string[] =>
  frames.map((frame) => {
    if (frame.event === 'error') return `error ${frame.errorCode}`
    if (frame.event !== 'sse') return frame.event
    const { role: _, ...delta } = frame.data.choices[0]?.delta ?? {}
    return Object.keys(delta).join()
  })

/** Opens a test bed. Close it. */
export function openRunBed(options: RunBedOptions = {}): RunBed {
  const clock = options.clock ?? frozenClock()
  const store = options.store ?? memoryStore()
  const bus = options.bus ?? memoryBus({ clock })
  const table = { ...limits, ...options.limits }
  const log = options.log ?? pino({ level: 'silent' })
  const model = options.model ?? scriptedModel()
  const metrics = openMetrics({ processMetrics: false })
  const followed: string[] = []
  const base = { clock, store, bus, log, newId, metrics, limits: table }
  const copies = openCopies(store, clock, table)
  const services = {
    ...base,
    copies,
    tokens: openTokens({ secret: 's'.repeat(32), clock, limits: table }),
    plugins: { find: () => undefined } as unknown as Services['plugins'], // sessions look plugins up and nothing else
    hosts: openHosts(base),
    quotas: openQuotas(base, readQuotas(options.daily)),
    publicFetch: openPublicFetch({ ...base, allowLoopback: [] }),
    models:
      options.models ??
      openModels(
        {
          models: { default: { model: model.model, vision: options.vision ?? false } },
          embeddingModel: null,
          imageModel: null,
        },
        base,
      ),
    events: {
      follow: (_user: string, window: string, stream: string, after: number | null) =>
        void followed.push(`${window} ${stream} ${after}`),
    } as unknown as Services['events'], // runs have windows follow, and nothing else
    threads: openThreads(),
    toolSessions: openToolSessions({ underWay: { onCut() {} } }),
  }
  const sessions = openSessions({ ...services, activeRuns: () => runs })
  const runs: Runs = openRunsWith({ ...services, sessions }, async () => options.tools ?? [])
  const caller: RunCaller = {
    userId: 'ada',
    appId: 'app_1',
    windowUuid: 'win_1',
    version: { app_id: 'app_1', version: '0.0.0-draft' } as VersionRow, // handed on to the tools, which are the test's
    install: {
      install_id: 'ins_1',
      user_id: 'ada',
      app_id: 'app_1',
      grants: options.grants ?? {},
    } as InstallRow,
  }
  const read = async (streamId: string): Promise<Frame[]> => {
    const { items } = await bus.journal.read(frameJournal(streamId), 0)
    for (const [at, { seq }] of items.entries())
      if (seq !== at + 1) throw new Error(`frame ${at + 1} has the number ${seq}`)
    return items.map(({ item }) => JSON.parse(item))
  }

  return {
    clock,
    store,
    bus,
    runs,
    sessions,
    model,
    caller,
    followed,
    async session(row = {}) {
      const now = clock.now()
      const id = newId('session')
      await store.insert(sessionRows, id, {
        user_id: 'ada',
        app_id: 'app_1',
        window_uuid: null,
        plugin_id: null,
        kind: 'agent',
        submode: 'auto',
        fixed_client_id: null,
        label: null,
        system_prompt: null,
        inherit_host_tools: false,
        state: 'active',
        created_at: now,
        nth: drawn,
        last_active_at: now,
        caps: { max_tokens_per_call: 100, max_concurrent_runs: table.CONCURRENT_RUNS_DEFAULT },
        expires_at: now + table.AGENT_IDLE_TTL_MS,
        max_lifetime_at: now + table.AGENT_MAX_LIFETIME_MS,
        idle_ttl_ms: table.AGENT_IDLE_TTL_MS,
        day: 0,
        runs_today: 0,
        ended_at: null,
        due_at: now + table.AGENT_IDLE_TTL_MS,
        ...row,
      })
      return id
    },
    start: (app_session_uuid, args = {}, other = {}) =>
      runs.start(
        { ...caller, ...other },
        { app_session_uuid, content: 'hello', recursion_limit: table.RECURSION_LIMIT_DEFAULT, ...args },
      ),
    cancel: (sessionUuid, runId) => runs.cancel({ userId: 'ada', appId: 'app_1', sessionUuid }, runId),
    row: async (session, runId) => (await store.get(runRows, runKey('ada', session, runId)))?.row ?? null,
    frames: read,
    async ended(streamId) {
      for await (const { done } of runs.frames(streamId, 0)) if (done) break
      return read(streamId)
    },
    history: (session) => readHistory({ sessions, store }, { userId: 'ada', appId: 'app_1' }, session, 200),
    used: async () => (await store.scan(quotaRows, 'endsAt', { limit: 1 })).rows[0]?.row,
    async close() {
      await runs.close()
      await services.hosts.close()
    },
  }
}
