import type { Limits } from '@svc/contract/limits'
import { lineSplitter } from '@svc/contract/lines'
import type { Plugin } from '@svc/plugin'
import { answerer } from '@svc/plugin/testing'
import type { Child, Ending, Talk } from '@svc/runner/testing'
import type { Activity } from '../time/activity.ts'
import type { Clocks } from '../time/test-clock.ts'

/** What the plugins of a test host work with. */
export interface PluginParts {
  readonly clocks: Clocks
  readonly activity: Activity
  readonly limits: Limits
  /** Takes what a tool logs, and what it failed of. */
  readonly onLog: (...what: readonly unknown[]) => void
}

/** The talk that a plugin answers to, and who else hears of it. */
export interface PluginEnds {
  readonly talk: Talk
  /** How much of a line is held. */
  readonly keepBytes: number
  /** A call of it was given up. */
  readonly onCancel: () => void
}

/**
 * Starts a plugin in this process: it answers the lines that a process of it would read, as `serve` answers them, and
 * is ended as a process is. A tool that does not stop when its process is killed goes on, and nobody hears of it.
 */
export function startPluginChild(
  plugin: Plugin,
  { clocks, activity, limits, onLog }: PluginParts,
  { talk, keepBytes, onCancel }: PluginEnds,
): Child {
  const { promise: ended, resolve } = Promise.withResolvers<Ending>()
  let isGone = false
  let isIgnored = false

  const lines = lineSplitter(limits.LINE_MAX_BYTES, talk.onLine, {
    keepBytes,
    onPiece: talk.onPiece,
    onEnd: talk.onEnd,
  })
  const write = (line: string) => {
    activity.touch()
    if (!isGone && !isIgnored) lines.push(Buffer.from(`${line}\n`))
  }
  const answers = answerer(plugin, {
    write,
    tell(line) {
      write(line)
      return true
    },
    log: onLog,
    clock: clocks.host,
  })

  function end(ending: Ending): Promise<Ending> {
    isGone = true
    activity.touch()
    resolve(ending)
    return ended
  }

  return {
    onStart: (listener) => listener(),
    pid: undefined,
    first: () => undefined,
    ended,
    send(line, onTaken) {
      if (isGone) return
      activity.touch()
      if (isCancel(line)) onCancel()
      // A process reads later than it is written to.
      queueMicrotask(() => {
        if (!isGone) answers.take(line)
        onTaken?.()
      })
    },
    queued: () => 0,
    isListening: () => !isGone,
    midLine: () => false,
    rest() {},
    ignore() {
      isIgnored = true
    },
    async retire(ms) {
      answers.cutOff()
      const stop = clocks.host.setTimer(() => end(KILLED), ms)
      await Promise.race([answers.settled(), ended])
      stop()
      return end({ exitCode: 0, signal: null })
    },
    kill: () => end(KILLED),
  }
}

const isCancel = (line: string) => (JSON.parse(line) as { method?: unknown }).method === 'cancel'

/** How a process ends that is killed. */
const KILLED: Ending = { exitCode: null, signal: 'SIGKILL' }
