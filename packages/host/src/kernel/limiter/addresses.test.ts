import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { openAddresses, readRanges } from './addresses.ts'

const proxies = ['127.0.0.0/8', '::1', '10.1.0.0/16', 'fd00::/8']
const of = (peer: string | undefined, forwarded?: string, trusted: readonly string[] = proxies) =>
  openAddresses(readRanges(trusted)).of({
    peer,
    get: (name) => (name === 'x-forwarded-for' ? forwarded : '6.6.6.6'),
  })

verifies.each('load.rate.address')([
  ['nobody knows', undefined, '1.2.3.4', undefined],
  ['an IPv4 address', '1.2.3.4', undefined, '1.2.3.4'],
  ['an IPv4 address on an IPv6 socket', '::ffff:1.2.3.4', undefined, '1.2.3.4'],
  ['an IPv6 address is its network', '2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2::/64'],
  ['the same written short', '2001:DB8:1:2::6', undefined, '2001:db8:1:2::/64'],
  ['a short network', '2001:db8::6', undefined, '2001:db8:0:0::/64'],
  ['a gap at the end of its network', '2001:db8:1::6', undefined, '2001:db8:1:0::/64'],
  ['a gap at the begin', '::6', undefined, '0:0:0:0::/64'],
  ['a gap before its network ends', '::3:4:5:6:7', undefined, '0:0:0:3::/64'],
  ['a gap within its network', '1::3:4:5:6:7:8', undefined, '1:0:3:4::/64'],
  ['a gap with nothing after it', '2001:db8::', undefined, '2001:db8:0:0::/64'],
  ['no gap, and zeros', '0:0:0:4:5:6:7:8', undefined, '0:0:0:4::/64'],
  ['a zone', 'fe80::1%eth0', undefined, 'fe80:0:0:0::/64'],
  ['a stranger who forwards', '1.2.3.4', '9.9.9.9', '1.2.3.4'],
  ['a proxy', '127.0.0.1', '9.9.9.9', '9.9.9.9'],
  ['a proxy over IPv6', '::1', '2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['a proxy of proxies', '10.1.2.3', '6.6.6.6, 9.9.9.9, 10.1.0.7', '9.9.9.9'],
  ['what a client wrote before', '127.0.0.1', '127.0.0.1, 9.9.9.9', '9.9.9.9'],
  ['a proxy that says nothing', '127.0.0.1', undefined, '127.0.0.1'],
  ['a proxy that says no address', '127.0.0.1', 'unknown, _x', '127.0.0.1'],
  ['a proxy of IPv6 proxies', 'fd00::1', '9.9.9.9, fd12::7, ::1', '9.9.9.9'],
  ['a proxy, and words after the client', '127.0.0.1', '9.9.9.9, unknown', '9.9.9.9'],
  ['proxies alone', '127.0.0.1', '10.1.0.1', '127.0.0.1'],
])('%s', (_what, peer, forwarded, key) => {
  expect(of(peer, forwarded)).toBe(key)
})

it('believes nobody where no proxy is trusted', () => {
  expect(of('127.0.0.1', '9.9.9.9', [])).toBe('127.0.0.1')
  expect(of('127.0.0.1', '9.9.9.9', ['127.0.0.1'])).toBe('9.9.9.9')
  const addresses = openAddresses(readRanges(proxies))
  expect(['127.0.0.9', '::ffff:10.1.1.1', 'fd12::1', '1.2.3.4', undefined].map(addresses.isProxy)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])
})

it.each([['localhost'], ['10.0.0.0/99'], ['10.0.0/8'], ['']])('%j is no range', (range) => {
  expect(() => readRanges([range])).toThrow()
})
