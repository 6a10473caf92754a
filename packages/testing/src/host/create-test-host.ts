import type { Bridge } from '@svc/bridge'
import { limits as defaults, type Grants, type HostLimits, type Limits } from '@svc/contract'
import { createHost, type Host, type HostOptions } from '@svc/host'
import { loadRuns } from '@svc/host/testing'
import { memoryBlobs, memoryBus, memoryStore } from '@svc/state'
import { pino } from 'pino'
import { checkTools, type Installation, installApp, readManifest } from '../app/install-app.ts'
import { TestHostError } from '../errors/test-host-error.ts'
import { type Faults, openFaults } from '../faults/faults.ts'
import type { ModelQuestion, TestModels } from '../models/script.ts'
import { openTestModels } from '../models/test-models.ts'
import { openNetwork } from '../network/network.ts'
import { openListener } from '../page/listener.ts'
import { openPageFiles } from '../page/page-files.ts'
import { openActivity } from '../time/activity.ts'
import { openClocks, type TestClock } from '../time/test-clock.ts'
import { openTestRunner } from '../tools/test-runner.ts'
import type { TestTools } from '../tools/tools.ts'
import { openWindows, type TestWindow, type WindowOptions } from '../windows/windows.ts'
import { leftovers } from './leftovers.ts'
import { shutDown } from './shut-down.ts'
import { testLimits } from './test-limits.ts'

/** What `createTestHost` takes. */
export interface TestHostOptions {
  /** The manifest of the app, as `public/manifest.json` has it. */
  readonly manifest: object
  /** The plugins that the manifest declares, by their names there: the tools of each, by name. Default: none. */
  readonly tools?: TestTools
  /** What models say, by the names of the models; one of them is `default`. Default: no models, as `llm.*` tells. */
  readonly models?: TestModels
  /** What the user granted the app at its install. Default: nothing. */
  readonly grants?: Grants
  /** Limits that differ from those of production: those of `hostLimits`. */
  readonly limits?: Partial<HostLimits>
  /** The id of the user. Default: `ada`. */
  readonly user?: string
  /** The time at which the clock begins, in Unix ms. Default: 2026-01-01 in UTC. */
  readonly startsAt?: number
  /** More options of `createHost`, such as `quotas`, `webSearch` or `credentials`. */
  readonly host?: Omit<HostOptions, Given>
}

/** The options of `createHost` that a test host gives itself. */
type Given =
  | 'harness'
  | 'storage'
  | 'authenticate'
  | 'signIn'
  | 'startToken'
  | 'store'
  | 'bus'
  | 'blobs'
  | 'secret'
  | 'clock'
  | 'runner'
  | 'plugins'
  | 'apps'
  | 'models'
  | 'limits'
  | 'newId'
  | 'page'

/** The production host in memory, with an app that its user has installed. */
export interface TestHost extends AsyncDisposable {
  /** The clock of host, bridge, SDK, tools and models. */
  readonly clock: TestClock
  /** What can go wrong, by name. */
  readonly fault: Faults
  /** What each model was asked so far, by the name of the model. */
  readonly questions: Readonly<Record<string, readonly ModelQuestion[]>>
  /** The calls of tools that have not returned, as `plugin.tool` each. */
  readonly busy: readonly string[]
  /** The host itself, for what an operator or a page does with it: approvals, jobs of a user, another install. */
  readonly host: Host
  /** The page around the windows, as its bridge tells it: `on('host_lost', …)`. */
  readonly bridge: Bridge
  /** The id of the user. */
  readonly user: string
  /** The id of the app. */
  readonly appId: string
  /**
   * Lets browsers reach the host on loopback, with its faults, until it is closed; `openApp` of `@svc/testing/playwright`
   * calls it. The page at its URL may have frames of the host, and of the development server at `frameUrl`.
   */
  listen(frameUrl?: string): Promise<{ readonly url: string }>
  /** Opens a window of the app on a page without a browser. @throws TestHostError for a view that the manifest lacks. */
  openWindow(options?: WindowOptions): Promise<TestWindow>
  /**
   * Closes windows, page and host, and all that they have open. Twice is harmless.
   *
   * @throws TestHostError where the test left something open: a call without an answer, a tool or a model at work; where
   *   a fault never struck; and where the script of a model did not fit what it was asked. All is closed even then.
   */
  close(): Promise<void>
}

