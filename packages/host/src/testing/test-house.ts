import { type EventType, idMaker, type Limits, limits, type ManifestInput, Refusal } from '@svc/contract'
import { openPublicFetch } from '@svc/node/public-fetch'
import { type FrozenClock, frozenClock } from '@svc/node/testing'
import type { Runner } from '@svc/runner'
import { memoryBlobs, memoryBus, memoryStore } from '@svc/state'
import { pino } from 'pino'
import { openAudit } from '../access/audit/audit.ts'
import { openEntryTickets } from '../access/tokens/entry-tickets.ts'
import { openTokens } from '../access/tokens/tokens.ts'
import { openUnderWay } from '../access/users/under-way.ts'
import { openUsers } from '../access/users/users.ts'
import type { ConfiguredApp } from '../apps/apps.ts'
import { openApps } from '../apps/open-apps.ts'
import { openCopies } from '../catalog/copies.ts'
import type { House, Settings } from '../house.ts'
import { openHosts } from '../kernel/hosts/open-hosts.ts'
import { openAddresses, readRanges } from '../kernel/limiter/addresses.ts'
import { openLimiter } from '../kernel/limiter/limiter.ts'
import { openMetrics } from '../kernel/metrics.ts'
import { openThreads } from '../kernel/threads/threads.ts'
import { openRunners } from '../machines/open-runners.ts'
import { readModels } from '../models/providers/model-settings.ts'
import { openModels } from '../models/providers/open-models.ts'
import { openQuotas } from '../models/quotas/open-quotas.ts'
import { readQuotas } from '../models/quotas/read-quotas.ts'
import {
  notedApprovals,
  notedApps,
  notedPublishing,
  notedRunners,
  notedSessions,
  notedUsers,
  notedWindows,
} from '../noted.ts'
import { openApprovals } from '../plugins/approvals/open-approvals.ts'
import { type ConfiguredPlugin, openConfigured } from '../plugins/deployments/configured.ts'
import { openPlugins } from '../plugins/deployments/open-plugins.ts'
import { openPublished } from '../plugins/deployments/published.ts'
import { openPublishing } from '../plugins/publishing/open-publishing.ts'
import { openLateWrites } from '../user-data/late-writes.ts'
import { openUserData } from '../user-data/open-user-data.ts'
import { openWindows } from '../windows/open-windows.ts'
import { openJobs } from '../work/jobs/open-jobs.ts'
import { openRuns } from '../work/runs/open-runs.ts'
import { openSamplings } from '../work/sampling/open-samplings.ts'
import { openSessions } from '../work/sessions/open-sessions.ts'
import type { AddedPlatformTool } from '../work/sessions/platform-tool.ts'
import { openPlatformTools } from '../work/sessions/platform-tools.ts'

/** An event as a test reads it: to whom, about which window, what. */
export interface Emitted {
  readonly userId: string
  readonly type: EventType
  readonly windowUuid: string
  readonly payload: unknown
}

/** A house over memory and a frozen clock, whose events are kept in a list. */
export interface TestHouse extends House {
  readonly clock: FrozenClock
  readonly emitted: Emitted[]
  /** The events of one type, with the ones before forgotten by `emitted.length = 0`. */
  emittedOf(type: EventType): Emitted[]
}

/** What a test may change. */
export interface TestHouseOptions {
  readonly settings?: Partial<Settings>
  readonly limits?: Partial<Limits>
  readonly configured?: readonly ConfiguredApp[]
  readonly plugins?: readonly ConfiguredPlugin[]
  readonly platformTools?: readonly AddedPlatformTool[]
  /** Whether the machine has too little left for a request. Default: never. */
  readonly overloaded?: () => boolean
  /** Default: none. */
  readonly runner?: Runner
  /** Runners of users, in place of those that the house has by itself. */
  readonly runners?: Pick<House['runners'], 'online' | 'onChange'>
}

