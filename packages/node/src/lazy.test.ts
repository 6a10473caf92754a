import { expect, test } from 'vitest'
import { lazy } from './lazy.ts'

/** Counts the loads, of which the first ones fail. */
function counted(failures: number) {
  let loads = 0
  const read = lazy(async () => {
    loads += 1
    if (loads <= failures) throw new Error(`load ${loads} failed`)
    return loads
  })
  return { read, loads: () => loads }
}

test('loads once, and not before it is asked for', async () => {
  const { read, loads } = counted(0)
  expect(loads()).toBe(0)
  expect(await Promise.all([read(), read()])).toEqual([1, 1])
  expect([await read(), loads()]).toEqual([1, 1])
})

test('loads again after a failure, which all who waited for it hear', async () => {
  const { read, loads } = counted(1)
  const [one, other] = await Promise.allSettled([read(), read()])
  expect([one, other]).toEqual([one, { status: 'rejected', reason: new Error('load 1 failed') }])
  expect([await read(), await read(), loads()]).toEqual([2, 2, 2])
})
