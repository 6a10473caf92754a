import type { Limits } from '@svc/contract/limits'
import { type Reach, readReachedHost } from '@svc/contract/reach'

/** Why a connection was not made: its host or its port is not in the reach, nobody knows the name, or it is private. */
export type RefusedFor = 'host' | 'port' | 'unknown' | 'private'

/** A connection that a plugin asked for and did not get. */
export interface Refused {
  readonly name: string
  /** 0 where what was asked for is no host with a port. */
  readonly port: number
  readonly because: RefusedFor
}

/** What was asked for, no longer than one reads. */
export const shown = (name: string, port: number): string =>
  (port === 0 ? name : `${name}:${port}`).slice(0, 300)

/** Why a host and port are not in a reach; nothing asks whether they are. */
export function refusedBy(reach: Reach | undefined, name: string): 'host' | 'port' {
  const asked = name.toLowerCase()
  const isNamed = (reach?.hosts ?? []).some((host) => {
    const { name: own } = readReachedHost(host)
    return own.startsWith('*.') ? asked.endsWith(own.slice(1)) : own === asked
  })
  return isNamed ? 'port' : 'host'
}

/** The sentence for who asked, without its full stop: what a program shows of the answer of its proxy. */
export function refusalText({ name, port, because }: Refused): string {
  if (because === 'unknown') return `${name} has no address: no name server of this machine knows it`
  if (because === 'private') return `${name} leads to an address that is not public`
  const entry = entryFor(name, port)
  const told =
    because === 'port' ? `may reach ${name}, but not on port ${port}` : `may not reach ${shown(name, port)}`
  return `this plugin ${told}${entry === undefined ? '' : `; to allow it, add ${JSON.stringify(entry)} to reach.hosts`}`
}

/** A name that a reach can hold: two labels and more, the last of which is no number. */
const NAME = /^[a-z0-9][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)*\.[a-z][a-z0-9-]*$/i
const HTTPS_PORT = 443

/** What a reach names a host and port by; nothing where it cannot. */
export const entryFor = (name: string, port: number): string | undefined =>
  !NAME.test(name) || port === 0
    ? undefined
    : port === HTTPS_PORT
      ? name.toLowerCase()
      : `${name.toLowerCase()}:${port}`

/** A reach with more in it, as a line of a configuration: `"reach": {"hosts":["a.example.com"]}`. */
export const reachLine = (reach: Reach | undefined, more: Reach): string => {
  const joined = (key: 'hosts' | 'folders' | 'tcp') => {
    const all = [
      ...((reach as Record<string, readonly unknown[]> | undefined)?.[key] ?? []),
      ...((more as Record<string, readonly unknown[]>)[key] ?? []),
    ]
    return all.length === 0 ? [] : [`${JSON.stringify(key)}: ${JSON.stringify([...new Set(all)])}`]
  }
  return `"reach": { ${[...joined('hosts'), ...joined('tcp'), ...joined('folders')].join(', ')} }`
}

/** Notes what was told already, so that each host is told once for a plugin of a user, however often it is tried. */
export function openTold({
  REFUSED_TOLD_MAX,
  REFUSED_GROUPS_MAX,
}: Pick<Limits, 'REFUSED_TOLD_MAX' | 'REFUSED_GROUPS_MAX'>) {
  const groups = new Map<string, Set<string>>()
  return {
    /** Whether it is to be told now; of one plugin so many are, and the last of these says that more are not. */
    isNew(group: string, host: string): 'no' | 'yes' | 'last' {
      const told = groups.get(group) ?? new Set()
      if (told.has(host) || told.size >= REFUSED_TOLD_MAX) return 'no'
      groups.delete(group)
      groups.set(group, told.add(host))
      for (const oldest of groups.keys()) {
        if (groups.size <= REFUSED_GROUPS_MAX) break
        groups.delete(oldest)
      }
      return told.size === REFUSED_TOLD_MAX ? 'last' : 'yes'
    },
  }
}

/** See `openTold`. */
export type Told = ReturnType<typeof openTold>
