import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from './free-port.ts'
import { serverUser } from './postgres-server.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

/** How to start a PgBouncer of one's own. */
export interface PgBouncerOptions {
  /** The port of the PostgreSQL behind it. */
  readonly postgresPort: number
  /** Lines of its configuration, such as `{ default_pool_size: '4' }`. */
  readonly settings?: Readonly<Record<string, string>>
}

/** A PgBouncer of a test, which gives a connection for one transaction. */
export interface PgBouncerServer extends ServerProcess {
  /** As the superuser `postgres`, to the database `postgres` behind it. */
  readonly url: string
  readonly port: number
  /** Ends it and removes its folder. */
  close(): Promise<void>
}

const DEBIAN = '/usr/sbin/pgbouncer'

/** Starts a PgBouncer in the mode `transaction`. */
export async function startPgBouncer({
  postgresPort,
  settings = {},
}: PgBouncerOptions): Promise<PgBouncerServer> {
  const port = await freePort()
  const user = serverUser()
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-pgbouncer-'))
  const file = path.join(dir, 'pgbouncer.ini')
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: `${port}`,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: 'transaction',
    max_client_conn: '1000',
    default_pool_size: '20',
    ...settings,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`)
  const behind = `* = host=127.0.0.1 port=${postgresPort} user=postgres`
  writeFileSync(file, ['[databases]', behind, '[pgbouncer]', ...lines, ''].join('\n'))
  if (user) for (const each of [dir, file]) chownSync(each, user.uid, user.gid)
  const server = await startServerProcess({
    file: existsSync(DEBIAN) ? DEBIAN : 'pgbouncer',
    args: [file],
    ready: 'process up:',
    stopSignal: 'SIGINT',
    user,
  })
  return Object.assign(server, {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    port,
    async close() {
      await server.kill()
      rmSync(dir, { recursive: true, force: true })
    },
  })
}
