import type { Duplex, Readable } from 'node:stream'
import type { Limits } from '@svc/contract/limits'
import type { Line, LongLines } from '@svc/contract/lines'
import type { Cell } from '../isolation/bubblewrap.ts'
import { type Exit, INPUT, type Isolator, LIFELINE, OUTPUT, readExit } from '../isolation/isolators.ts'
import { readLines } from '../lines/reader.ts'
import { type FirstProcess, firstBehind, killFirst, outlives } from './first-process.ts'
import { killGroup, killTree } from './reap.ts'
import { notStarted, spawnChild } from './spawn-child.ts'

/** How to start one process. */
export interface ChildOptions {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly isolator: Isolator
  /** What it sees of the machine where its isolator has walls. */
  readonly cell?: Cell | undefined
  /** What `env.SVC_TREE` says. */
  readonly mark: string
  readonly limits: Limits
  readonly onLine: (line: Line) => void
  /** What is kept of a long line; all of it where left out. */
  readonly long?: LongLines | undefined
  readonly onStderr: (stderr: Readable) => void
  /** What it said last on stderr; nothing where left out. */
  readonly lastWords?: () => string
  /** It has closed its stdin, or is ending: nothing that is sent from now on is read. */
  readonly onDeaf: () => void
  /** A process of its namespace that was still there a moment after its end, though it was killed. */
  readonly onSurvivor?: (pid: number) => void
}

/** How a process ended; `problem` is a sentence where it is not its own exit that ended it. */
export interface Ending extends Exit {
  readonly problem?: string
  /** Whether it had not read all that it was sent when it ended, or closed its stdin. */
  readonly unread?: true
  /** What it said last on stderr, where it said anything. */
  readonly stderr?: string
}

/** One plugin process with everything it starts. */
export interface Child {
  /** Calls `listener` once there is a process: at once where there is one already, never where none comes. */
  onStart(listener: () => void): void
  /** The process that is started by the isolator; `undefined` where there is none. */
  readonly pid: number | undefined
  /** The first process of its namespace; nothing where it has none, or has not made it yet. */
  first(): FirstProcess | undefined
  /** Resolves once, when the whole tree is gone and the last line has come out. */
  readonly ended: Promise<Ending>
  /**
   * Queues a line, without its line feed; `onTaken` is called when the pipe has it all. Once the process is gone it
   * goes nowhere.
   */
  send(line: string, onTaken?: () => void): void
  /** Bytes that the pipe has not taken yet. */
  queued(): number
  /** Whether it can read what is sent: its stdin is open, and its end is not known. */
  isListening(): boolean
  /** Whether a line has begun that has not ended. */
  midLine(): boolean
  /** Stops reading stdout for so many moments, so that a flood costs the plugin and not the runner. */
  rest(times?: number): void
  /** Throws away what it has written and still writes. */
  ignore(): void
  /** Ends stdin; gives a well-behaved process `ms` to go, then kills the tree. */
  retire(ms: number): Promise<Ending>
  /** Kills the whole tree. Twice is harmless. */
  kill(): Promise<Ending>
}

