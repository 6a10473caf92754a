import { randomBytes } from 'node:crypto'
import { limits as defaults, idMaker } from '@svc/contract'
import { systemClock } from '@svc/node'
import { openPublicFetch } from '@svc/node/public-fetch'
import { createRunner } from '@svc/runner'
import { memoryBlobs, memoryBus, memoryStore } from '@svc/state'
import { random } from 'nanoid'
import { pino } from 'pino'
import { openAudit } from './access/audit/audit.ts'
import { openEntryTickets } from './access/tokens/entry-tickets.ts'
import { openTokens } from './access/tokens/tokens.ts'
import { openSignIn } from './access/users/sign-in.ts'
import { openUnderWay } from './access/users/under-way.ts'
import { openUsers } from './access/users/users.ts'
import { openApps } from './apps/open-apps.ts'
import { openCopies } from './catalog/copies.ts'
import { openGuard } from './edge/guard.ts'
import { handlerTable } from './edge/handlers/index.ts'
import { openCallSockets } from './edge/http/call-sockets.ts'
import { fetchFront } from './edge/http/fetch-front.ts'
import type { Fronts } from './edge/http/fronts.ts'
import { openListener } from './edge/http/listen.ts'
import { eventRoute } from './edge/http/route.ts'
import { createRoutes } from './edge/http/routes/index.ts'
import { openRunnerSockets } from './edge/http/runner-sockets.ts'
import { openStartToken } from './edge/http/start-token.ts'
import { openUpgrades } from './edge/http/upgrades.ts'
import { openDesk } from './edge/rpc/desk.ts'
import { openDoor } from './edge/rpc/door.ts'
import { asReady } from './edge/rpc/lines.ts'
import { openLongBodies } from './edge/rpc/long-bodies.ts'
import { openLongCalls } from './edge/rpc/long-calls.ts'
import { openOrder } from './edge/rpc/order.ts'
import { openEvents } from './events/open-events.ts'
import type { Host } from './host.ts'
import { factsLine, hostFacts } from './host-facts.ts'
import type { House } from './house.ts'
import { openHosts } from './kernel/hosts/open-hosts.ts'
import { openInFlight } from './kernel/inflight.ts'
import { openAddresses, readRanges } from './kernel/limiter/addresses.ts'
import { openBodies } from './kernel/limiter/bodies.ts'
import { openLimiter } from './kernel/limiter/limiter.ts'
import { openLoad } from './kernel/limiter/load.ts'
import { memoryInUse } from './kernel/limiter/memory.ts'
import { openMetrics } from './kernel/metrics.ts'
import { pooledBytes } from './kernel/random-bytes.ts'
import { paths } from './kernel/request/paths.ts'
import { openThreads } from './kernel/threads/threads.ts'
import { openRunners } from './machines/open-runners.ts'
import { readModels } from './models/providers/model-settings.ts'
import { openModels } from './models/providers/open-models.ts'
import { openQuotas } from './models/quotas/open-quotas.ts'
import { readQuotas } from './models/quotas/read-quotas.ts'
import {
  notedApprovals,
  notedApps,
  notedPublishing,
  notedRunners,
  notedSessions,
  notedUsers,
  notedWindows,
} from './noted.ts'
import { openApprovals } from './plugins/approvals/open-approvals.ts'
import { operatorCredentials } from './plugins/credentials/operator-credentials.ts'
import { openConfigured } from './plugins/deployments/configured.ts'
import { openPlugins } from './plugins/deployments/open-plugins.ts'
import { openPublished } from './plugins/deployments/published.ts'
import { tellToolsChanged } from './plugins/deployments/tell-changed.ts'
import { openPublishing } from './plugins/publishing/open-publishing.ts'
import { type HostOptions, readSettings } from './settings.ts'
import { openSweeper } from './sweeper.ts'
import { openLateWrites } from './user-data/late-writes.ts'
import { openUserData } from './user-data/open-user-data.ts'
import { openErrorLog } from './windows/error-log.ts'
import { openWindows } from './windows/open-windows.ts'
import { openJobs } from './work/jobs/open-jobs.ts'
import { openRuns } from './work/runs/open-runs.ts'
import { openSamplings } from './work/sampling/open-samplings.ts'
import { openSessions } from './work/sessions/open-sessions.ts'
import { openPlatformTools } from './work/sessions/platform-tools.ts'

/** Rooms know each other through the house, which is filled room by room and read at the time of a call. */
type HouseToBe = { -readonly [Room in keyof House]: House[Room] }

