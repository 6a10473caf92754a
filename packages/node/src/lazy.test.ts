import { expect, test } from 'vitest'
import { lazy } from './lazy.ts'

test('loads once, and not before it is asked for', () => {
  const loads: number[] = []
  const read = lazy(() => {
    loads.push(loads.length)
    return undefined
  })
  expect(loads).toEqual([])
  expect([read(), read()]).toEqual([undefined, undefined])
  expect(loads).toEqual([0])
})
