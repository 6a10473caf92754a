import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { openSeal } from './seal.ts'

const SECRET = 's'.repeat(43)
const CHANNEL = 'svc@0:topic:approvals'
const MESSAGE = '{"user_id":"ada","id":"apr_1","answer":"once"}'

/** A host's; of two, no nonces are the same. */
function open(host = 'a', secret = SECRET) {
  const told: string[] = []
  let count = 0
  const newNonce = () => `${host}${count++}`
  return { seal: openSeal({ secret, newNonce, onError: (error) => told.push(String(error)) }), told }
}
const another = (text: string, part: number, by: string) =>
  text
    .split('.')
    .map((one, at) => (at === part ? by : one))
    .join('.')

verifies.each('cluster.bus.signed')<[name: string, forge: (sealed: string) => string, why: string]>([
  ['is not signed', () => MESSAGE, 'it is not signed'],
  ['is empty', () => '', 'it is not signed'],
  ['has no signature', (sealed) => another(sealed, 0, 'A'.repeat(43)), 'its signature is wrong'],
  ['has another time', (sealed) => another(sealed, 1, '1'), 'its signature is wrong'],
  ['has another nonce', (sealed) => another(sealed, 2, 'A'.repeat(16)), 'its signature is wrong'],
  ['says more', (sealed) => `${sealed} `, 'its signature is wrong'],
  [
    'is of a host with another secret',
    () => open('b', 'o'.repeat(43)).seal.seal(CHANNEL, MESSAGE),
    'its signature is wrong',
  ],
  [
    'is of another channel',
    () => open('b').seal.seal('svc@0:topic:users', MESSAGE),
    'its signature is wrong',
  ],
])('a message that %s is dropped, and told once', (_, forge, why) => {
  const { seal, told } = open()
  const forged = forge(seal.seal(CHANNEL, MESSAGE))
  expect([seal.open(CHANNEL, forged), seal.open(CHANNEL, forged)]).toEqual([null, null])
  expect(told).toEqual([expect.stringContaining(`a message on ${CHANNEL} in Redis was dropped, ${why}`)])
  expect(seal.open(CHANNEL, seal.seal(CHANNEL, MESSAGE))).toBe(MESSAGE)
})

verifies('cluster.bus.signed', 'a message is heard once, whoever sends it again', () => {
  const { seal, told } = open()
  const sealed = open('b').seal.seal(CHANNEL, 'a.b\n.c')
  expect([seal.open(CHANNEL, sealed), seal.open(CHANNEL, sealed)]).toEqual(['a.b\n.c', null])
  expect(told).toEqual([expect.stringContaining('it came before')])
})