/**
 * Makes a host. Everything has a default: memory, a runner of its own, no sign-in but the operator's.
 * Errors: a store of the caller's without `secret` is refused, because its tokens would not outlive the process.
 *
 * @example
 * ```ts
 * const host = createHost({
 *   authenticate: async (request) => ({ id: await userOf(request) }),
 *   apps: [{ dir: 'apps/notes' }],
 *   plugins: [{ slug: 'csv-stats', command: ['node', 'plugins/csv-stats.ts'] }],
 * })
 * const response = await host.fetch(request)
 * ```
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
      ? createRunner({
          limits,
          log,
          allowLoopback: options.allowLoopback ?? [],
          isolation: options.isolation ?? 'auto',
          showStderr: settings.harness,
        })
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
    threads: openThreads(),
  } as HouseToBe
  const addresses = openAddresses(readRanges(settings.trustedProxies))
  // Of the machine, whatever clock the rules go by.
  house.load = openLoad({ clock: systemClock, limits, memory: memoryInUse })
  house.limiter = openLimiter({ ...house, addresses, waits: systemClock })
  house.audit = openAudit(house, options.audit)
  house.copies = openCopies(house.store, clock, limits)
  const secret = options.secret ?? randomBytes(32).toString('base64url')
  house.tokens = openTokens({ secret, clock, limits })
  house.tickets = openEntryTickets(secret)
  house.users = notedUsers(openUsers(house, openUserData(house)), house.audit)
  house.underWay = openUnderWay(house.users)
  house.lateWrites = openLateWrites(house)
  house.events = openEvents(house)
  const runners = notedRunners(openRunners(house), house.audit)
  house.runners = runners
  const configured = openConfigured(options.plugins ?? [], {
    runner,
    clock,
    limits,
    log,
    link: house.runners.builtin,
    onChange: (plugin) => void tellToolsChanged(house, plugin),
  })
  house.approvals = notedApprovals(openApprovals(house), house.audit)
  house.published = openPublished(house)
  house.plugins = openPlugins(configured, house.published)
  house.publishing = notedPublishing(openPublishing(house), house.audit)
  house.windows = notedWindows(openWindows(house), house.audit)
  house.errorLog = openErrorLog(house)
  house.apps = notedApps(openApps(house, options.apps ?? []), house.audit)
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
  house.sessions = notedSessions(openSessions(house), house.audit)
  house.runs = openRuns(house)

  const guard = openGuard(settings)
  const signIn = openSignIn({ ...house, authenticate: options.authenticate })
  const inFlight = openInFlight(limits.IN_FLIGHT_PER_WINDOW)
  const streams = eventRoute(house, { guard, signIn })
  const desk = openDesk(house, handlerTable, inFlight, openOrder())
  // Like the times of a request, by the clock of the machine.
  const bodies = openBodies(systemClock, limits)
  const longBodies = openLongBodies(limits, house.threads, bodies)
  house.metrics.load(() => ({
    lagMs: house.load.lagMs,
    shortages: house.load.shortages,
    bodies: bodies.held,
  }))
  const leaving = new AbortController()
  const door = openDoor(house, guard, signIn, desk, openLongCalls(house, desk, longBodies), bodies)
  const fronts: Fronts = {
    door,
    basePath: settings.basePath,
    linesOf: (answers) => asReady(answers, (fn) => clock.setTimer(fn, limits.ANSWERS_GATHER_MS)),
    events: streams,
    upgrades: openUpgrades({
      guard,
      limits,
      log,
      audit: house.audit,
      limiter: house.limiter,
      basePath: settings.basePath,
      rooms: new Map([
        [paths.calls, openCallSockets({ ...house, door, guard, signIn, bodies })],
        [paths.runnerLink, openRunnerSockets({ ...house, guard, front: runners.front })],
      ]),
    }),
    routes: createRoutes(house, {
      guard,
      signIn,
      startToken: openStartToken(settings, limits.SIGN_IN_TTL_MS),
      door,
      bodies,
      longBodies,
      leaving: leaving.signal,
      page: options.page,
      metricsToken: options.metricsToken,
      operatorToken: options.operatorToken,
    }),
    bodies,
    addresses,
    limiter: house.limiter,
    log,
  }
  const fetch = fetchFront(fronts)
  const listener = openListener(fronts, settings, limits)
  const sweeper = openSweeper(house)

  const facts = hostFacts(options, { settings, models, missing: house.missing })
  // `svc dev` prints a summary of its own.
  const level = settings.harness ? 'debug' : 'info'
  log[level](facts, `svc host: ${factsLine(facts)}`)

  let closing: Promise<void> | undefined
  async function close() {
    sweeper.close()
    house.load.close()
    streams.close()
    leaving.abort()
    bodies.close()
    house.limiter.close()
    await listener.close()
    await house.threads.close()
    await house.jobs.close()
    await house.runs.close()
    house.published.close()
    await house.approvals.close()
    await house.runners.close()
    await house.hosts.close()
    if (options.runner === undefined) await runner?.close()
    await house.events.close()
    await house.users.close()
    await house.lateWrites.close()
    await house.audit.close()
    if (!options.bus) await house.bus.close()
    if (!options.store) await house.store.close()
    if (!options.blobs) await house.blobs.close()
  }
  return {
    async listen(port, address) {
      await house.apps.ready()
      const listening = await listener.listen(port, address)
      log[level]({ url: listening.url }, `svc host listens at ${listening.url}`)
      return listening
    },
    fetch,
    upgrade: fronts.upgrades.upgrade,
    startToken: settings.startToken,
    facts,
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
