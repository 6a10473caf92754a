import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { nameOf, portOf } from './name.ts'

/** A host that public URLs may name although it is this machine: for tests and development. */
export interface LoopbackHost {
  /** As a URL has it: lower case, an address of version 6 without its brackets. */
  readonly name: string
  /** `null`: any port. */
  readonly port: number | null
}

const ENTRY = /^(\[[\da-f:]+\]|[\w.-]+)(?::(\d{1,5}))?$/i
const LOOPBACK = '127.0.0.1'
const PORT_MAX = 65_535

/**
 * Reads an entry such as `img.test:8443` or `localhost`; `null` if it is not one or names another machine's address.
 */
export function readLoopbackHost(entry: string): LoopbackHost | null {
  const [, host = '', port] = ENTRY.exec(entry) ?? []
  const url = URL.parse(`https://${host}`)
  if (!url || Number(port ?? 1) < 1 || Number(port ?? 1) > PORT_MAX) return null
  const name = nameOf(url)
  if (isIP(name) !== 0 && ipaddr.process(name).range() !== 'loopback') return null
  return { name, port: port === undefined ? null : Number(port) }
}

/** The address of this machine for a URL that names one of the hosts, `null` for every other URL. */
export function loopbackOf(hosts: readonly LoopbackHost[], url: URL): string | null {
  const name = nameOf(url)
  const port = portOf(url)
  if (!hosts.some((host) => host.name === name && (host.port ?? port) === port)) return null
  return isIP(name) === 0 ? LOOPBACK : name
}
