import { readFileSync } from 'node:fs'
import { privateBlocks } from '@svc/conformance/testing/special-addresses'
import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { isPublicAddress } from './public-address.ts'

const corpus: { dns_answers_reject: string[]; dns_answers_accept: string[] } = JSON.parse(
  readFileSync(new URL('../../../conformance/corpora/ssrf.json', import.meta.url), 'utf8'),
)

verifies.each('decision.urls.answers')([
  ...corpus.dns_answers_reject.map((address) => [address, false] as const),
  ...corpus.dns_answers_accept.map((address) => [address, true] as const),
])('%s is public: %j', (address, isPublic) => expect(isPublicAddress(address)).toBe(isPublic))

it.each([
  ['::ffff:8.8.8.8', true],
  ['::ffff:10.0.0.1', false],
  ['::ffff:a00:1', false],
  ['168.63.129.16', false],
  ['::ffff:168.63.129.16', false],
  ['168.63.129.17', true],
  ['2000::1', true],
  ['3ffe::1', true],
  ['1fff::1', false],
  ['2606:4700::1111%eth0', false],
  ['0177.0.0.1', false],
  ['8.8.8', false],
  ['134744072', false],
  ['', false],
  ['cdn.site.org', false],
])('%s is public: %j', (address, isPublic) => expect(isPublicAddress(address)).toBe(isPublic))

it.each([...privateBlocks.ipv4, ...privateBlocks.ipv6].map((block) => [block]))(
  'the first and the last address of %s are not',
  (block) => {
    const [net = '', bits] = block.split('/')
    expect([net, lastOf(net, Number(bits))].map(isPublicAddress)).toEqual([false, false])
  },
)

/** The last address of a block, by counting in bits. */
function lastOf(net: string, bits: number): string {
  if (!net.includes(':')) {
    const first = net.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
    const last = first + 2 ** (32 - bits) - 1
    return [24, 16, 8, 0].map((shift) => Math.floor(last / 2 ** shift) % 256).join('.')
  }
  const [head = '', tail = ''] = net.split('::')
  const [left, right] = [head, tail].map((part) => part.split(':').filter(Boolean)) as [string[], string[]]
  const words = [...left, ...Array(8 - left.length - right.length).fill('0'), ...right]
  const first = BigInt(`0x${words.map((word) => word.padStart(4, '0')).join('')}`)
  const last = first + 2n ** BigInt(128 - bits) - 1n
  return (last.toString(16).padStart(32, '0').match(/.{4}/g) ?? []).join(':')
}
