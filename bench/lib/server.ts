import { fork } from 'node:child_process'

/** A server in a process of its own, so that its CPU time is its own. */
export interface ServerProcess {
  readonly port: number
  /** What the process said of itself when it was ready. */
  readonly ready: Readonly<Record<string, string>>
  /** CPU time of the process so far, user and system, in µs. */
  cpu(): Promise<number>
  close(): Promise<void>
}

/** Starts `file` with `args`; it sends `{port, …}` when it listens and answers `cpu` (see `serveFigures`). */
export function startServer(file: URL, ...args: string[]): Promise<ServerProcess> {
  const child = fork(file, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ask = () =>
    new Promise<number>((resolve) => {
      child.once('message', (message) => resolve((message as { cpu: number }).cpu))
      child.send('cpu')
    })
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${file.pathname} ${args.join(' ')} ended with ${code}`)))
    child.once('message', (message) => {
      const ready = message as { port: number } & Record<string, string>
      resolve({
        port: ready.port,
        ready,
        cpu: ask,
        close: () =>
          new Promise((done) => {
            child.removeAllListeners('exit').once('exit', () => done())
            child.kill()
          }),
      })
    })
  })
}

/** In the server process: says that it listens, and answers the question for its CPU time. */
export function serveFigures(ready: { readonly port: number } & Record<string, string | number>): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.({ cpu: user + system })
  })
  process.send?.(ready)
}
