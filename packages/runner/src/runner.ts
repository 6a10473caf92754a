import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { limits as defaults, type Limits } from '@svc/contract/limits'
import { type Clock, keepAliveClock } from '@svc/node'
import {
  clock as clockRule,
  flag,
  having,
  judgeOptions,
  object,
  oneOf,
  type Rule,
  text,
} from '@svc/node/options'
import { readLoopbackHost } from '@svc/node/public-fetch'
import { timeoutProblem } from './calls/call.ts'
import type { LocalRunner } from './calls/local-runner.ts'
import { openCalls } from './calls/open-calls.ts'
import { openWorker, type WorkerOptions } from './calls/worker.ts'
import type { Wait } from './install/installs.ts'
import { type InstallOptions, installRules, installsOf } from './install/installs-of.ts'
import { waitShared } from './install/wait-shared.ts'
import { withoutValues, withValues } from './install/with-values.ts'
import type { IsolationOption } from './isolation/isolate.ts'
import { type IsolatorName, isolators } from './isolation/isolators.ts'
import { openKeeper } from './isolation/keeper.ts'
import { openTold } from './isolation/refusals.ts'
import { openShares } from './isolation/shares.ts'
import { withLastWords } from './lines/last-words.ts'
import { limitsRule } from './port/limits-rule.ts'
import { type Log, silentLog } from './port/log.ts'
import {
  type CallInput,
  type CallOutcome,
  type CommandSpec,
  type DescribeOutcome,
  describeMs,
  type Failure,
  failure,
  type JobInput,
  type PluginSpec,
  type Runner,
} from './port/runner.ts'
import { openCgroups } from './processes/cgroups.ts'
import { openFolders } from './processes/folders.ts'
import { openOrphanReaper } from './processes/orphan-reaper.ts'
import { stateFolder } from './remote/state-folder.ts'

/** Every key is optional. */
export interface RunnerOptions extends InstallOptions {
  /** The clock of deadlines and idle times; killing always keeps real time. */
  readonly clock?: Clock
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<Limits>
  /** Takes the log. Default: nothing is logged. */
  readonly log?: Log
  /** Where the folders of the processes are made; the system's temporary folder where left out. */
  readonly workDir?: string
  /**
   * Whether plugins run behind walls: where the machine has them, and those that are installed only there, which a
   * `local` path is not (`auto`, the default); not at all without (`required`); never (`none`).
   */
  readonly isolation?: IsolationOption
  /** How trees are kept together, in place of what `isolation` says: for tests. */
  readonly isolator?: IsolatorName
  /**
   * Whether each failure says what the plugin wrote to stderr last, as it does for its author. Left out: only one of
   * `describe` does, in `details.stderr`; who calls a tool may be the app of a stranger.
   */
  readonly showStderr?: boolean
}

const runnerRule = object({
  clock: clockRule,
  limits: limitsRule,
  log: having('debug', 'info', 'warn'),
  workDir: text,
  isolation: oneOf('auto', 'required', 'none'),
  isolator: oneOf(...Object.keys(isolators)),
  showStderr: flag,
  ...installRules,
} satisfies Record<keyof RunnerOptions, Rule>)

