import { BlockList, isIP } from 'node:net'
import type { Head } from '../request/head.ts'

/** Groups of an IPv6 address that belong to one network: a home or a machine has a /64 of its own. */
const NETWORK_GROUPS = 4
const ALL_GROUPS = 8
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/**
 * Reads the ranges of trusted proxies, such as `10.0.0.0/8` or `::1`. Throws a `TypeError` or `RangeError` of Node's
 * for what is not a range.
 */
export function readRanges(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

/**
 * Opens the addresses. A request of a trusted proxy is the one of the last address in `X-Forwarded-For` that is not a
 * trusted proxy; of anybody else that header is not read, because its sender writes it.
 */
export function openAddresses(proxies: BlockList) {
  const isTrusted = (address: string) => {
    const version = isIP(address)
    return version !== 0 && proxies.check(address, version === 6 ? 'ipv6' : 'ipv4')
  }
  const anyTrusted = proxies.rules.length > 0
  const isProxy = (peer: string | undefined) => anyTrusted && peer !== undefined && isTrusted(plain(peer))
  return {
    /** Whether connections of that address are those of a proxy, which carry requests of many. */
    isProxy,
    /** The address as a key; `undefined` where the front does not know it (a server that embeds the host by `fetch`). */
    of(head: Pick<Head, 'peer' | 'get'>) {
      const { peer } = head
      if (peer === undefined) return undefined
      if (!isProxy(peer)) return networkOf(plain(peer))
      const hops = (head.get('x-forwarded-for') ?? '').split(',').map((hop) => plain(hop.trim()))
      const client = hops.findLast((hop) => isIP(hop) !== 0 && !isTrusted(hop))
      return networkOf(client ?? plain(peer))
    },
  }
}

/** Identifies who sent a request by the address that it came from. */
export type Addresses = ReturnType<typeof openAddresses>

/** An IPv4 address that came over an IPv6 socket is the IPv4 address. */
const plain = (address: string): string => MAPPED.exec(address)?.[1] ?? address

/** An IPv4 address as it is, an IPv6 address as its /64. */
function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('::')
  const before = head.split(':').filter(Boolean)
  const after = tail === undefined ? [] : tail.split(':').filter(Boolean)
  const gap = tail === undefined ? 0 : ALL_GROUPS - before.length - after.length
  const groups = [...before, ...Array<string>(Math.max(0, gap)).fill('0'), ...after]
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}
