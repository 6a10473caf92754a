import { randomBytes } from 'node:crypto'
import { limits as defaults, idMaker } from '@svc/contract'
import { visibleText } from '@svc/contract/visible-text'
import { keepAliveClock, lazy, systemClock } from '@svc/node'
import { memoryBlobs, memoryBus, memoryStore } from '@svc/state'
import { random } from 'nanoid'
import { pino } from 'pino'
import { openPageTokens } from './access/tokens/page-tokens.ts'
import { openSignIn } from './access/users/sign-in.ts'
import { runnerOf } from './built-in-runner.ts'
import { openGuard } from './edge/guard.ts'
import { handlerTable } from './edge/handlers/index.ts'
import { openCallSockets } from './edge/http/call-sockets.ts'
import { eventRoute } from './edge/http/event-route.ts'
import { fetchFront } from './edge/http/fetch-front.ts'
import type { Fronts } from './edge/http/fronts.ts'
import { openListener } from './edge/http/listen.ts'
import { openRunnerSockets } from './edge/http/runner-sockets.ts'
import { openStartToken } from './edge/http/start-token.ts'
import { openUpgrades } from './edge/http/upgrades.ts'
import { openDispatch } from './edge/rpc/dispatch.ts'
import { openGateway } from './edge/rpc/gateway.ts'
import { openLongBodies } from './edge/rpc/long-bodies.ts'
import { openLongCalls } from './edge/rpc/long-calls.ts'
import { openOrder } from './edge/rpc/order.ts'
import { asReady } from './edge/rpc/reply.ts'
import type { Host } from './host.ts'
import { factsLine, hostFacts } from './host-facts.ts'
import { openInFlight } from './kernel/inflight.ts'
import { openLeaving } from './kernel/leaving.ts'
import { openAddresses, readRanges } from './kernel/limiter/addresses.ts'
import { openBodies } from './kernel/limiter/bodies.ts'
import { memoryInUse, openLoad } from './kernel/limiter/load.ts'
import { openUnread } from './kernel/limiter/unread.ts'
import { openMetrics } from './kernel/metrics.ts'
import { paths } from './kernel/request/paths.ts'
import { openReaders } from './kernel/stalled.ts'
import { openThreads } from './kernel/threads/threads.ts'
import { readModels } from './models/providers/model-settings.ts'
import { readQuotas } from './models/quotas/read-quotas.ts'
import { openServices } from './open-services.ts'
import { type HostOptions, readSettings } from './settings.ts'
import { checkStoreIsFree, useStore } from './store-in-use.ts'
import { openSweeper } from './sweeper.ts'
import { publishingTwin, runnersTwin } from './twins.ts'

