import { tmpdir } from 'node:os'
import type { Limits } from '@svc/contract/limits'
import { type Clock, openAlarm } from '@svc/node'
import type { LocalRunner } from '../calls/local-runner.ts'
import { openCalls } from '../calls/open-calls.ts'
import { openTalk, type Talk } from '../calls/talk.ts'
import type { Worker, WorkerOptions } from '../calls/worker.ts'
import { silentLog } from '../port/log.ts'
import { type CommandSpec, describeMs, failure, type PluginSpec } from '../port/runner.ts'
import type { Child } from '../processes/child.ts'

/** What a runner without processes works with. */
export interface InProcessParts {
  /** The clock of everything, the time until a kill included. */
  readonly clock: Clock
  readonly limits: Limits
  /** Starts a plugin in this process, which writes its lines to the talk. */
  readonly start: (plugin: CommandSpec, talk: Talk, keepBytes: number) => Child
}

/**
 * Makes a runner whose plugins run in this process, for tests: calls, jobs, the pool and the judgement of what plugins
 * answer are those of `createRunner`.
 */
export function createInProcessRunner({ clock, limits, start }: InProcessParts): LocalRunner {
  let noise = 0
  const open = (
    plugin: CommandSpec,
    { keepBytes = limits.LINE_MAX_BYTES, onToolsChanged }: Omit<WorkerOptions, 'userId'>,
  ) => openWorker(plugin, keepBytes, onToolsChanged)
  const calls = openCalls({ clock, limits, log: silentLog, open, onForget() {} })

  function openWorker(
    plugin: CommandSpec,
    keepBytes: number,
    onToolsChanged: WorkerOptions['onToolsChanged'],
  ): Worker {
    const heard = { onToolsChanged, onNoise: () => void noise++, soon: () => {} }
    const talk = openTalk({ plugin: 'notes', limits, ...heard })
    const child = start(plugin, talk, keepBytes)
    talk.bind(child)
    const alarm = openAlarm(clock)
    const ended = child.ended.finally(alarm.close)
    return {
      onStart: child.onStart,
      talk,
      alarm,
      // What a plugin finds under TMPDIR, in which files lie that it uploads by their path.
      folder: tmpdir(),
      ended,
      async endedWithin(ms) {
        const late = Promise.withResolvers<void>()
        const stop = clock.setTimer(late.resolve, ms)
        await Promise.race([ended, late.promise])
        stop()
      },
      lastWords: () => '',
      isUsable: () => talk.usable && !child.midLine() && child.isListening(),
      explain: (outcome) => outcome,
      assign() {},
      kill: child.kill,
      retire: () => child.retire(limits.CANCEL_KILL_MS),
    }
  }

  return {
    install: async (plugin) => (isCommand(plugin) ? { ok: true } : notHere(plugin)),
    call: async (input) => {
      const { plugin } = input
      return isCommand(plugin) ? calls.call({ ...input, plugin }) : notHere(plugin)
    },
    job: async (input) => {
      const { plugin } = input
      return isCommand(plugin) ? calls.job({ ...input, plugin }) : notHere(plugin)
    },
    async describe(plugin, { deadlineMs = clock.now() + describeMs(plugin, limits), ...rest } = {}) {
      return isCommand(plugin) ? calls.describe(plugin, { deadlineMs, once: true, ...rest }) : notHere(plugin)
    },
    endSessions: calls.endSessions,
    onToolsChanged: calls.onToolsChanged,
    stats: () => ({ ...calls.stats(), noise }),
    departed: calls.departed,
    close: calls.close,
  }
}

const isCommand = (plugin: PluginSpec): plugin is CommandSpec => 'command' in plugin

const notHere = ({ id }: PluginSpec) =>
  failure('plug_unavailable', `${id} is not started: a runner without processes installs nothing.`)
