import { expect, it } from 'vitest'
import { pooledBytes } from './random-bytes.ts'

it('gives each byte of a pool once, and draws another when it is used up', () => {
  let draws = 0
  const bytes = pooledBytes((count) => {
    draws += 1
    return Uint8Array.from({ length: count }, (_, at) => (at + draws) % 251)
  })
  const given = Array.from({ length: 315 }, () => [...bytes(26)]).flat()
  expect(given).toEqual(Array.from({ length: 315 * 26 }, (_, at) => (at + 1) % 251))
  expect(draws).toBe(1)
  expect([...bytes(26)]).toEqual(Array.from({ length: 26 }, (_, at) => (at + 2) % 251))
  expect(draws).toBe(2)
})
