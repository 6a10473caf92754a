import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '../free-port.ts'
import type { ClusterHostOptions } from './cluster-host.ts'

/** One place of a host: who is killed there is followed by another. */
export interface HostPlace {
  readonly port: number
  /** Whether a host answers there. */
  readonly isUp: boolean
  /** Kills it with SIGKILL; resolves when it is dead. */
  kill(): Promise<void>
  /** Tells it to end; resolves with its exit code. */
  stop(): Promise<number | null>
  /** Starts the next; resolves when it answers. */
  start(): Promise<void>
}

/** What all places have in common, and where the peers of each listen. */
export interface SomeHostsOptions extends Pick<ClusterHostOptions, 'postgres' | 'redis' | 'starts'> {
  readonly peersOf?: (at: number) => Promise<ClusterHostOptions['peers']>
}

/** Starts hosts that share their state, each in a process of its own. */
export async function startHosts(
  count: number,
  { peersOf, ...common }: SomeHostsOptions,
): Promise<readonly HostPlace[]> {
  const places: HostPlace[] = []
  for (let at = 0; at < count; at++)
    places.push(await openPlace({ ...common, port: await freePort(), ...(await peersFor(at)) }))
  return places

  async function peersFor(at: number) {
    const peers = await peersOf?.(at)
    return peers && { peers }
  }
}

async function openPlace(options: ClusterHostOptions): Promise<HostPlace> {
  let child = await launch(options)
  let isUp = true
  const end = async (signal: NodeJS.Signals) => {
    isUp = false
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    child.kill(signal)
    const [code] = (await once(child, 'exit')) as [number | null]
    return code
  }
  return {
    port: options.port,
    get isUp() {
      return isUp
    },
    async kill() {
      await end('SIGKILL')
    },
    stop: () => end('SIGTERM'),
    async start() {
      child = await launch(options)
      isUp = true
    },
  }
}

async function launch(options: ClusterHostOptions): Promise<ChildProcess> {
  const script = path.join(import.meta.dirname, 'cluster-host.ts')
  const child = spawn(process.execPath, [script, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`a host ended with ${code} before it was ready`)
  })
  const ready = once(createInterface({ input: child.stdout as NonNullable<ChildProcess['stdout']> }), 'line')
  await Promise.race([ready, ended])
  ended.catch(() => {})
  return child
}