/** Starts a process; never throws, a failed start comes as its ending. */
export function openChild(options: ChildOptions): Child {
  const { isolator, cell = noCell(options.cwd), mark, limits } = options
  let gone = false
  let deaf = false
  let unread = false
  let problem: string | undefined
  // `detached` makes it the leader of a session and group of its own.
  // Behind walls its folder may be one that only it sees.
  const cwd = isolator.walls ? '/' : options.cwd
  const words = () => [...isolator.before(cell, limits), options.program, ...options.args]
  const started = spawnChild(words, { cwd, env: options.env }, isolator.walls ? cell : undefined)
  if ('problem' in started) return noChild(started.problem)
  const { process: child } = started
  const { stderr, pid } = child
  const stdout = (isolator.walls ? child.stdio[OUTPUT] : child.stdout) as Readable
  const stdin = child.stdio[INPUT] as Duplex

  let known: FirstProcess | undefined
  const first = () => {
    if (isolator.endsAll && !gone && pid !== undefined) known ??= firstBehind(pid)
    return known
  }
  const { onLine, long } = options
  const lines = readLines(stdout, limits, { maxBytes: limits.LINE_MAX_BYTES, onLine, long })
  options.onStderr(stderr)
  const lifeline = isolator.walls ? [(child.stdio as readonly unknown[])[LIFELINE] as Duplex] : []
  for (const stream of [stdout, stderr, ...lifeline]) stream.on('error', () => {})
  // Who writes is there; so its namespace can be waited for, however soon it ends.
  for (const stream of [stdout, stderr]) stream.once('data', first)

  const end = () => {
    if (gone || pid === undefined) return
    cell.cgroup?.kill()
    if (!isolator.endsAll) return killTree(pid, mark)
    // It is known by who started it, which therefore goes last.
    const behind = first()
    if (behind) killFirst(behind)
    killGroup(pid)
  }
  const emptied = async () => {
    if (known && (await outlives(known, limits.CANCEL_KILL_MS))) options.onSurvivor?.(known.pid)
  }
  // What was left unread, or could not be written any more.
  stdin.on('error', () => {
    unread = true
    // Where it is ending, the exit that follows says more.
    setTimeout(() => {
      if (gone) return
      problem = 'it closed its stdin'
      end()
    }, limits.DRAIN_MS)
  })
  stdin.once('close', () => {
    deaf = true
    options.onDeaf()
  })
  // Nothing is expected there but its end; who writes there writes to nobody.
  stdin.once('data', () => stdin.pause())

  const ended = new Promise<Ending>((resolve) => {
    const finish = (ending: Ending) => {
      for (const stream of [stdin, stdout, stderr, ...lifeline]) stream.destroy()
      const said = options.lastWords?.()
      resolve({
        ...ending,
        ...(problem && { problem }),
        ...(unread && { unread }),
        ...(said && { stderr: said }),
      })
    }
    child.once('error', (error) => {
      if (pid !== undefined) return
      problem = `it could not be started: ${error.message}`
      lines.end(() => finish({ exitCode: null, signal: null }))
    })
    child.once('exit', (exitCode, signal) => {
      // The processes that it left behind are ended too, which closes the pipes; on Windows nobody knows them any more.
      if (!isolator.endsAll && pid !== undefined && process.platform !== 'win32') killTree(pid, mark)
      gone = true
      // What it wrote, and whether it had read all: `close` would wait for ever where a stranger holds a pipe.
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, limits.DRAIN_MS)
      })
      const written = new Promise<void>((resolve) => lines.drain(resolve))
      const drained = Promise.race([Promise.all([written, closed(stdin), closed(stderr)]), late])
      void Promise.all([drained, emptied()]).then(() => {
        clearTimeout(timer)
        lines.end(() => finish(readExit(isolator, { exitCode, signal })))
      })
    })
  })

  return {
    onStart(listener) {
      if (pid !== undefined) listener()
    },
    pid,
    first,
    ended,
    send(line, onTaken) {
      if (stdin.writable) stdin.write(`${line}\n`, onTaken)
      else unread = true
    },
    queued: () => stdin.writableLength,
    isListening: () => !gone && !deaf && stdin.writable,
    midLine: lines.midLine,
    rest: lines.rest,
    ignore: lines.ignore,
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

/** Starts a process; what throws meanwhile comes as its ending. */
export function childOf(start: () => Child): Child {
  try {
    return start()
  } catch (error) {
    return noChild(notStarted(error))
  }
}

/** A process that never was, for the reason told. */
export function noChild(problem: string): Child {
  const ended = Promise.resolve<Ending>({ exitCode: null, signal: null, problem })
  const end = () => ended
  return {
    onStart() {},
    pid: undefined,
    first: () => undefined,
    ended,
    send() {},
    queued: () => 0,
    isListening: () => false,
    midLine: () => false,
    rest() {},
    ignore() {},
    retire: end,
    kill: end,
  }
}

const closed = (stream: Duplex | Readable): Promise<void> =>
  new Promise((resolve) => {
    if (stream.closed) resolve()
    else stream.once('close', () => resolve())
  })

/** Where nothing is said of a view there is none: of the runner's own tools, which have no walls. */
const noCell = (cwd: string): Cell => ({
  view: { readable: [], writable: [] },
  reached: [],
  folder: cwd,
  cache: undefined,
  etc: undefined,
  filter: undefined,
  cwd,
  installed: [],
  hidden: [],
})
