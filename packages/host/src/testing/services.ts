import { type EventType, idMaker, type Limits, limits, type ManifestInput, Refusal } from '@svc/contract'
import { type FrozenClock, frozenClock } from '@svc/node/testing'
import type { Runner } from '@svc/runner'
import { type Blobs, memoryBlobs, memoryBus, memoryStore, type Store } from '@svc/state'
import { type Logger, pino } from 'pino'
import type { ConfiguredApp } from '../apps/apps.ts'
import type { Services } from '../edge/services.ts'
import { openLeaving } from '../kernel/leaving.ts'
import { openAddresses, readRanges } from '../kernel/limiter/addresses.ts'
import { openMetrics } from '../kernel/metrics.ts'
import type { Settings } from '../kernel/services.ts'
import { openThreads } from '../kernel/threads/threads.ts'
import { type ModelSettings, readModels } from '../models/providers/model-settings.ts'
import { readQuotas } from '../models/quotas/read-quotas.ts'
import { openServices } from '../open-services.ts'
import type { ConfiguredPlugin } from '../plugins/deployments/configured-plugin.ts'
import type { AddedPlatformTool } from '../work/sessions/platform-tools.ts'

/** An event as a test reads it: to whom, about which window, what. */
export interface EmittedEvent {
  readonly userId: string
  readonly type: EventType
  readonly windowUuid: string | null
  readonly payload: unknown
}

/** A host over memory and a frozen clock, whose events are kept in a list. */
export interface TestServices extends Services {
  readonly clock: FrozenClock
  readonly emitted: EmittedEvent[]
  /** The events of one type, with the ones before forgotten by `emitted.length = 0`. */
  emittedOf(type: EventType): EmittedEvent[]
}

/** What a test may change. */
export interface TestServicesOptions {
  readonly settings?: Partial<Settings>
  readonly limits?: Partial<Limits>
  readonly configured?: readonly ConfiguredApp[]
  readonly plugins?: readonly ConfiguredPlugin[]
  readonly platformTools?: readonly AddedPlatformTool[]
  /** Whether the machine has too little left for a request. Default: never. */
  readonly overloaded?: () => boolean
  /** Default: none. */
  readonly logger?: Logger
  /** Default: none. */
  readonly runner?: Runner
  /** Default: none. */
  readonly models?: ModelSettings
  /** Default: in memory. */
  readonly store?: Store
  /** Default: in memory. */
  readonly blobs?: Blobs
  /** How many ids were drawn before: hosts over one store draw others. Default: 0. */
  readonly drawn?: number
  /** Runners of users, in place of those that are opened otherwise. */
  readonly runners?: Pick<Services['runners'], 'online' | 'onChange'>
}

/** Opens a host for tests of apps, windows and routes. It holds no timer and no port. */
export function testServices(options: TestServicesOptions = {}): TestServices {
  const clock = frozenClock()
  const table = { ...limits, ...options.limits }
  const emitted: EmittedEvent[] = []
  let drawn = options.drawn ?? 0
  const newId = idMaker((count) => {
    drawn += 1
    return Uint8Array.from({ length: count }, (_, at) =>
      at === count - 1 ? drawn : at === count - 2 ? drawn >> 5 : 7,
    )
  })
  const services = openServices({
    base: {
      clock,
      newId,
      limits: table,
      store: options.store ?? { ...memoryStore(), isExclusive: true },
      log: options.logger ?? pino({ level: 'silent' }),
      metrics: openMetrics({ processMetrics: false }),
      bus: memoryBus({ clock }),
      blobs: options.blobs ?? memoryBlobs(),
      threads: openThreads(),
      leaving: openLeaving(),
      load: { isTooMuch: options.overloaded ?? (() => false), shortages: [], lagMs: 0, close() {} },
      runner: options.runner ?? null,
      settings: {
        harness: false,
        storage: 'persistent',
        signIn: 'dev',
        startToken: 't'.repeat(32),
        approvals: 'destructive',
        publishing: 'everybody',
        basePath: '',
        bundleOrigin: null,
        upgrades: false,
        origins: [],
        frameAncestors: [],
        partitionedCookies: false,
        isPublic: false,
        trustedProxies: [],
        allowLoopback: [],
        ...options.settings,
      },
    },
    addresses: openAddresses(readRanges(options.settings?.trustedProxies ?? [])),
    waits: clock,
    secret: 's'.repeat(32),
    plugins: options.plugins,
    apps: options.configured,
    platformTools: options.platformTools,
    models: options.models ?? readModels({}, {}, { clock, limits: table }),
    quotas: readQuotas(),
    instead: {
      runners: options.runners ?? {},
      events: {
        follow: () => {},
        emit: (userId, type, windowUuid, payload) => void emitted.push({ userId, type, windowUuid, payload }),
        emitEach: (userId, type, windowUuids, payload) => {
          for (const windowUuid of windowUuids) emitted.push({ userId, type, windowUuid, payload })
        },
        lead: async () => {},
        told: async () => {},
        flush: async () => {},
        forget: async () => {},
        sweep: async () => {},
        close: async () => {},
      },
    },
  })
  return { ...services, clock, emitted, emittedOf: (type) => emitted.filter((event) => event.type === type) }
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
export async function installedDraft(
  services: TestServices,
  manifest: unknown = testManifest(),
  user = 'ada',
) {
  const { app_id } = await services.apps.register(user, { slug: 'notes', name: 'Notes' })
  const pushed = await services.apps.pushDraft(user, app_id, {
    manifest,
    files: filesOf({ 'index.html': '<p>' }),
  })
  const { install_id } = await services.apps.install(user, { app_id, version: pushed.version })
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
