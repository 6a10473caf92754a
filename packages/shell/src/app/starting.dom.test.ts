import { expect, it } from 'vitest'
import { happen, openPage, textOf } from '../testing/page.ts'
import { COVERED_MS } from './starting.tsx'

it('covers an app until it is connected, and one that never connects for a while', async () => {
  const bed = await openPage()
  const covered = () => textOf('[data-window]').includes('is starting')
  await happen(() => bed.desk.open('app-1'))
  expect(covered()).toBe(false)
  await happen(() => bed.host.emitOn('w1', 'disconnected'))
  expect(covered()).toBe(true)
  await happen(() => bed.host.emitOn('w1', 'connected', 2))
  expect(covered()).toBe(false)
  await bed.pass(COVERED_MS)
  await happen(() => bed.host.emitOn('w1', 'disconnected'))
  await bed.pass(COVERED_MS - 1)
  expect(covered()).toBe(true)
  await bed.pass(1)
  expect(covered()).toBe(false)
  await bed.close()
})
