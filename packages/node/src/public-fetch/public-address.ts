import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Where the registry gives out addresses of version 6; whatever lies elsewhere leads to no public host. */
const GLOBAL_V6 = ipaddr.process('2000::')
const GLOBAL_V6_BITS = 3

/** Public by the registry, and yet a cloud's own service to its machines: Azure's WireServer. */
const OF_CLOUDS: ReadonlySet<string> = new Set(['168.63.129.16'])

/**
 * Whether an IP address in its usual form is one of the public internet (docs/decisions/0036-urls-and-attachments.md).
 * An address of version 4 inside one of version 6 counts as itself; tunnels that carry one otherwise (6to4, Teredo,
 * NAT64) are not public.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false
  const read = ipaddr.process(address)
  if (read.range() !== 'unicast' || OF_CLOUDS.has(read.toString())) return false
  return read.kind() === 'ipv4' || read.match(GLOBAL_V6, GLOBAL_V6_BITS)
}