/** Makes the runner of this process: it starts plugins on this machine, keeps them warm and ends them. */
export function createRunner(options: RunnerOptions = {}): LocalRunner &
  Required<Pick<LocalRunner, 'isolation' | 'hide'>> & {
    /** Starts no plugin without walls from now on, as `isolation: 'required'` does. */
    requireWalls(): void
  } {
  judgeOptions('createRunner', runnerRule, options)
  const { clock = keepAliveClock, log = silentLog } = options
  const limits: Limits = { ...defaults, ...options.limits }
  const folders = openFolders(options.workDir, limits)
  const keeper = openKeeper(options, limits.ISOLATION_PROBE_MS)
  const mark = randomBytes(16).toString('hex')
  const orphanReaper = openOrphanReaper(mark)
  let noise = 0
  let marks = 0
  /** Versions of plugins that were told to start without walls. */
  const unwalled = new Set<string>()
  /** Folders of this user that are no plugin's, beside the runner's own. */
  const unseen = new Set([stateFolder()])
  const onNoise = () => void noise++
  /** What was published, what says what it reaches, and all of them where walls are required. */
  const isolatorOf = ({ files, reach }: CommandSpec) => {
    const { isolation, isolator, toolIsolator } = keeper.now()
    return options.isolator || isolation.option === 'required' || files || reach ? isolator : toolIsolator
  }
  const hidden = () =>
    [folders.root(), options.installDir, ...unseen].flatMap((path) =>
      path === undefined ? [] : resolve(path),
    )
  const allowLoopback = (options.allowLoopback ?? []).flatMap((entry) => readLoopbackHost(entry) ?? [])
  const floor = {
    isolatorOf,
    folders,
    hidden,
    shares: openShares(limits),
    cgroups: openCgroups({ limits, log, mark }),
    allowLoopback,
    limits,
    log,
    clock,
    newMark: () => `${mark}-${++marks}`,
    onNoise,
    told: openTold(limits),
    isOwners: options.showStderr === true,
  }
  const onStart = () => {
    const { isolator, toolIsolator } = keeper.now()
    if (!isolator.endsAll || !toolIsolator.endsAll) orphanReaper.start()
  }
  const open = (plugin: CommandSpec, options: WorkerOptions) => {
    onStart()
    return openWorker(plugin, floor, options)
  }
  const calls = openCalls({
    clock,
    limits,
    log: floor.log,
    open,
    onForget: (key) => void folders.dropCache(key),
  })
  const installs = installsOf(options, { ...floor, keeper: keeper.now, onStart })
  const waiting = (
    forMs: number,
    { deadlineMs = clock.now() + forMs, signal }: NonNullable<Parameters<Runner['install']>[1]>,
  ): Wait => ({ deadlineMs, signal })

  return {
    get isolation() {
      return keeper.now().isolation
    },
    requireWalls: keeper.requireWalls,
    hide: (folder) => void unseen.add(resolve(folder)),
    async install(plugin, wait = {}) {
      const until = waiting(limits.INSTALL_TIMEOUT_MS, wait)
      const refused = (!keeper.isReady() && (await asked(until, () => unasked(plugin)))) || refusal(plugin)
      if (refused) return refused
      const ready = await installs.commandOf(plugin, until)
      return isFailure(ready) ? ready : { ok: true }
    },
    call: async (input) =>
      ofCall(shown(await started(input, timedOut, (plugin) => calls.call({ ...input, plugin })))),
    job: async (input) =>
      ofCall(shown(await started(input, timedOut, (plugin) => calls.job({ ...input, plugin })))),
    async describe(plugin, question = {}) {
      const wait = waiting(describeMs(plugin, limits), question)
      const outcome = await started(
        { plugin, ...wait },
        () => unasked(plugin),
        (ready) => calls.describe(ready, { ...wait, userId: question.userId }),
      )
      return shown(outcome)
    },
    stats: () => ({ ...calls.stats(), noise }),
    endSessions: calls.endSessions,
    onToolsChanged: calls.onToolsChanged,
    departed: calls.departed,
    async close() {
      await Promise.all([installs.close(), calls.close(), keeper.close()])
      orphanReaper.close()
      await folders.close()
      await floor.cgroups.close()
    },
  }

  /** A failure as an author reads it. */
  function shown<Outcome extends CallOutcome | DescribeOutcome>(outcome: Outcome): Outcome {
    if (outcome.ok || !options.showStderr) return outcome
    return { ...outcome, message: withLastWords(outcome.message, outcome.details) }
  }

  /** What an app may read of it. */
  function ofCall(outcome: CallOutcome): CallOutcome {
    if (outcome.ok) return outcome
    // Who calls a tool gave nothing that is wrong about its distribution.
    const code = outcome.code === 'invalid_arg' ? 'plug_unavailable' : outcome.code
    if (outcome.details?.stderr === undefined || options.showStderr) return { ...outcome, code }
    const { stderr: _stderr, ...details } = outcome.details
    return { ...outcome, code, details }
  }

  /** Why a plugin does not start here, whatever it is; code that was published comes from anybody. */
  function refusal(plugin: PluginSpec): Failure | undefined {
    const { isolation, isolator } = keeper.now()
    if (isolator.walls || isolation.option === 'none' || options.isolator !== undefined) return undefined
    const isPublished = 'distribution' in plugin && plugin.distribution.type !== 'local'
    if (isolation.option === 'auto' && !isPublished) return undefined
    // A host that others can reach requires isolation, whose operator may not have said so.
    const without = isPublished ? '' : ' With isolation "auto" it would start.'
    return failure('plug_unavailable', `${plugin.id} is not started: ${isolation.problem}.${without}`, {
      hint: isolation.hint,
    })
  }

  /** Tells once of each version of a published plugin that it starts without walls, where nobody asked for that. */
  function warnUnwalled({ id, version }: PluginSpec): void {
    const { isolation, isolator } = keeper.now()
    if (isolator.walls || isolation.option !== 'auto' || options.isolator !== undefined) return
    const told = JSON.stringify([id, version])
    if (unwalled.has(told)) return
    unwalled.add(told)
    const about = { plugin: id, version, event: 'plugin_without_walls' }
    log.warn(about, `${id} ${version} is started without isolation: ${isolation.problem}`)
  }

  /** Waits until the machine has said how it isolates plugins; returns the failure if the caller's time is up first. */
  function asked(wait: Wait, late: () => Failure): Promise<Failure | undefined> {
    const ready = keeper.ready().then(() => undefined)
    return waitShared(ready, late, wait, clock)
  }

  /** Does something with a plugin once its command is there; `late` says what came of one whose time was up before. */
  async function started<
    Input extends Wait & { readonly plugin: PluginSpec },
    Outcome extends { readonly ok: true } | Failure,
  >(
    input: Input,
    late: (input: Input) => Failure,
    work: (plugin: CommandSpec) => Promise<Outcome>,
  ): Promise<Outcome | Failure> {
    const { plugin } = input
    const refused = (!keeper.isReady() && (await asked(input, () => late(input)))) || refusal(plugin)
    if (refused) return refused
    if ('distribution' in plugin) warnUnwalled(plugin)
    const ready = await installs.commandOf(plugin, input)
    if (isFailure(ready) || !('distribution' in plugin)) return isFailure(ready) ? ready : work(ready)
    const filled = withValues(ready, plugin, limits)
    if (isFailure(filled)) return filled
    const outcome = await work(filled)
    return outcome.ok ? outcome : withoutValues(outcome, plugin.values)
  }
}

const timedOut = ({ tool, timeoutMs }: CallInput | JobInput) => timeoutProblem(tool, timeoutMs)

const unasked = ({ id }: PluginSpec) =>
  failure(
    'plug_unavailable',
    `${id} is not started yet: how this machine isolates plugins is not known yet.`,
    {
      retriable: true,
    },
  )

const isFailure = (ready: CommandSpec | Failure): ready is Failure => 'ok' in ready
