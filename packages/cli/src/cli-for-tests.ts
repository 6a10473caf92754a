import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

const main = path.join(import.meta.dirname, 'main.ts')

/** How a command ended. */
export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Starts svc as a process of its own; `sees` waits for a text on stdout. */
export function startSvc(
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
) {
  const { SVC_COOKIE: _cookie, SVC_RUNNER_TOKEN: _token, ...outer } = process.env
  const child = spawn(process.execPath, [main, ...args], {
    cwd: options.cwd,
    env: { ...outer, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  const hearers = new Set<() => void>()
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  child.stdout.on('data', (chunk) => {
    out += chunk
    for (const hear of hearers) hear()
  })
  const ended: Promise<Ended> = once(child, 'close').then(([code]) => ({
    code: code as number | null,
    out,
    err,
  }))
  return {
    child,
    ended,
    async sees(text: string): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const look = () => out.includes(text) && resolve()
      hearers.add(look)
      look()
      void ended.then(() =>
        reject(new Error(`svc ended before it said ${JSON.stringify(text)}: ${out}${err}`)),
      )
      await promise.finally(() => hearers.delete(look))
    },
  }
}

/** Runs svc to its end. */
export const runSvc = (...given: Parameters<typeof startSvc>): Promise<Ended> => startSvc(...given).ended
