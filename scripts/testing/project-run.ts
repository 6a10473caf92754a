import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { promisify } from 'node:util'

/** A server that builds an app first, on a busy machine. */
const READY_MS = 60_000

/** A command of a project that goes on until it is stopped. */
export interface Running {
  /** What the wanted line of its output had in its first group. */
  readonly found: string
  /** Ends it with all that it started. */
  stop(): Promise<void>
}

/** Where and with which environment commands of a project run. */
export interface ProjectPlace {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

/** Runs npm in a project to its end; a failure has all that it printed. Returns its stdout. */
export async function runNpm(place: ProjectPlace, ...args: readonly string[]): Promise<string> {
  const run = promisify(execFile)('npm', args, place)
  const { stdout } = await run.catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
    throw new Error(`npm ${args.join(' ')} failed in ${place.cwd}:\n${stdout}\n${stderr}`)
  })
  return stdout
}

/** Runs a script of a project to its end. Returns its stdout. */
export const runScript = (place: ProjectPlace, ...script: readonly string[]): Promise<string> =>
  runNpm(place, 'run', '--silent', ...script)

/** Starts a command of npm that goes on, and waits for what its output has when it is ready. */
export async function startNpm(place: ProjectPlace, wanted: RegExp, ...args: string[]): Promise<Running> {
  const child = spawn('npm', args, { ...place, detached: true })
  const closed = once(child, 'close')
  let out = ''
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      out += chunk
      const [, found] = wanted.exec(out) ?? []
      if (found !== undefined) resolve(found)
    })
  child.once('close', () => reject(new Error(`npm ${args.join(' ')} ended before it was ready:\n${out}`)))
  async function stop(): Promise<void> {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), 'SIGTERM')
    await closed
  }
  const timer = setTimeout(() => reject(new Error(`npm ${args.join(' ')} is not ready:\n${out}`)), READY_MS)
  const found = await promise
    .catch(async (error: unknown) => {
      await stop()
      throw error
    })
    .finally(() => clearTimeout(timer))
  return { found, stop }
}

/** Returns a port of loopback that is free now. */
export async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  server.close()
  await once(server, 'close')
  return String(port)
}
