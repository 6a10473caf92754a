import { BlockList } from 'node:net'

/** The blocks of special addresses, as the registries list them. */
export const privateBlocks = {
  ipv4: [
    ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
    ...['192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24'],
    ...['192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
    ...['224.0.0.0/4', '240.0.0.0/4'],
  ],
  // The first three are all that lies outside 2000::/3.
  ipv6: [
    ...['::/3', '4000::/2', '8000::/1'],
    ...['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'],
  ],
} as const

function listOf(family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const block of privateBlocks[family]) {
    const [net = '', bits] = block.split('/')
    list.addSubnet(net, Number(bits), family)
  }
  return list
}

const lists = { ipv4: listOf('ipv4'), ipv6: listOf('ipv6') }

/** Whether an address is special: judged by another library than the product's. Mapped ones are not its business. */
export const isPrivate = (address: string, family: 'ipv4' | 'ipv6'): boolean =>
  lists[family].check(address, family)
