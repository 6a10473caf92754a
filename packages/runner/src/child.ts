import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { Limits } from '@svc/contract/limits'
import type { Line, LongLines } from '@svc/contract/lines'
import { type Exit, type Fence, readExit } from './fence.ts'
import { readLines } from './reader.ts'
import { killGroup, killTree } from './reap.ts'

/** How to start one process. */
export interface ChildOptions {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly fence: Fence
  /** What `env.SVC_TREE` says. */
  readonly mark: string
  readonly limits: Limits
  readonly onLine: (line: Line) => void
  /** What is kept of a long line; all of it where left out. */
  readonly long?: LongLines | undefined
  readonly onStderr: (stderr: Readable) => void
}

/** How a process ended; `problem` is a sentence where it is not its own exit that ended it. */
export interface Ending extends Exit {
  readonly problem?: string
}

/** One plugin process with everything it starts. */
export interface Child {
  /** Whether there is a process at all. */
  readonly isStarted: boolean
  /** Resolves once, when the whole tree is gone and the last line has come out. */
  readonly ended: Promise<Ending>
  /**
   * Queues a line, without its line feed; `onTaken` is called when the pipe has it all. Once the process is gone it
   * goes nowhere.
   */
  send(line: string, onTaken?: () => void): void
  /** Bytes that the process has not taken yet. */
  unread(): number
  /** Whether a line has begun that has not ended. */
  midLine(): boolean
  /** Stops reading stdout for so many moments, so that a flood costs the plugin and not the runner. */
  rest(times?: number): void
  /** Ends stdin; gives a well-behaved process `ms` to go, then kills the tree. */
  retire(ms: number): Promise<Ending>
  /** Kills the whole tree. Twice is harmless. */
  kill(): Promise<Ending>
}

/** Starts a process; never throws, a failed start comes as its ending. */
export function openChild(options: ChildOptions): Child {
  const { fence, mark, limits } = options
  let gone = false
  let problem: string | undefined
  const [file = options.program, ...args] = [...fence.before, options.program, ...options.args]
  // `detached` makes it the leader of a session and group of its own.
  const started = start(file, args, { cwd: options.cwd, env: options.env })
  if ('problem' in started) return noChild(started.problem)
  const { process: child } = started
  const { stdin, stdout, stderr, pid } = child

  const { onLine, long } = options
  const lines = readLines(stdout, limits, { maxBytes: limits.LINE_MAX_BYTES, onLine, long })
  options.onStderr(stderr)
  for (const stream of [stdout, stderr]) stream.on('error', () => {})

  const end = () => {
    if (gone || pid === undefined) return
    if (fence.sealed) killGroup(pid)
    else killTree(pid, mark)
  }
  stdin.on('error', () => {
    // It closed its stdin, or it is ending: in that case the exit that follows says more.
    setTimeout(() => {
      if (gone) return
      problem = 'it closed its stdin'
      end()
    }, limits.DRAIN_MS)
  })

  const ended = new Promise<Ending>((resolve) => {
    const finish = (ending: Ending) => {
      lines.end()
      for (const stream of [stdin, stdout, stderr]) stream.destroy()
      resolve(problem ? { ...ending, problem } : ending)
    }
    child.once('error', (error) => {
      if (pid !== undefined) return
      problem = `it could not be started: ${error.message}`
      finish({ exitCode: null, signal: null })
    })
    child.once('exit', (exitCode, signal) => {
      // What it left behind goes too, and lets go of the pipes.
      if (!fence.sealed && pid !== undefined) killTree(pid, mark)
      gone = true
      // `close` would wait for ever where a stranger holds the pipe.
      const done = () => {
        clearTimeout(timer)
        finish(readExit(fence, { exitCode, signal }))
      }
      const timer = setTimeout(done, limits.DRAIN_MS)
      lines.drain()
      if (stdout.readableEnded) done()
      else stdout.once('end', done)
    })
  })

  return {
    isStarted: pid !== undefined,
    ended,
    send(line, onTaken) {
      if (stdin.writable) stdin.write(`${line}\n`, onTaken)
    },
    unread: () => stdin.writableLength,
    midLine: lines.midLine,
    rest: lines.rest,
    async retire(ms) {
      if (stdin.writable) stdin.end()
      const timer = setTimeout(end, ms)
      try {
        return await ended
      } finally {
        clearTimeout(timer)
      }
    },
    kill() {
      end()
      return ended
    },
  }
}

/** A process that never was, for the reason told. */
export function noChild(problem: string): Child {
  const ended = Promise.resolve<Ending>({ exitCode: null, signal: null, problem })
  const end = () => ended
  return {
    ...{ isStarted: false, ended, send() {}, unread: () => 0, midLine: () => false, rest() {} },
    ...{ retire: end, kill: end },
  }
}

type Process = ChildProcessByStdio<Writable, Readable, Readable>

/** `spawn` reports most failures as an event and some (a NUL in an argument, too long a list) as an exception. */
function start(
  file: string,
  args: readonly string[],
  where: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): { process: Process } | { problem: string } {
  try {
    return { process: spawn(file, args, { ...where, detached: true, stdio: ['pipe', 'pipe', 'pipe'] }) }
  } catch (error) {
    return { problem: `it could not be started: ${error instanceof Error ? error.message : String(error)}` }
  }
}