/** Opens a house for tests of apps, windows and routes. It holds no timer and no port. */
export function testHouse(options: TestHouseOptions = {}): TestHouse {
  const clock = frozenClock()
  const table = { ...limits, ...options.limits }
  const emitted: Emitted[] = []
  let drawn = 0
  const newId = idMaker((count) => {
    drawn += 1
    return Uint8Array.from({ length: count }, (_, at) =>
      at === count - 1 ? drawn : at === count - 2 ? drawn >> 5 : 7,
    )
  })
  const store = memoryStore()
  const copies = openCopies(store, clock, table)
  const house = {
    clock,
    newId,
    limits: table,
    store,
    copies,
    emitted,
    log: pino({ level: 'silent' }),
    metrics: openMetrics({ processMetrics: false }),
    bus: memoryBus({ clock }),
    blobs: memoryBlobs(),
    threads: openThreads(),
    tickets: openEntryTickets('s'.repeat(32)),
    tokens: openTokens({ secret: 's'.repeat(32), clock, limits: table }),
    runner: options.runner ?? null,
    platformTools: openPlatformTools(options.platformTools ?? []),
    settings: {
      harness: false,
      storage: 'persistent',
      signIn: 'dev',
      startToken: 't'.repeat(32),
      approvals: 'destructive',
      basePath: '',
      bundleOrigin: null,
      origins: [],
      isPublic: false,
      trustedProxies: [],
      allowLoopback: [],
      ...options.settings,
    },
    events: {
      emit: (userId: string, type: EventType, windowUuid: string, payload: unknown) =>
        void emitted.push({ userId, type, windowUuid, payload }),
      flush: async () => {},
      sweep: async () => {},
      close: async () => {},
    },
    emittedOf: (type: EventType) => emitted.filter((event) => event.type === type),
  } as unknown as { -readonly [Room in keyof TestHouse]: TestHouse[Room] } // filled below: the rooms know each other
  house.load = { isTooMuch: options.overloaded ?? (() => false), shortages: [], lagMs: 0, close() {} }
  house.limiter = openLimiter({
    ...house,
    waits: house.clock,
    addresses: openAddresses(readRanges(house.settings.trustedProxies)),
  })
  house.audit = openAudit(house)
  house.users = notedUsers(openUsers(house, openUserData(house)), house.audit)
  house.underWay = openUnderWay(house.users)
  house.lateWrites = openLateWrites(house)
  house.runners = { ...notedRunners(openRunners(house), house.audit), ...options.runners }
  const configured = openConfigured(options.plugins ?? [], {
    ...house,
    link: house.runners.builtin,
    onChange: () => {},
  })
  house.approvals = notedApprovals(openApprovals(house), house.audit)
  house.published = openPublished(house)
  house.plugins = openPlugins(configured, house.published)
  house.publishing = notedPublishing(openPublishing(house), house.audit)
  house.windows = notedWindows(openWindows(house), house.audit)
  house.apps = notedApps(openApps(house, options.configured), house.audit)
  house.hosts = openHosts(house)
  house.samplings = openSamplings(house)
  house.jobs = openJobs(house)
  house.models = openModels(readModels({}, {}, table), house)
  house.missing = house.models.missing
  house.quotas = openQuotas(house, readQuotas())
  house.publicFetch = openPublicFetch({ clock, limits: table, allowLoopback: [] })
  house.sessions = notedSessions(openSessions(house), house.audit)
  house.runs = openRuns(house)
  return house
}

/** A manifest with two views. */
export const testManifest = (
  change: Partial<ManifestInput['ui']> & Partial<Omit<ManifestInput, 'ui'>> = {},
) => {
  const { bundle, views, host_api, csp, ...rest } = change
  return {
    schema: 3,
    name: 'Notes',
    ui: {
      bundle: bundle ?? { entry: 'index.html' },
      views: views ?? [
        { name: 'main', default: true, title: 'All notes', w: 400, h: 300 },
        { name: 'editor', w: 500, h: 600 },
      ],
      ...(host_api && { host_api }),
      ...(csp && { csp }),
    },
    ...rest,
  }
}

/** Files of a bundle from their text. */
export const filesOf = (files: Readonly<Record<string, string>>): Map<string, Uint8Array> =>
  new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]))

/** Registers an app of `ada`, pushes a draft of it and installs that for her; returns the ids. */
export async function installedDraft(house: TestHouse, manifest: unknown = testManifest(), user = 'ada') {
  const { app_id } = await house.apps.register(user, { slug: 'notes', name: 'Notes' })
  const pushed = await house.apps.pushDraft(user, app_id, {
    manifest,
    files: filesOf({ 'index.html': '<p>' }),
  })
  const { install_id } = await house.apps.install(user, { app_id, version: pushed.version })
  return { app_id, install_id, ...pushed }
}

/** What a promise was refused with, as `code: sentence`. Throws where it was not refused. */
export async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Refusal)) throw new Error(`not refused: ${error}`)
  return `${error.code}: ${error.message}`
}
