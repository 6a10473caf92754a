import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { countsInstructions, countWhile } from './instructions.ts'
import type { Measured } from './pairs.ts'
import { profileProcess } from './profile.ts'

/** A server in a process of its own, so that its CPU time is its own. */
export interface ServerProcess {
  readonly port: number
  /** What the process said of itself when it was ready. */
  readonly ready: Readonly<Record<string, string>>
  /** CPU time of the process so far, user and system, in µs. */
  cpu(): Promise<number>
  /** Resident memory of the process, in bytes. */
  rss(): Promise<number>
  /** Keeps it on one core, where the machine has `taskset`; whether it has. */
  pin(core: number): boolean
  /** CPU time of the process while `work` runs, in µs, and its instructions, each divided by the `units` of the work. */
  spent(units: number, work: () => Promise<unknown>): Promise<Measured>
  close(): Promise<void>
}

/** Starts `file` with `args`; it sends `{port, …}` when it listens and answers `figures` and `end` (see `serveFigures`). */
export function startServer(file: URL, ...args: string[]): Promise<ServerProcess> {
  const child = fork(file, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const figures = () =>
    new Promise<Figures>((resolve) => {
      child.once('message', (message) => resolve(message as Figures))
      child.send('figures')
    })
  const cpu = async () => (await figures()).cpu
  const isCounted = countsInstructions()
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${file.pathname} ${args.join(' ')} ended with ${code}`)))
    child.once('message', (message) => {
      const ready = message as { port: number } & Record<string, string>
      resolve({
        port: ready.port,
        ready,
        cpu,
        rss: async () => (await figures()).rss,
        pin: (core) => spawnSync('taskset', ['-acp', String(core), String(child.pid)]).status === 0,
        async spent(units, work) {
          const begin = await cpu()
          const instructions = isCounted ? await countWhile(child.pid as number, work) : await done(work)
          return {
            figure: ((await cpu()) - begin) / units,
            instructions: instructions === null ? null : instructions / units,
          }
        },
        close: () => close(child),
      })
    })
  })
}

/** A server that has not ended by itself by then is killed: it may still write a profile. */
const END_MAX_MS = 30_000

function close(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((closed) => {
    const late = setTimeout(() => child.kill('SIGKILL'), END_MAX_MS)
    child.removeAllListeners('exit').once('exit', () => {
      clearTimeout(late)
      closed()
    })
    if (child.connected) child.send('end')
    else child.kill()
  })
}

interface Figures {
  readonly cpu: number
  readonly rss: number
}

async function done(work: () => Promise<unknown>): Promise<null> {
  await work()
  return null
}

/** In the server process: says that it listens, answers the question for its figures, and ends when it is told to. */
export function serveFigures(ready: { readonly port: number } & Record<string, string | number>): void {
  const profiled = profileProcess((process.argv[1] ?? '').split('/').slice(-2).join(' '))
  process.on('message', async (message) => {
    if (message === 'end') {
      await (await profiled)()
      process.kill(process.pid)
      return
    }
    const { user, system } = process.cpuUsage()
    process.send?.({ cpu: user + system, rss: process.memoryUsage.rss() } satisfies Figures)
  })
  void profiled.then(() => process.send?.(ready))
}
