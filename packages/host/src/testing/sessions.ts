import { idMaker, type Limits, limits, type Manifest, manifestSchema } from '@svc/contract'
import { type FrozenClock, frozenClock } from '@svc/node/testing'
import { memoryStore, type Store } from '@svc/state'
import { pino } from 'pino'
import { openTokens } from '../access/tokens/tokens.ts'
import { openCopies } from '../catalog/copies.ts'
import type { InstallRow, VersionRow } from '../catalog/records.ts'
import { type WindowRow, windows } from '../catalog/window-row.ts'
import type { Services } from '../edge/services.ts'
import { openToolSessions } from '../machines/tool-sessions.ts'
import { sessions as rows, type SessionRecord, type SessionRow } from '../work/sessions/session-row.ts'
import { openSessions, type SessionOrder, type Sessions } from '../work/sessions/sessions.ts'

/** Runs as far as sessions know them: which are under way, and what became of them. */
export interface TestRuns {
  /** Runs under way, by session. */
  readonly active: Map<string, number>
  readonly cancelled: (readonly [uuid: string, why: 'revoked' | 'expired'])[]
  readonly forgotten: string[]
  /** Makes the next calls fail, so many of them. */
  failing: number
}

/** A test bed of sessions over memory and a frozen clock. */
export interface SessionBed {
  readonly clock: FrozenClock
  readonly store: Store
  readonly sessions: Sessions
  readonly tokens: Services['tokens']
  readonly runs: TestRuns
  /** Makes a session of ada's app. */
  create(order?: Partial<SessionOrder>): Promise<SessionRecord>
  /** The row as it was last written; `null` once it is purged. */
  row(uuid: string): Promise<Readonly<SessionRow> | null>
  /** Opens a window; returns its id. */
  window(): Promise<string>
  /** Closes a window now. */
  closeWindow(uuid: string): Promise<void>
  /** Forgets the record of a window. */
  forgetWindow(uuid: string): Promise<void>
}

/** What a test may share between beds, or change. */
export interface SessionBedOptions {
  readonly clock?: FrozenClock
  readonly store?: Store
  readonly runs?: TestRuns
  readonly limits?: Partial<Limits>
}

/** Who makes sessions where a test says nothing. */
export const ADA = { userId: 'ada', appId: 'app_1' } as const

/** The plugin that ada has. */
export const WEATHER = { tool_id: 'tool-local-weather-1', handle: 'weather', owner: 'ada' } as const

let drawn = 0
/** Ids count up, over all beds of a file. */
const newId = idMaker((count) => {
  drawn += 1
  const digits = [drawn >> 15, (drawn >> 10) & 31, (drawn >> 5) & 31, drawn & 31]
  return Uint8Array.from({ length: count }, (_, at) => digits[at] ?? 0)
})

type HostApi = Manifest['ui']['host_api']

/** A version whose manifest has these submodes. */
export const versionWith = (session: NonNullable<HostApi['agent']>['session']): VersionRow => ({
  app_id: 'app_1',
  version: '1.0.0',
  files: {},
  digest: 'd',
  created_at: 0,
  manifest: manifestSchema.parse({
    schema: 3,
    name: 'App',
    ui: { bundle: { entry: 'i.html' }, views: [{ name: 'main' }], host_api: { agent: { session } } },
  }),
})

/** An install with these grants. */
export const installWith = (grants: InstallRow['grants']): InstallRow => ({
  install_id: 'ins_1',
  user_id: 'ada',
  app_id: 'app_1',
  version_id: 'ver_1',
  version: '1.0.0',
  grants,
  created_at: 0,
})

/** No runs. */
export const testRuns = (): TestRuns => ({ active: new Map(), cancelled: [], forgotten: [], failing: 0 })

const plugins = {
  find: (_user: string, name: string) =>
    [WEATHER.tool_id, WEATHER.handle].some((one) => one === name) ? WEATHER : undefined,
} as unknown as Services['plugins'] // sessions look plugins up and nothing else

function runsOver(known: TestRuns): Services['runs'] {
  const attempt = () => {
    if (known.failing === 0) return
    known.failing -= 1
    throw new Error('the runs are away')
  }
  const face: Pick<Services['runs'], 'activeOf' | 'cancelAll' | 'cancelStreams' | 'forgetSession'> = {
    activeOf: async (uuid) => known.active.get(uuid) ?? 0,
    async cancelAll(uuid, why) {
      attempt()
      known.active.delete(uuid)
      known.cancelled.push([uuid, why])
    },
    async cancelStreams() {},
    async forgetSession(uuid) {
      attempt()
      known.forgotten.push(uuid)
    },
  }
  return face as Services['runs']
}

/** Opens a test bed. It holds nothing that must be closed. */
export function openSessionBed(options: SessionBedOptions = {}): SessionBed {
  const clock = options.clock ?? frozenClock()
  const store = options.store ?? memoryStore()
  const runs = options.runs ?? testRuns()
  const table = { ...limits, ...options.limits }
  const copies = openCopies(store, clock, table)
  const tokens = openTokens({ secret: 's'.repeat(32), clock, limits: table })
  const log = pino({ level: 'silent' })
  const services = {
    clock,
    store,
    copies,
    tokens,
    log,
    limits: table,
    newId,
    plugins,
    toolSessions: openToolSessions({ underWay: { onCut() {} } }),
    activeRuns: () => runsOver(runs),
  }
  const sessions = openSessions(services)
  const writeWindow = async (uuid: string, next: (row: WindowRow) => WindowRow | null) => {
    const record = await store.get(windows, uuid)
    const row = record && next(record.row)
    if (record && row) await store.swap(windows, uuid, record.revision, row)
    if (record && !row) await store.remove(windows, uuid, record.revision)
    copies.windows.drop(uuid)
  }
  return {
    clock,
    store,
    sessions,
    tokens,
    runs,
    create: (order = {}) =>
      sessions.create({
        ...ADA,
        version: versionWith({ auto: true, fixed: { client_ids: [] } }),
        install: installWith({}),
        windowUuid: null,
        pluginId: null,
        kind: 'agent',
        submode: 'auto',
        fixedClientId: null,
        label: null,
        systemPrompt: null,
        caps: {},
        ...order,
      }),
    row: async (uuid) => (await store.get(rows, uuid))?.row ?? null,
    async window() {
      const id = newId('window')
      const now = clock.now()
      await store.insert(windows, id, {
        user_id: 'ada',
        app_id: 'app_1',
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
    closeWindow: (uuid) => writeWindow(uuid, (row) => ({ ...row, status: 'closed', closed_at: clock.now() })),
    forgetWindow: (uuid) => writeWindow(uuid, () => null),
  }
}
