import { hasControls, isAbsolutePath, isDataPath, isPlainPath } from '../values/absolute-path.ts'
import { wordList } from '../values/word-list.ts'
import { shapeOf, textInWords, wrongName } from './needs.ts'

export { hasControls, isDataPath } from '../values/absolute-path.ts'

/** What a plugin may reach beyond its own folder; nothing of what is left out. */
export interface Reach {
  /** `name`, `name:port`, `*.name` or `*.name:port`; the port is 443 where none is written. */
  readonly hosts?: readonly string[] | undefined
  /** `name:port`: servers that it reaches by TCP, whatever it speaks with them. */
  readonly tcp?: readonly string[] | undefined
  /** Folders of the machine that the plugin runs on. */
  readonly folders?: readonly ReachedFolder[] | undefined
}

/** A folder of the machine, and what the plugin may do there. */
export interface ReachedFolder {
  /** An absolute path; in a plugin that was published `${NAME}` stands for what its user gave. */
  readonly path: string
  /** Whether it may only read there. */
  readonly access: 'read' | 'write'
}

/**
 * Reads the reach of a plugin as a host sends it, which has judged it before; without the schema, because a runner
 * brings no zod. What has not its form is left out.
 */
export function readReach(value: unknown): Reach | undefined {
  const { hosts, tcp, folders } = { ...(value as Partial<Record<keyof Reach, unknown>> | null) }
  if (!Array.isArray(hosts) && !Array.isArray(tcp) && !Array.isArray(folders)) return undefined
  return {
    hosts: Array.isArray(hosts) ? hosts.filter(isText) : [],
    ...(Array.isArray(tcp) && { tcp: tcp.filter(isServer) }),
    folders: Array.isArray(folders) ? folders.filter(isFolder) : [],
  }
}

function isFolder(value: unknown): value is ReachedFolder {
  const { path, access } = { ...(value as Partial<ReachedFolder> | null) }
  return isText(path) && folderFault(path) === null && (access === 'read' || access === 'write')
}

/** What is wrong with a folder of a reach, as the end of a sentence; of one with `${NAME}`, whatever it stands for. */
export function folderFault(path: string): string | null {
  const wrong = wrongName(path)
  if (wrong !== null) return `must not hold ${wrong}: a variable is written \${NAME}`
  return pathFault(shapeOf(path))
}

/** The same of a folder in which each name has its value. */
export function pathFault(path: string): string | null {
  if (!isAbsolutePath(path)) return 'must be an absolute path on the machine of the runner'
  if (hasControls(path)) return 'must not hold control characters'
  if (!isPlainPath(path)) return 'must not hold the folders . or .., nor two slashes in a row'
  return isDataPath(path) ? null : 'must be a folder of data, not one of the system'
}

/** The digest of a reach has one of them a line. */
const isText = (value: unknown): value is string => typeof value === 'string' && !hasControls(value)

const isServer = (value: unknown): value is string => isText(value) && SERVER.test(value)
const SERVER = /^[a-z0-9.-]+:\d{1,5}$/i

const HTTPS_PORT = 443

/** Splits a host of a reach: its name in lower case, with the `*.` if it has one, and its port. */
export function readReachedHost(host: string): { readonly name: string; readonly port: number } {
  const [name = '', port] = host.toLowerCase().split(':')
  return { name, port: port === undefined ? HTTPS_PORT : Number(port) }
}

/** Whether a reach names a host and port. `*.name` is every name below `name`, and not `name` itself. */
export function mayReach(reach: Reach | undefined, host: string, port: number): boolean {
  const asked = host.toLowerCase()
  return (reach?.hosts ?? []).some((one) => {
    const { name, port: allowed } = readReachedHost(one)
    const isNamed = name.startsWith('*.') ? asked.endsWith(name.slice(1)) : asked === name
    return isNamed && allowed === port
  })
}

/** Whether a reach names a server for TCP. */
export function mayReachTcp(reach: Reach | undefined, host: string, port: number): boolean {
  const asked = `${host.toLowerCase()}:${port}`
  return (reach?.tcp ?? []).some((one) => one.toLowerCase() === asked)
}

/**
 * Returns a text that two reaches share exactly when they allow the same, `''` for nothing: each host and folder once,
 * in order. It may be kept, compared and hashed.
 */
export function reachDigest(reach: Reach | undefined): string {
  const { hosts, tcp, folders } = parts(reach)
  return [
    ...hosts.map((host) => `host ${host}`),
    ...tcp.map((server) => `tcp ${server}`),
    ...folders.map(({ path, access }) => `${access} ${path}`),
  ].join('\n')
}

/** Returns what a plugin may reach as a sentence: `It may reach api.example.com and read "/data".` */
export function reachSentence(reach: Reach | undefined): string {
  const { hosts, tcp, folders } = parts(reach)
  const of = (access: ReachedFolder['access']) =>
    folders.filter((one) => one.access === access).map(({ path }) => folderText(path))
  const clauses = [
    ...(hosts.length > 0 ? [`reach ${wordList(hosts)}`] : []),
    ...(tcp.length > 0 ? [`connect by TCP to ${wordList(tcp)}`] : []),
    ...(of('read').length > 0 ? [`read ${wordList(of('read'))}`] : []),
    ...(of('write').length > 0 ? [`read and change ${wordList(of('write'))}`] : []),
  ]
  if (clauses.length === 0) return 'It may reach no host and no folder but its own.'
  return `It may ${wordList(clauses)}.`
}

const folderText = (path: string): string =>
  textInWords(path, (name) => `the folder that you give as ${name}`)

/** Each host as it is meant, each folder with the most that is asked for it. */
function parts(reach: Reach | undefined) {
  const hosts = (reach?.hosts ?? []).map((host) => {
    const { name, port } = readReachedHost(host)
    return port === HTTPS_PORT ? name : `${name}:${port}`
  })
  const folders = new Map<string, ReachedFolder['access']>()
  for (const { path, access } of reach?.folders ?? []) {
    const folder = path.replace(/(?<![\\/])[\\/]+$/, '') || '/'
    if (folders.get(folder) !== 'write') folders.set(folder, access)
  }
  return {
    hosts: [...new Set(hosts)].sort(),
    tcp: [...new Set((reach?.tcp ?? []).map((server) => server.toLowerCase()))].sort(),
    folders: [...folders]
      .map(([path, access]) => ({ path, access }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
  }
}
