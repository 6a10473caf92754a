import { createHash } from 'node:crypto'
import { verifies } from '@svc/conformance/verifies'
import { pause } from '@svc/node'
import fc from 'fast-check'
import { afterEach, beforeEach, expect } from 'vitest'
import { createHost } from '../create-host.ts'
import type { Host } from '../host.ts'
import { openLives } from '../testing/lives-host.ts'

/** Another user each time: one that is let in again may still be met by the end of the erase before. */
const users = Array.from({ length: 20 }, (_, n) => `ada-${n}-lovelace`)
const BOB = 'bob-babbage'

/** The host that Ada's calls come to, and another one over the same store, bus and blobs. */
let here: Awaited<ReturnType<typeof openLives>>
let there: Host
beforeEach(async () => {
  here = await openLives(BOB)
  const { clock, store, bus, blobs } = here
  const shared = { clock, store, bus, blobs, secret: 's'.repeat(32) }
  there = createHost({ ...shared, storage: 'persistent', runner: null, models: null, signIn: 'dev' })
})
afterEach(async () => {
  await there.close()
  await here.close()
})

/** What names a user outside the audit log, by his id or a digest of it. */
async function named(user: string): Promise<string[]> {
  const digests = (['hex', 'base64', 'base64url'] as const).map((form) =>
    createHash('sha256').update(user).digest(form),
  )
  return (await here.all()).filter(
    (text) => !text.startsWith('journal audit') && [user, ...digests].some((name) => text.includes(name)),
  )
}
/** The same, once nothing more is deleted behind a call that has ended. */
async function leftOf(user: string): Promise<string[]> {
  for (let look = 0; look < LOOKS && (await named(user)).length > 0; look += 1) await pause()
  return named(user)
}
const LOOKS = 2_000

const writing = fc.constantFrom<readonly [ns: string, method: string, args: (user: string) => object]>(
  ['storage', 'set', (user) => ({ key: 'late', value: user })],
  ['storage', 'delete', () => ({ key: 'k' })],
  ['files', 'write', (user) => ({ path: 'late', text: user })],
  ['upload', 'inline', (user) => ({ bytes_b64: 'YWRh', mime: 'text/plain', purpose: user })],
  ['agent', 'session.create', () => ({ submode: 'auto' })],
)

verifies('user.erase.hosts', 'a call that another host holds up anywhere leaves nothing behind', async () => {
  const more = [...users]
  await fc.assert(
    fc.asyncProperty(writing, fc.nat(8), fc.nat(LOOKS), async ([ns, method, args], accesses, turns) => {
      const user = more.pop() ?? ''
      await here.live(user)
      const window = await here.openWindow(undefined, undefined, await here.signIn(user))
      const { reached, open } = here.hold(accesses)
      const call = window.call(ns, method, args(user))
      await Promise.race([reached, call])
      const erased = there.users.erase(user)
      for (let turn = 0; turn < turns; turn += 1) await pause()
      open()
      await Promise.all([call, erased])
      expect(await leftOf(user)).toEqual([])
    }),
    { numRuns: users.length, endOnFailure: true },
  )
})

verifies('user.erase.hosts', 'a crowd of calls at another host leaves nothing behind', async () => {
  const [user = ''] = users
  await here.live(user)
  const window = await here.openWindow(undefined, undefined, await here.signIn(user))
  const crowd = Array.from({ length: 40 }, (_, n) => [
    window.call('storage', 'set', { key: `k${n}`, value: user }),
    window.call('files', 'write', { path: `f${n}`, text: user }),
    window.call('upload', 'inline', { bytes_b64: 'YWRh', mime: 'text/plain', purpose: user }),
  ])
  await Promise.all([there.users.erase(user), ...crowd.flat()])
  expect(await leftOf(user)).toEqual([])
  // Nor is she let in by the other, whose copies are older.
  expect((await window.call('storage', 'set', { key: 'k', value: user })).ok).toBe(false)
  expect(await named(user)).toEqual([])
})
