import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/** What a server process says of itself. */
export interface ProcessFigures {
  /** CPU time so far, user and system, in µs. */
  readonly cpuUs: number
  /** Heap and what is beside it, after a collection where that was asked for. */
  readonly heapBytes: number
  readonly rssBytes: number
  /** The longest that its main thread kept others waiting since the last question, once it is watched. */
  readonly longestTurnMs: number
}

/** When figures are taken: at once, after a collection, or at once and from now on with the longest turn. */
export type When = 'now' | 'rest' | 'watch'

/** A server in a process of its own. */
export interface Server {
  readonly name: string
  readonly port: number
  readonly ready: Readonly<Record<string, string>>
  figures(when?: When): Promise<ProcessFigures>
  close(): Promise<void>
}

/** Starts `file` with `args`. It says that it listens with `{ port, … }`, and answers questions as `answerFigures` does. */
export async function startServer(name: string, file: string, ...args: string[]): Promise<Server> {
  const child: ChildProcess = fork(new URL(file, import.meta.url), args, { execArgv: ['--expose-gc'] })
  child.once('exit', (code) => {
    if (code) throw new Error(`${file} ended with ${code}`)
  })
  const [ready] = (await once(child, 'message')) as [Record<string, string>]
  return {
    name,
    port: Number(ready.port),
    ready,
    async figures(when = 'now') {
      child.send(when)
      const [figures] = (await once(child, 'message')) as [ProcessFigures]
      return figures
    },
    async close() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}
