import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from './free-port.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

/** How to start a Redis of one's own. */
export interface RedisServerOptions {
  /** Lines of its configuration, such as `['--maxmemory', '8mb']`. */
  readonly args?: readonly string[]
  /** Writes each change to its disk before it is acknowledged; left out: a restart is empty. */
  readonly isDurable?: boolean
}

/** A Redis of a test, on a free port and in a folder of its own. */
export interface RedisServer extends ServerProcess {
  readonly url: string
  readonly port: number
  /** Ends it and removes its folder. */
  close(): Promise<void>
}

/** Starts a Redis. */
export async function startRedisServer({
  args = [],
  isDurable = false,
}: RedisServerOptions = {}): Promise<RedisServer> {
  const port = await freePort()
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-redis-'))
  const kept = isDurable ? ['--appendonly', 'yes', '--appendfsync', 'always'] : ['--appendonly', 'no']
  const place = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', dir]
  const server = await startServerProcess({
    file: 'redis-server',
    args: [...place, '--save', '', ...kept, ...args],
    ready: 'Ready to accept connections',
    stopSignal: 'SIGTERM',
  })
  return Object.assign(server, {
    url: `redis://127.0.0.1:${port}`,
    port,
    async close() {
      await server.kill()
      rmSync(dir, { recursive: true, force: true })
    },
  })
}
