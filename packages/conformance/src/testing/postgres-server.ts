import { execFile } from 'node:child_process'
import { chownSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

/** How to start a PostgreSQL of one's own. */
export interface PostgresServerOptions {
  /** Settings, such as `{ max_connections: '20' }`. */
  readonly settings?: Readonly<Record<string, string>>
  /** Writes to the disk before it acknowledges; left out: it survives a kill, but no power cut. */
  readonly isDurable?: boolean
}

/** A PostgreSQL of a test, on a free port and in a folder of its own. */
export interface PostgresServer extends ServerProcess {
  /** As its superuser `postgres`, to its database `postgres`. */
  readonly url: string
  readonly port: number
  /** Ends it and removes its folder. */
  close(): Promise<void>
}

const OLDEST = 15
/** The variable that names the folder of an empty one, where a run has made it (`postgres-template.ts`). */
export const TEMPLATE = 'SVC_POSTGRES_TEMPLATE'

/** Starts a PostgreSQL with an empty cluster: UTF-8 and the order of bytes, every client of the loopback is let in. */
export async function startPostgresServer({
  settings = {},
  isDurable = false,
}: PostgresServerOptions = {}): Promise<PostgresServer> {
  const port = await freePort()
  const bin = postgresBin()
  const user = serverUser()
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-postgres-'))
  if (user) chownSync(dir, user.uid, user.gid)
  const template = process.env[TEMPLATE]
  if (template === undefined) await initPostgres(dir)
  else await promisify(execFile)('cp', ['-a', `${template}/.`, dir], { cwd: '/', ...user })
  const all = {
    listen_addresses: '127.0.0.1',
    port: `${port}`,
    unix_socket_directories: '',
    ...(!isDurable && { fsync: 'off', full_page_writes: 'off' }),
    ...settings,
  }
  const server = await startServerProcess({
    file: path.join(bin, 'postgres'),
    args: ['-D', dir, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    ready: 'database system is ready to accept connections',
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

/** Makes an empty cluster in a folder of the user that servers run as. */
export async function initPostgres(dir: string): Promise<void> {
  const kind = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
  const file = path.join(postgresBin(), 'initdb')
  await promisify(execFile)(file, [...kind, `--pgdata=${dir}`], { cwd: '/', ...serverUser() })
}

/** The folder with the newest PostgreSQL of this machine. */
export function postgresBin(): string {
  const debian = globSync('/usr/lib/postgresql/*/bin')
    .map((bin) => ({ bin, version: Number(bin.split('/')[4]) }))
    .sort((a, b) => b.version - a.version)
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  const onPath = folders.find((folder) => globSync(path.join(folder, 'postgres')).length > 0)
  const newest = debian[0]
  if (newest && newest.version >= OLDEST) return newest.bin
  if (onPath !== undefined) return onPath
  throw new Error(`there is no PostgreSQL ${OLDEST} or newer on this machine`)
}

/** The user that servers which refuse root run as; none where this process is not root. */
export function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? []
  if (uid === undefined) throw new Error('there is no user postgres, which a PostgreSQL of root runs as')
  return { uid: Number(uid), gid: Number(gid) }
}
