import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { limits as defaults, idMaker } from '@svc/contract'
import { createRunner } from '@svc/runner'
import { openPublicFetch } from '@svc/runner/public-url'
import { random } from 'nanoid'
import { pino } from 'pino'
import type { Apps } from './apps/apps.ts'
import { openApps } from './apps/open-apps.ts'
import { memoryBlobs } from './blobs/drivers/memory.ts'
import { memoryBus } from './bus/drivers/memory.ts'
import { systemClock } from './clock.ts'
import { operatorCredentials } from './credentials/operator-credentials.ts'
import { openEvents } from './events/open-events.ts'
import { eventRoute } from './events/route.ts'
import { handlerTable } from './handlers/index.ts'
import { openHosts } from './hosts/open-hosts.ts'
import type { House } from './house.ts'
import { openCallSockets } from './http/call-sockets.ts'
import { fetchFront } from './http/fetch-front.ts'
import type { Fronts } from './http/fronts.ts'
import { openGuard } from './http/guard.ts'
import { type Listening, openListener } from './http/listen.ts'
import { paths } from './http/paths.ts'
import { createRoutes } from './http/routes/index.ts'
import { openRunnerSockets } from './http/runner-sockets.ts'
import { openUpgrades } from './http/upgrades.ts'
import type { UserJobs } from './jobs/jobs.ts'
import { openJobs } from './jobs/open-jobs.ts'
import { openMetrics } from './metrics.ts'
import { readModels } from './models/model-settings.ts'
import { openModels } from './models/open-models.ts'
import { openConfigured } from './plugins/configured.ts'
import { openPlugins } from './plugins/open-plugins.ts'
import type { Plugins } from './plugins/plugins.ts'
import { openPublished } from './plugins/published.ts'
import { openPublishing } from './publishing/open-publishing.ts'
import type { Publishing } from './publishing/publishing.ts'
import { openQuotas } from './quotas/open-quotas.ts'
import { readQuotas } from './quotas/read-quotas.ts'
import { pooledBytes } from './random-bytes.ts'
import { openSamplings } from './reverse/open-samplings.ts'
import { openDesk } from './rpc/desk.ts'
import { openDoor } from './rpc/door.ts'
import { openInFlight } from './rpc/inflight.ts'
import { asReady } from './rpc/lines.ts'
import { openLongBodies } from './rpc/long-bodies.ts'
import { openLongCalls } from './rpc/long-calls.ts'
import { openRunners } from './runners/open-runners.ts'
import type { Runners } from './runners/runners.ts'
import { openRuns } from './runs/open-runs.ts'
import { openSessions } from './sessions/open-sessions.ts'
import { openPlatformTools } from './sessions/platform-tools.ts'
import type { UserSessions } from './sessions/sessions.ts'
import { type HostOptions, readSettings } from './settings.ts'
import { openCopies } from './store/copies.ts'
import { memoryStore } from './store/drivers/memory.ts'
import { openSweeper } from './sweeper.ts'
import { openTokens } from './tokens/tokens.ts'
import { tellToolsChanged } from './tools/tell-changed.ts'
import { openSignIn } from './users/sign-in.ts'
import { openUsers, type Users } from './users/users.ts'
import { openWindows } from './windows/open-windows.ts'
import type { Windows } from './windows/windows.ts'

/** A running host: its two fronts, and the programmatic twins of its routes. */
export interface Host {
  /**
   * Listens for HTTP; port 0 takes a free one. `address` is loopback unless it is named.
   * Errors: the development sign-in refuses any address but loopback; a port in use is Node's `EADDRINUSE`.
   */
  listen(port: number, address?: string): Promise<Listening>
  /** Takes an upgrade request of a server that embeds the host: the call socket of a page, the link of a machine. */
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Answers one request, for embedding in any server that speaks the web's `Request` and `Response`. */
  fetch(request: Request): Promise<Response>
  /** Ends what is under way within `SHUTDOWN_MS`, then every stream, process, timer and port. Twice is harmless. */
  close(): Promise<void>
  readonly apps: Apps
  readonly windows: Windows
  readonly users: Users
  readonly plugins: Plugins
  readonly publishing: Publishing
  readonly runners: Runners
  readonly jobs: UserJobs
  readonly sessions: UserSessions
}

/** Rooms know each other through the house, which is filled room by room and read at the time of a call. */
type HouseToBe = { -readonly [Room in keyof House]: House[Room] }

/**
 * Makes a host. Everything has a default: memory, a runner of its own, no sign-in but the operator's.
 * Errors: a store of the caller's without `secret` is refused, because its tokens would not outlive the process.
 */
