import { expect, it } from 'vitest'
import { createHold } from './hold.ts'

it('holds what comes while it is shut, until it is open or the caller gives up', async () => {
  const hold = createHold()
  await hold.pass()
  hold.shut()
  const caller = new AbortController()
  const [first, second] = [hold.pass(), hold.pass(caller.signal)]
  expect(hold.waiting).toBe(2)
  caller.abort()
  await second
  expect(hold.waiting).toBe(1)
  hold.open()
  await first
  expect(hold.waiting).toBe(0)
})

it('holds nothing once it is closed, however often it is shut', async () => {
  const hold = createHold()
  hold.shut()
  const held = hold.pass()
  hold.close()
  await held
  hold.shut()
  await hold.pass()
  expect(hold.waiting).toBe(0)
})
