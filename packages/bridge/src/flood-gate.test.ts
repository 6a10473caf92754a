import { frozenClock } from '@svc/conformance/testing/frozen-clock'
import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { createFloodGate } from './flood-gate.ts'

/** A gate, and what it told. */
function opened() {
  const clock = frozenClock()
  const told: string[] = []
  return { clock, told, ...createFloodGate(clock, (sentence) => told.push(sentence)) }
}

verifies.each('wall.frame.flood')([
  ['posts', 2_500, 1],
  ['messages', 10_000, 1],
  ['calls', 131_072, 1_024],
] as const)('lets %s through up to %s a slice, and none after that', (what, max, size) => {
  const { gate, told } = opened()
  for (let sum = 0; sum < max; sum += size) expect(gate(what, size)).toBe(true)
  expect(told).toEqual([])
  expect(gate(what, 1)).toBe(false)
  expect(told).toEqual([`more than ${max} ${what} in a second`])
})

verifies.each('wall.frame.flood')([
  ['when it is renewed', ({ renew }: ReturnType<typeof opened>) => renew()],
  ['after 10 s without that', ({ clock }: ReturnType<typeof opened>) => clock.advance(10_001)],
])('counts anew %s', (_, pass) => {
  const at = opened()
  for (let slice = 0; slice < 5; slice++) {
    for (let n = 0; n < 2_500; n++) at.gate('posts')
    pass(at)
  }
  expect(at.told).toEqual([])
})
