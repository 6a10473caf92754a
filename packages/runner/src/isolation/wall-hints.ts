import { dirname } from 'node:path'
import { isDataPath, type Reach } from '@svc/contract/reach'
import type { Failure } from '../port/runner.ts'
import type { Cell } from './bubblewrap.ts'
import { isWithin } from './paths.ts'
import { entryFor, type Refused, reachLine, shown } from './refusals.ts'

/** What is known of a process behind walls whose call failed. */
export interface Walled {
  readonly reach: Reach | undefined
  readonly cell: Cell
  /** Whether somebody published it, so that its user cannot change what it reaches. */
  readonly isPublished: boolean
  /** Whether its owner alone reads the hint: an app learns nothing of what its operator wrote. */
  readonly isOwners: boolean
  /** What it asked for during the call, and did not get. */
  readonly refused: readonly Refused[]
}

/** Hosts that a hint names. */
const HOSTS_SHOWN = 3
/** What is read of a failure. */
const TEXT_MAX_CHARS = 8_192

/** What programs say where they reach no host, by their languages and libraries. */
const NETWORK =
  /EAI_AGAIN|ENOTFOUND|ENETUNREACH|EHOSTUNREACH|ECONNREFUSED|getaddrinfo|name resolution|resolve host|failed to resolve|Name or service not known|Network is unreachable|UnknownHost|no such host|fetch failed|failed to lookup|Connection refused|ERR_INTERNET_DISCONNECTED|ERR_NAME_NOT_RESOLVED/i
/** The name that such a text ends with, in most of them. */
const NAMED =
  /(?:EAI_AGAIN|ENOTFOUND|resolve host:?|lookup|UnknownHostException:|failed to resolve|getaddrinfo for|(?:DISCONNECTED|NOT_RESOLVED) at) ['"]?(?:https?:\/\/)?([a-z0-9-]+(?:\.[a-z0-9-]+)+)/i
const OWN_LOOPBACK = /(?:127\.0\.0\.1|localhost|\[?::1\]?)[: ]+(?:port )?(\d{1,5})/i

const READ_ONLY = /EROFS|Read-only file system/i
const NO_FILE = /ENOENT|EACCES|No such file or directory|Permission denied|FileNotFound|PermissionError/i
const QUOTED_PATH = /['"`](\/[^'"`\n]{1,400})['"`]/
const PLAIN_PATH = /(?:^|[\s:=])(\/[^\s'"`:,;()]{1,400})/

/**
 * What helps against a failure that the walls may have caused, or nothing. What a proxy refused is known; of all else only
 * the text of the failure tells, so it says no more than what holds behind these walls whatever the cause was.
 */
export function wallHint(failure: Failure, walled: Walled): string | undefined {
  const { refused, reach } = walled
  const text = `${failure.message}\n${JSON.stringify(failure.details ?? {})}`.slice(0, TEXT_MAX_CHARS)
  if (refused.length > 0) return refusedHint(walled, text)
  if (NETWORK.test(text)) {
    const [, port] = OWN_LOOPBACK.exec(text) ?? []
    if (port !== undefined) return loopbackHint(walled, port)
    const [, name = ''] = NAMED.exec(text) ?? []
    const entry = entryFor(name, 443)
    if ((reach?.hosts ?? []).length === 0)
      return `Behind its walls it may reach no host. ${toAllow(walled, { hosts: [entry ?? 'api.example.com'] })} ${noProxy(entry)}`
    if (name !== '' && entry !== undefined && !(reach?.hosts ?? []).includes(entry))
      return `Behind its walls it reaches hosts only by the proxy in HTTPS_PROXY, and of those ${walled.isOwners ? `no other than ${reach?.hosts?.join(', ')}` : 'only the ones of its reach'}. ${toAllow(walled, { hosts: [entry] })} ${noProxy(entry)}`
    return undefined
  }
  return fileHint(text, walled)
}

/** What comes beside a line for hosts: clients of databases and the like need another. */
const noProxy = (name = 'db.example.com') =>
  `(A client that takes no proxy needs its port: "tcp": ["${name}:5432"].)`

function loopbackHint(walled: Walled, port: string): string {
  const start = `Behind its walls 127.0.0.1 is the plugin's own: no server of the machine is there.`
  return walled.isPublished ? start : `${start} ${toAllow(walled, { tcp: [`localhost:${port}`] })}`
}

/** Of several hosts those that the failure names, else the ones that were asked for last: a browser asks for its own too. */
function refusedHint(walled: Walled, text: string): string {
  const spoken = walled.refused.filter(({ name }) => text.includes(name))
  const named = (spoken.length > 0 ? spoken : walled.refused).slice(-HOSTS_SHOWN)
  const list = [...new Set(named.map(({ name, port }) => shown(name, port)))].join(', ')
  const entries = named.flatMap(({ name, port, because }) =>
    because === 'host' || because === 'port' ? (entryFor(name, port) ?? []) : [],
  )
  const [first] = named
  if (entries.length > 0) return `It may not reach ${list}. ${toAllow(walled, { hosts: entries })}`
  if (first?.because === 'unknown') return `${first.name} has no address: look whether the name is right.`
  if (first?.because === 'private')
    return `${first.name} leads to an address that is not public, which a plugin behind walls does not reach.`
  return `It may not reach ${list}: a reach names hosts, and no addresses.`
}

function fileHint(text: string, walled: Walled): string | undefined {
  const isReadOnly = READ_ONLY.test(text)
  if (!isReadOnly && !NO_FILE.test(text)) return undefined
  const path = (QUOTED_PATH.exec(text) ?? PLAIN_PATH.exec(text))?.[1]
  if (path === undefined) return undefined
  const { view, folder, installed } = walled.cell
  const folders = { path: dirname(path), access: isReadOnly ? ('write' as const) : ('read' as const) }
  const isShown = view.readable.some((one) => isWithin(one, path))
  const isOwn = [folder, ...(isShown ? [] : ['/tmp']), ...view.writable].some((one) => isWithin(one, path))
  if (isOwn || !isDataPath(folders.path)) return undefined
  if (isReadOnly) {
    const start = `Behind its walls it may not write ${path}; it may write below TMPDIR.`
    return installed.some((one) => isWithin(one, path))
      ? start
      : `${start} ${toAllow(walled, { folders: [folders] })}`
  }
  if (isShown) return undefined
  return `Behind its walls it sees its own files and those of the system. If ${path} is on this machine, it is not shown. ${toAllow(walled, { folders: [folders] })}`
}

/** Who can change what it reaches, and the line by which; for others than its owner only what is new in that. */
function toAllow({ isPublished, isOwners, reach }: Walled, more: Reach): string {
  if (isPublished)
    return `Only its author can allow that, in svc.plug.json of a next version: ${reachLine(reach, more)}`
  return isOwners
    ? `To allow that, where the plugin is configured: ${reachLine(reach, more)}`
    : `To allow that, its operator adds this where the plugin is configured: ${reachLine(undefined, more)}`
}
