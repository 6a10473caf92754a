import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { leftOf } from './processes.ts'

/** How to start a server that stays in the foreground. */
export interface ServerCommand {
  readonly file: string
  readonly args: readonly string[]
  /** What it prints once it takes connections. */
  readonly ready: string
  /** Stops it without waiting for clients. */
  readonly stopSignal: NodeJS.Signals
  /** The user it runs as; left out: the one of this process. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined
}

/** A server of a test, on one port for all its lives. All promises settle when the server has done it. */
export interface ServerProcess {
  /** The pid of its first process. */
  readonly pid: number
  /** Ends it as an operator would. */
  stop(): Promise<void>
  /** Kills it with all of its processes. */
  kill(): Promise<void>
  /** Stops all of its processes (SIGSTOP), until `resume`; resolves when they stand still. */
  pause(): Promise<void>
  resume(): void
  /** Starts it again; it must have ended. */
  start(): Promise<void>
}

const LOG_MAX_CHARS = 10_000
const GONE_MS = 10_000

/** Starts a server, which ends with this process at the latest. */
export async function startServerProcess(command: ServerCommand): Promise<ServerProcess> {
  let child = await launch(command)
  const family = () => [child.pid as number, ...childrenOf(child.pid as number)]
  const end = async (pids: readonly number[]) => {
    const left = await leftOf(() => pids.filter(isAlive), GONE_MS)
    if (left.length > 0) throw new Error(`${command.file} did not end: ${left.join(', ')}`)
  }
  const signal = (name: NodeJS.Signals) => {
    for (const pid of family()) send(pid, name)
  }
  return {
    get pid() {
      return child.pid as number
    },
    async stop() {
      const pids = family()
      signal('SIGCONT')
      send(child.pid as number, command.stopSignal)
      await end(pids)
    },
    async kill() {
      // Stopped, it starts none that would not be seen here.
      send(child.pid as number, 'SIGSTOP')
      const pids = family()
      for (const pid of pids) send(pid, 'SIGKILL')
      await end(pids)
    },
    async pause() {
      send(child.pid as number, 'SIGSTOP')
      signal('SIGSTOP')
      const left = await leftOf(() => family().filter(isRunning), GONE_MS)
      if (left.length > 0) throw new Error(`${command.file} did not stop: ${left.join(', ')}`)
    },
    resume: () => signal('SIGCONT'),
    async start() {
      child = await launch(command)
    },
  }
}

/** Starts it and waits until it is ready. */
async function launch({ file, args, ready, user }: ServerCommand): Promise<ChildProcess> {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], ...user })
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  let log = ''
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code} before it was ready:\n${log}`)))
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        log = (log + text).slice(-LOG_MAX_CHARS)
        if (log.includes(ready)) resolve()
      })
  })
  return child
}

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

const childrenOf = (pid: number): number[] =>
  read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)

const isAlive = (pid: number): boolean => /^State:\s+[^ZX]/m.test(read(`/proc/${pid}/status`))

const isRunning = (pid: number): boolean => /^State:\s+[^ZXT]/m.test(read(`/proc/${pid}/status`))

/** Signals a process that may have ended. */
function send(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has.
  }
}
