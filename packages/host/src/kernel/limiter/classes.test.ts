import { verifies } from '@svc/conformance/verifies'
import { limits, type RateName, type Refusal, rates } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { expect } from 'vitest'
import { openLimiter } from './limiter.ts'

const byUser = ['call', 'open', 'costly', 'model', 'report', 'route', 'publish'] as const
const byAddress = ['public', 'browser', 'sign_in', 'refused'] as const
const head = (peer: string | undefined) => ({ peer, get: () => undefined })
const ada = head('9.9.9.9')

/** A limiter in which every class has other numbers: the n-th lets n at once, and one more after 1 000 / n ms. */
function open({ isShort = false, appPercent = 100, hostTimes = 1, perSecond = 0 } = {}) {
  const names = Object.keys(rates) as RateName[]
  const numbers = names.flatMap((name, at) => [
    [`RATE_${name.toUpperCase()}_PER_SECOND`, perSecond || at + 1],
    [`RATE_${name.toUpperCase()}_BURST`, at + 1],
  ])
  const counted: string[] = []
  const asked: unknown[] = []
  const limiter = openLimiter({
    clock: frozenClock(),
    waits: frozenClock(),
    limits: {
      ...limits,
      ...Object.fromEntries(numbers),
      RATE_APP_PERCENT: appPercent,
      RATE_HOST_TIMES: hostTimes,
    },
    addresses: { of: ({ peer }) => peer, isProxy: () => false },
    load: {
      isTooMuch(who, count) {
        asked.push([who, count])
        return isShort
      },
    },
    metrics: { rateLimited: (rate, by) => void counted.push(`${rate} ${by}`) },
  })
  const number = (name: RateName) => names.indexOf(name) + 1
  return { limiter, number, counted, asked }
}

/** What a request is refused for; `null` where it is let through. */
function refusalOf(hold: () => void) {
  try {
    hold()
    return null
  } catch (error) {
    const { code, details } = error as Refusal
    return { code, ...details }
  }
}
const refused = (rate: RateName, by: string, ms: number) => ({
  code: 'rate_limited',
  rate,
  by,
  retry_after_ms: ms,
  hint: `Wait ${ms} ms. The operator sets RATE_${rate.toUpperCase()}_PER_SECOND and RATE_${rate.toUpperCase()}_BURST.`,
})

verifies.each('load.rate')(byUser.map((name) => [name]))('the class %s of a user has its numbers', (name) => {
  const { limiter, number, counted } = open()
  const most = number(name)
  limiter.consume(name, 'ada', undefined, most)
  expect(refusalOf(() => limiter.consume(name, 'ada'))).toEqual(
    refused(name, 'user', Math.ceil(1_000 / most)),
  )
  expect(refusalOf(() => limiter.consume(name, 'bob'))).toBeNull()
  expect(counted).toEqual([`${name} user`])
})

verifies.each('load.rate.address')(byAddress.map((name) => [name]))(
  'the class %s of an address has its numbers, and what was not counted refuses nobody',
  (name) => {
    const { limiter, number } = open({ hostTimes: 2 })
    const most = number(name)
    for (let n = 0; n < most; n++) {
      expect(refusalOf(() => limiter.checkUnspent(name, ada))).toBeNull()
      limiter.consumeFrom(name, ada)
    }
    const expected = refused(name, 'address', Math.ceil(1_000 / most))
    expect(refusalOf(() => limiter.checkUnspent(name, ada))).toEqual(expected)
    expect(refusalOf(() => limiter.consumeFrom(name, ada))).toEqual(expected)
    expect(refusalOf(() => limiter.checkUnspent(name, head('9.9.9.8')))).toBeNull()
    for (let n = 0; n < most; n++) limiter.consumeFrom(name, head('9.9.9.8'))
    expect(refusalOf(() => limiter.consumeFrom(name, head('9.9.9.7')))).toMatchObject({ by: 'host' })
  },
)

verifies('load.rate', 'an app has its part of the numbers of its user, and each app one of its own', () => {
  const { limiter, number } = open({ appPercent: 50 })
  const half = Math.ceil(number('publish') / 2)
  for (let n = 0; n < half; n++) limiter.consume('publish', 'ada', 'app_1')
  expect(refusalOf(() => limiter.consume('publish', 'ada', 'app_1'))).toMatchObject({ by: 'app' })
  expect(refusalOf(() => limiter.consume('publish', 'ada', 'app_2'))).toBeNull()
  expect(refusalOf(() => limiter.consume('publish', 'bob', 'app_1'))).toBeNull()
})

verifies('load.rate.refused', 'a wait of a millisecond is a refusal too', () => {
  const fast = { perSecond: 1_000 }
  for (const by of ['user', 'app'] as const) {
    const { limiter, number } = open(fast)
    const appId = by === 'app' ? 'app_1' : undefined
    limiter.consume('call', 'ada', appId, number('call'))
    expect(refusalOf(() => limiter.consume('call', 'ada', appId))).toEqual(refused('call', by, 1))
  }
  const { limiter, number } = open(fast)
  for (let n = 0; n < number('refused'); n++) limiter.consumeFrom('refused', ada)
  expect(refusalOf(() => limiter.checkUnspent('refused', ada))).toEqual(refused('refused', 'address', 1))
  expect(refusalOf(() => limiter.consumeFrom('refused', ada))).toEqual(refused('refused', 'address', 1))
  expect(refusalOf(() => limiter.consumeFrom('refused', head('9.9.9.8')))).toEqual(
    refused('refused', 'host', 1),
  )
})

verifies('load.shed', 'a host that is short of something refuses before it counts', () => {
  const { limiter, counted, asked } = open({ isShort: true })
  expect(refusalOf(() => limiter.consume('call', 'ada', 'app_1', 3))).toEqual(refused('call', 'load', 1_000))
  expect(refusalOf(() => limiter.consumeFrom('public', ada))).toEqual(refused('public', 'load', 1_000))
  expect(counted).toEqual(['call load', 'public load'])
  expect(asked).toEqual([
    ['ada', 3],
    ['9.9.9.9', undefined],
  ])
})

verifies('load.rate.address', 'a request whose address nobody knows is let through', () => {
  const { limiter } = open({ isShort: true })
  const nobody = head(undefined)
  expect(refusalOf(() => limiter.consumeFrom('public', nobody))).toBeNull()
  const { limiter: other, number } = open()
  for (let n = 0; n < number('refused'); n++) other.consumeFrom('refused', ada)
  expect(refusalOf(() => other.checkUnspent('refused', nobody))).toBeNull()
})