export function createHost(options: HostOptions = {}): Host {
  const settings = readSettings(options)
  const limits = { ...defaults, ...options.limits }
  const models = readModels(options, process.env, limits)
  const quotas = readQuotas(options.quotas)
  const clock = options.clock ?? systemClock
  // What plugins write to stderr comes at this level: without it nobody learns why one does not start.
  const log = options.logger ?? pino({ name: 'svc', level: 'info' }, pino.destination(2))
  const runner =
    options.runner === undefined
      ? createRunner({ limits, log, allowLoopback: options.allowLoopback ?? [] })
      : options.runner

  const house = {
    clock,
    limits,
    log,
    settings,
    runner,
    newId: options.newId ?? idMaker(pooledBytes(random)),
    metrics: openMetrics({ processMetrics: !settings.harness }),
    store: options.store ?? memoryStore(),
    bus: options.bus ?? memoryBus({ clock }),
    blobs: options.blobs ?? memoryBlobs(),
  } as HouseToBe
  house.copies = openCopies(house.store, clock, limits)
  house.tokens = openTokens({
    secret: options.secret ?? randomBytes(32).toString('base64url'),
    clock,
    limits,
  })
  house.users = openUsers(house)
  house.events = openEvents(house)
  const runners = openRunners(house)
  house.runners = runners
  const configured = openConfigured(options.plugins ?? [], {
    ...{ runner, clock, limits, log, link: house.runners.builtin },
    onChange: (plugin) => void tellToolsChanged(house, plugin),
  })
  house.published = openPublished(house)
  house.plugins = openPlugins(configured, house.published)
  house.publishing = openPublishing(house)
  house.windows = openWindows(house)
  house.apps = openApps(house, options.apps ?? [])
  house.hosts = openHosts(house)
  house.samplings = openSamplings(house)
  house.jobs = openJobs(house)
  house.models = openModels(models, house)
  house.quotas = openQuotas(house, quotas)
  house.publicFetch = openPublicFetch({ clock, limits, allowLoopback: settings.allowLoopback })
  house.platformTools = openPlatformTools(options.platformTools ?? [])
  house.credentials = options.credentials ?? operatorCredentials(house)
  house.webSearch = options.webSearch ?? null
  house.missing = new Set([...house.models.missing, ...(house.webSearch ? [] : ['web.search'])])
  house.sessions = openSessions(house)
  house.runs = openRuns(house)

  const guard = openGuard(settings)
  const signIn = openSignIn({ ...house, authenticate: options.authenticate })
  const inFlight = openInFlight(limits.IN_FLIGHT_PER_WINDOW)
  const streams = eventRoute(house, { guard, signIn })
  const desk = openDesk(house, handlerTable, inFlight)
  const longBodies = openLongBodies(limits)
  const leaving = new AbortController()
  const door = openDoor(house, guard, signIn, desk, openLongCalls(house, desk, longBodies))
  const fronts: Fronts = {
    door,
    linesOf: (answers) => asReady(answers, (fn) => clock.setTimer(fn, limits.ANSWERS_GATHER_MS)),
    events: streams,
    upgrades: openUpgrades({
      ...{ guard, limits, log },
      rooms: new Map([
        [paths.calls, openCallSockets({ door, guard, signIn, clock, limits, log })],
        [paths.runnerLink, openRunnerSockets(runners.front, limits)],
      ]),
    }),
    routes: createRoutes(house, {
      guard,
      signIn,
      door,
      longBodies,
      leaving: leaving.signal,
      page: options.page,
      metricsToken: options.metricsToken,
    }),
    log,
  }
  const fetch = fetchFront(fronts)
  const listener = openListener(fronts, settings, limits)
  const sweeper = openSweeper(house)

  let closing: Promise<void> | undefined
  async function close() {
    sweeper.close()
    streams.close()
    leaving.abort()
    await listener.close()
    await longBodies.close()
    await house.jobs.close()
    await house.runs.close()
    house.published.close()
    await house.runners.close()
    await house.hosts.close()
    if (options.runner === undefined) await runner?.close()
    await house.events.close()
    if (!options.bus) await house.bus.close()
    if (!options.store) await house.store.close()
    if (!options.blobs) await house.blobs.close()
  }
  return {
    async listen(port, address) {
      await house.apps.ready()
      return listener.listen(port, address)
    },
    fetch,
    upgrade: fronts.upgrades.upgrade,
    close: () => {
      closing ??= close()
      return closing
    },
    apps: house.apps,
    windows: house.windows,
    users: house.users,
    plugins: house.plugins,
    publishing: house.publishing,
    runners: house.runners,
    jobs: house.jobs.ofUser,
    sessions: house.sessions.ofUser,
  }
}
