import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { chosenMs, waitMs } from './waits.ts'

verifies.each(['design.sdk.wait', 'limits.client_timeouts'])([
  ['storage.get', {}, undefined, 70_000],
  ['tools.list', {}, undefined, 70_000],
  ['tools.invokeAsync', { timeoutMs: 3_600_000 }, undefined, 70_000],
  ['agent.session.run', {}, undefined, 300_000],
  ['llm.complete', {}, undefined, 300_000],
  ['image.generate', {}, undefined, 300_000],
  ['tools.invoke', {}, undefined, 95_000],
  ['tools.invoke', {}, 65_000, 70_000],
  ['tools.invoke', {}, 80_000, 85_000],
  ['tools.invoke', { timeoutMs: 1_000 }, 80_000, 70_000],
  ['tools.invoke', { timeoutMs: 90_000 }, 65_000, 95_000],
  ['tools.invoke', { timeoutMs: 1e12 }, 65_000, 95_000],
  ['tools.invoke', { timeoutMs: true }, 65_000, 70_000],
  ['tools.invoke', undefined, 65_000, 70_000],
])('waits for %s with %j, declared %s: %i ms', (name, args, declared, ms) => {
  expect(waitMs(name, args, declared)).toBe(ms)
})

it.each([
  [0, 0],
  [5, 5],
  [2 ** 40, 2_147_483_647],
  [Number.POSITIVE_INFINITY, 2_147_483_647],
])('takes %j as a chosen wait for %s', (value, ms) => {
  expect(chosenMs('timeoutMs', value)).toBe(ms)
})

it.each([
  [-1, '-1'],
  [Number.NaN, 'NaN'],
  ['5', '"5"'],
  [null, 'null'],
])('takes no %j as a chosen wait', (value, shown) => {
  expect(() => chosenMs('timeoutMs', value)).toThrow(
    `timeoutMs must be a number of ms, at least 0, got ${shown}`,
  )
})
