import { randomBytes } from 'node:crypto'
import { limits as defaults, type Limits } from '@svc/contract/limits'
import { call } from './call.ts'
import { type Clock, systemClock } from './clock.ts'
import { openCrew } from './crew.ts'
import { describe } from './describe.ts'
import { bestFence, type FenceName, fences } from './fence.ts'
import { openFolders } from './folders.ts'
import type { Wait } from './install/installs.ts'
import { type InstallOptions, installsOf } from './install/installs-of.ts'
import { job } from './job.ts'
import type { CommandSpec, Failure, PluginSpec, Runner } from './link.ts'
import { type Log, silentLog } from './log.ts'
import { openPool } from './pool.ts'
import { openUndertaker } from './undertaker.ts'
import { openWorker, type WorkerOptions } from './worker.ts'

/** Every key is optional. */
export interface RunnerOptions extends InstallOptions {
  /** The clock of deadlines and idle times; killing always keeps real time. */
  readonly clock?: Clock
  readonly limits?: Partial<Limits>
  readonly log?: Log
  /** Where the folders of the processes are made; the system's temporary folder where left out. */
  readonly workDir?: string
  /** How trees are kept together; the best one that the machine allows where left out. */
  readonly fence?: FenceName
}

/** The runner of this process. */
export interface LocalRunner extends Runner {
  /** Resolves when the processes whose calls and jobs were given up are gone. */
  departed(): Promise<void>
}

/** Makes the runner of this process: it starts plugins on this machine, keeps them warm and ends them. */
export function createRunner(options: RunnerOptions = {}): LocalRunner {
  const { clock = systemClock, log = silentLog } = options
  const limits: Limits = { ...defaults, ...options.limits }
  const folders = openFolders(options.workDir)
  const fence = fences[options.fence ?? bestFence(limits.FENCE_PROBE_MS)]
  const mark = randomBytes(16).toString('hex')
  const undertaker = openUndertaker(mark)
  let noise = 0
  let marks = 0
  const onNoise = () => void noise++
  const floor = { fence, folders, limits, log, clock, newMark: () => `${mark}-${++marks}`, onNoise }
  const onStart = () => {
    if (!fence.sealed) undertaker.start()
  }
  const open = (plugin: CommandSpec, options: WorkerOptions) => {
    onStart()
    return openWorker(plugin, floor, options)
  }
  const pool = openPool({
    ...{ clock, limits },
    open: (plugin, cacheKey) => open(plugin, { cacheKey }),
    onForget: (key) => void folders.dropCache(key),
  })
  const crew = openCrew((plugin, keepBytes) => open(plugin, { keepBytes }))
  const desk = { clock, limits, pool }
  const installs = installsOf(options, { ...floor, onStart })
  const waiting = (
    forMs: number,
    { deadlineMs = clock.now() + forMs, signal }: NonNullable<Parameters<Runner['install']>[1]>,
  ): Wait => ({ deadlineMs, signal })

  return {
    async install(plugin, wait = {}) {
      const ready = await installs.commandOf(plugin, waiting(limits.INSTALL_TIMEOUT_MS, wait))
      return isFailure(ready) ? ready : { ok: true }
    },
    call: (input) => started(input, (plugin) => call({ ...input, plugin }, desk)),
    job: (input) => started(input, (plugin) => job({ ...input, plugin }, { clock, limits, crew })),
    describe(plugin, question = {}) {
      const wait = waiting(limits.DESCRIBE_TIMEOUT_MS, question)
      return started({ plugin, ...wait }, (ready) =>
        describe(ready, { ...wait, userId: question.userId }, desk),
      )
    },
    stats() {
      const calls = pool.stats()
      const jobs = crew.stats()
      return {
        processes: calls.processes + jobs.processes,
        busy: calls.busy + jobs.busy,
        waiting: calls.waiting,
        noise,
      }
    },
    async departed() {
      await Promise.all([pool.departed(), crew.departed()])
    },
    async close() {
      await Promise.all([installs.close(), pool.close(), crew.close()])
      undertaker.close()
      await folders.close()
    },
  }

  /** Does something with a plugin once its command is there. */
  function started<Outcome>(
    { plugin, ...wait }: Wait & { readonly plugin: PluginSpec },
    work: (plugin: CommandSpec) => Promise<Outcome>,
  ): Promise<Outcome | Failure> {
    const ready = installs.commandOf(plugin, wait)
    if (!(ready instanceof Promise)) return work(ready)
    return ready.then(async (command) => (isFailure(command) ? command : work(command)))
  }
}

const isFailure = (ready: CommandSpec | Failure): ready is Failure => 'ok' in ready
