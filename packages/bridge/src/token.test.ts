import { frozenClock } from '@svc/conformance/testing/frozen-clock'
import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { failure } from './bridge-error.ts'
import { createTokenKeeper, type TokenGrant, type TokenKeeper } from './token.ts'

function keeper(life = 120) {
  const clock = frozenClock()
  const asked: ((grant: TokenGrant | Error) => void)[] = []
  const failures: string[] = []
  const token = createTokenKeeper({
    first: { token: 'first', expires_in: life },
    clock,
    renew: () =>
      new Promise((resolve, reject) => {
        asked.push((grant) => (grant instanceof Error ? reject(grant) : resolve(grant)))
      }),
    onFailure: ({ code }) => failures.push(code),
  })
  return { clock, asked, failures, token }
}
/** The token of a call that comes now. */
const use = async (token: TokenKeeper) => token.current() ?? (await token.next())
const settled = () => new Promise<void>((done) => setImmediate(done))

verifies('wall.token.renewed', 'renews at half life by its timer, and again', async () => {
  const { clock, asked, token } = keeper()
  clock.advance(59_999)
  expect(asked).toHaveLength(0)
  clock.advance(1)
  expect(asked).toHaveLength(1)
  expect(token.current()).toBe('first')
  asked[0]?.({ token: 'second', expires_in: 120 })
  await settled()
  expect(token.current()).toBe('second')
  clock.advance(60_000)
  expect(asked).toHaveLength(2)
})

verifies('wall.token.renewed', 'renews by the wall clock after a sleep, once for all who wait', async () => {
  const { clock, asked, token } = keeper()
  clock.sleep(3_600_000)
  const all = Promise.all([use(token), use(token), token.next('first')])
  expect(asked).toHaveLength(1)
  asked[0]?.({ token: 'second', expires_in: 120 })
  expect(await all).toEqual(['second', 'second', 'second'])
})

it('counts the life of a token from when it was asked for', async () => {
  const { clock, asked, token } = keeper()
  clock.advance(60_000)
  clock.sleep(50_000)
  asked[0]?.({ token: 'second', expires_in: 120 })
  await settled()
  clock.sleep(10_000)
  expect(token.current()).toBe('second')
  expect(asked).toHaveLength(2)
})

it('gives the newer token to a call that was refused with the older one', async () => {
  const { asked, token } = keeper()
  const renewed = token.renew()
  asked[0]?.({ token: 'second', expires_in: 120 })
  await renewed
  expect(await token.next('first')).toBe('second')
  expect(asked).toHaveLength(1)
})

it('tells of a renewal that fails, and tries again with the next use', async () => {
  const { clock, asked, failures, token } = keeper()
  clock.advance(60_000)
  asked[0]?.(failure('internal_error', 'm'))
  await settled()
  expect(failures).toEqual(['internal_error'])
  expect(token.current()).toBe('first')
  expect(asked).toHaveLength(2)
  asked[1]?.(new TypeError('Failed to fetch'))
  await settled()
  expect(failures).toEqual(['internal_error', 'host_unreachable'])
})

verifies('wall.token.renewed', 'asks again for a call that met a renewal which then broke', async () => {
  const { clock, asked, token } = keeper()
  clock.advance(60_000)
  clock.sleep(60_000)
  const all = Promise.all([use(token), token.next('first')])
  asked[0]?.(new TypeError('Failed to fetch'))
  await settled()
  expect(asked).toHaveLength(2)
  asked[1]?.({ token: 'second', expires_in: 120 })
  expect(await all).toEqual(['second', 'second'])
})

it('asks nothing more once the window is gone, and tells it once', async () => {
  const { clock, asked, failures, token } = keeper()
  const refused = [token.next('first'), token.next('first')].map((one) => one.catch(({ code }) => code))
  asked[0]?.(failure('not_found', 'no such window'))
  expect(await Promise.all(refused)).toEqual(['not_found', 'not_found'])
  await expect(use(token)).rejects.toMatchObject({ code: 'not_found' })
  await expect(token.renew()).rejects.toMatchObject({ code: 'not_found' })
  expect([asked.length, clock.timers, failures]).toEqual([1, 0, ['not_found']])
})

it('asks no more than twice a second whatever the host answers', async () => {
  const { clock, asked } = keeper(0)
  clock.advance(499)
  expect(asked).toHaveLength(0)
  clock.advance(1)
  asked[0]?.({ token: 'second', expires_in: -5 })
  await settled()
  clock.advance(499)
  expect(asked).toHaveLength(1)
})

it('stops, and tells nobody of a renewal that was under way', async () => {
  const { clock, asked, failures, token } = keeper()
  clock.advance(60_000)
  token.stop(failure('bridge_reset', 'gone'))
  asked[0]?.(failure('not_found', 'no such window'))
  await settled()
  expect([clock.timers, failures, token.current()]).toEqual([0, [], null])
  await expect(token.renew()).rejects.toMatchObject({ code: 'bridge_reset' })
  expect(asked).toHaveLength(1)
})