/**
 * Makes a host. Everything has a default: memory, a runner of its own, no sign-in but the operator's.
 * Errors: a store of the caller's without `secret` is refused, because its tokens would not outlive the process; so is
 * one in a folder that another host has not let go of by its `close()`.
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
  checkStoreIsFree(options.store)
  const limits = { ...defaults, ...options.limits }
  const clock = options.clock ?? systemClock
  const models = readModels(options, process.env, { clock, limits })
  const quotas = readQuotas(options.quotas)
  // What somebody awaits must come, also where nothing else keeps the process alive.
  const awake = options.clock ?? keepAliveClock
  // What plugins write to stderr comes at this level: without it nobody learns why one does not start.
  const stderr = pino.destination(2)
  const write = (line: string) => stderr.write(visibleText(line))
  const log = options.logger ?? pino({ name: 'svc', level: 'info' }, { write })
  const { runner, onListen } = runnerOf(options, settings, { limits, log })
  if (options.store?.dir !== undefined) runner?.hide?.(options.store.dir)

  const addresses = openAddresses(readRanges(settings.trustedProxies))
  const services = openServices({
    base: {
      clock,
      limits,
      log,
      settings,
      runner,
      newId: options.newId ?? idMaker(random),
      metrics: openMetrics({ processMetrics: !settings.harness }),
      store: options.store ?? { ...memoryStore(), isExclusive: true },
      bus: options.bus ?? memoryBus({ clock }),
      blobs: options.blobs ?? memoryBlobs(),
      threads: openThreads(),
      leaving: openLeaving(),
      // Of the machine, whatever clock the rules go by.
      load: openLoad({ clock: systemClock, limits, memory: memoryInUse }),
    },
    addresses,
    secret: options.secret ?? randomBytes(32).toString('base64url'),
    audit: options.audit,
    plugins: options.plugins,
    apps: options.apps,
    platformTools: options.platformTools,
    credentials: options.credentials,
    webSearch: options.webSearch,
    models,
    quotas,
  })

  const guard = openGuard(settings)
  const pages = openPageTokens(options.pageTokens, { clock, limits, judge: guard.origin })
  const signIn = openSignIn({ ...services, authenticate: options.authenticate, pages })
  const inFlight = openInFlight(limits.IN_FLIGHT_PER_WINDOW)
  const streams = eventRoute(services, { guard, signIn })
  const dispatch = openDispatch(services, handlerTable, inFlight, openOrder())
  // Like the times of a request, by the clock of the machine.
  const bodies = openBodies(systemClock, limits)
  const unread = openUnread(limits)
  const readers = openReaders(systemClock, limits)
  const longBodies = openLongBodies(limits, services.threads, bodies)
  services.metrics.load(() => ({
    lagMs: services.load.lagMs,
    shortages: services.load.shortages,
    storageFails: (services.store.trouble?.() ?? null) !== null,
    bodies: bodies.held,
  }))
  const gateway = openGateway(
    services,
    guard,
    signIn,
    dispatch,
    openLongCalls(services, dispatch, longBodies),
    bodies,
  )
  const reading = { gateway, guard, signIn, bodies, unread, readers }
  const startToken = openStartToken(settings, clock, limits.SIGN_IN_TTL_MS)
  const fronts: Fronts = {
    gateway,
    cors: guard.cors,
    basePath: settings.basePath,
    linesOf: (answers, reader) =>
      asReady(answers, (fn) => clock.setTimer(fn, limits.ANSWERS_GATHER_MS), reader),
    events: streams,
    upgrades: openUpgrades({
      guard,
      limits,
      log,
      audit: services.audit,
      limiter: services.limiter,
      basePath: settings.basePath,
      handlers: new Map([
        [paths.calls, openCallSockets({ ...services, ...reading, events: streams })],
        [paths.runnerLink, openRunnerSockets({ ...services, guard, readers, front: services.runners.front })],
      ]),
    }),
    routes: lazy(makeRoutes),
    bodies,
    unread,
    readers,
    addresses,
    limiter: services.limiter,
    log,
  }
  async function makeRoutes() {
    const { createRoutes } = await import('./edge/http/routes/create-routes.ts')
    return createRoutes(services, {
      ...reading,
      startToken,
      longBodies,
      leaving: services.leaving.signal,
      page: options.page,
      metricsToken: options.metricsToken,
      operatorToken: options.operatorToken,
    })
  }
  const fetch = fetchFront(fronts)
  const listener = openListener(fronts, settings, limits, services.leaving)
  const sweeper = openSweeper(services)

  const facts = hostFacts(options, { settings, models, missing: services.missing })
  // `svc dev` prints a summary of its own.
  const level = settings.harness ? 'debug' : 'info'
  log[level](facts, `svc host: ${factsLine(facts)}`)

  /** Meanwhile a load balancer learns that this host takes nothing more, while it still answers what comes. */
  async function notice() {
    if (limits.LEAVE_NOTICE_MS > 0)
      await new Promise<void>((resolve) => void awake.setTimer(resolve, limits.LEAVE_NOTICE_MS))
  }
  async function endWork() {
    await services.jobs.close()
    await services.runs.close()
  }
  const giveBack = useStore(options.store)
  let closing: Promise<void> | undefined
  async function close() {
    services.leaving.begin()
    sweeper.close()
    services.load.close()
    streams.close()
    fronts.upgrades.leave()
    await notice()
    services.leaving.close()
    bodies.close()
    services.limiter.close()
    await Promise.all([listener.close(), endWork()])
    await services.threads.close()
    services.published.close()
    await services.approvals.close()
    await services.samplings.close()
    services.toolSessions.close()
    await services.runners.close()
    await services.removals.close()
    await services.hosts.close()
    if (options.runner === undefined) await runner?.close()
    await services.events.close()
    await services.users.close()
    await services.underWay.close()
    await services.sharedCopies.close()
    await services.lateWrites.close()
    await services.audit.close()
    if (!options.bus) await services.bus.close()
    if (!options.store) await services.store.close()
    if (!options.blobs) await services.blobs.close()
  }
  return {
    async listen(port, address = '127.0.0.1') {
      onListen(address)
      await services.apps.ready()
      const listening = await listener.listen(port, address)
      log[level]({ url: listening.url }, `svc host listens at ${listening.url}`)
      return listening
    },
    fetch,
    upgrade: fronts.upgrades.upgrade,
    startToken: settings.startToken,
    facts,
    close: () => {
      closing ??= close().finally(giveBack)
      return closing
    },
    apps: services.apps,
    windows: services.windows,
    users: services.users,
    plugins: services.plugins,
    publishing: publishingTwin(services.publishing),
    runners: runnersTwin(services.runners),
    jobs: services.jobs.ofUser,
    sessions: services.sessions.ofUser,
  }
}