/** The time at which the clock of a test begins that names none. */
const START = Date.UTC(2026, 0, 1)

/** The secret of tokens that live as long as a test. */
const SECRET = 'the secret of a host that lives as long as its test'

/**
 * Makes a host for a test: the real one, in memory and on a clock that stands still, with the app installed. Nothing
 * listens, and no process is started. It has no rule of its own (docs/decisions/0130-tests-of-apps.md).
 *
 * @throws TestHostError where the manifest does not parse, or does not declare a plugin of `tools`.
 * @example
 * ```ts
 * import { createTestHost } from '@svc/testing'
 * import manifest from '../../public/manifest.json' with { type: 'json' }
 *
 * const host = await createTestHost({ manifest, tools: { 'csv-stats': { describe_csv: () => ({ rows: 2 }) } } })
 * const { svc } = await host.openWindow()
 * const report = await svc.tools.invoke({ tool_id: 'csv-stats', method: 'describe_csv', args: { csv: 'a\n1\n2' } })
 * await host.close()
 * ```
 */
export async function createTestHost(options: TestHostOptions): Promise<TestHost> {
  const { user = 'ada', tools = {}, grants = {}, startsAt = START } = options
  const manifest = readManifest(options.manifest)
  checkTools(manifest, Object.keys(tools))

  const activity = openActivity()
  const clocks = openClocks(startsAt, activity)
  const limits = { ...testLimits, ...options.limits }
  const allLimits: Limits = { ...defaults, ...limits }
  const log = options.host?.logger ?? pino({ level: 'silent' })
  const problems: TestHostError[] = []
  const runner = openTestRunner(tools, {
    clocks,
    activity,
    limits: allLimits,
    onLog: (...what) => log.info({ what }, 'a tool logged something'),
  })
  const models = openTestModels(options.models, {
    clocks,
    activity,
    onProblem: (problem) => problems.push(problem),
  })
  const store = { ...memoryStore(), isExclusive: true }
  const bus = memoryBus({ clock: clocks.host })
  const blobs = memoryBlobs()
  let agoMs = 0
  const host = createHost({
    ...options.host,
    harness: true,
    storage: 'persistent',
    authenticate: async () => ({ id: user }),
    store,
    bus,
    blobs,
    secret: SECRET,
    clock: { now: () => clocks.host.now() - agoMs, setTimer: clocks.host.setTimer },
    runner: runner.runner,
    plugins: runner.configured,
    models: models.configured,
    logger: log,
    page: openPageFiles(),
    limits,
  })
  const parts = { host, clocks, runner, drivers: [store, bus, blobs] }
  async function install(): Promise<Installation> {
    if (options.models) await loadRuns()
    await host.plugins.ready()
    return installApp(host, manifest, { user, grants })
  }
  const installation = await install().catch(async (error: unknown) => {
    await shutDown(parts)
    throw error
  })
  const network = openNetwork({ clocks, activity, host: host.fetch })
  const listener = openListener(network)
  const windows = openWindows({ clocks, activity, network, manifest, appId: installation.appId })
  const fault = openFaults({
    host,
    clocks,
    activity,
    network,
    runner,
    store,
    quotas: options.host?.quotas,
    limits: allLimits,
    installation,
    checkOpen,
    async inThePast(ms, work) {
      agoMs = ms
      try {
        return await work()
      } finally {
        agoMs = 0
      }
    },
  })

  async function end(): Promise<void> {
    await activity.settled()
    const left = problems[0] ?? leftovers({ windows, runner, models, network })
    windows.close()
    await listener.close()
    await shutDown(parts)
    if (left) throw left
  }

  let ending: Promise<void> | undefined
  /** Who closes it again waits for the end, and is told nothing anew. */
  async function close(): Promise<void> {
    if (ending) return ending.catch(() => undefined)
    ending = end()
    await ending
  }
  function checkOpen(call: string): void {
    if (ending)
      throw new TestHostError(
        `host.${call} came after host.close()`,
        'Make a host for each test with createTestHost, and close it when the test is over.',
      )
  }

  return {
    clock: clocks.test,
    fault,
    questions: models.questions,
    get busy() {
      return runner.running
    },
    host,
    bridge: windows.bridge,
    user,
    appId: installation.appId,
    async listen(frameUrl) {
      checkOpen('listen')
      return listener.listen(frameUrl)
    },
    async openWindow(given) {
      checkOpen('openWindow')
      return windows.open(given)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
