import { verifies } from '@svc/conformance/verifies'
import { limits, type Refusal } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { memoryStore } from '@svc/state'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { ModelFailure } from '../providers/failure.ts'
import { quotas as rows } from './quota-row.ts'
import { type DailyQuotas, openQuotas, type QuotaKind, type QuotaUse } from './quotas.ts'
import { readQuotas } from './read-quotas.ts'

function open(daily: Partial<DailyQuotas> = {}, store = memoryStore()) {
  const warned: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void warned.push(line) })
  const quotas = openQuotas({ store, clock: frozenClock(), limits, log }, readQuotas(daily))
  return {
    quotas,
    store,
    warned,
    /** Charges for one of something; what it is refused for, or `null`. */
    async take(counted: QuotaKind, more: Partial<QuotaUse> = {}) {
      try {
        return { charge: await quotas.charge({ userId: 'ada', appId: 'app_1', counted, tokens: 0, ...more }) }
      } catch (error) {
        return { refused: (error as Refusal).details }
      }
    },
    async row() {
      const page = await store.scan(rows, 'byUser', { eq: ['ada'], limit: 10 })
      return page.rows[0]?.row
    },
  }
}

verifies.each('decision.quota.kept_apart')([
  ['searches', 'fetches', 'searches_per_day'],
  ['fetches', 'searches', 'fetches_per_day'],
] as const)('%s of the web are counted apart from %s', async (counted, other, quota) => {
  const { take } = open({ [quota]: 2 })
  await take(counted)
  await take(counted, { appId: 'app_2' })
  expect(await take(counted)).toMatchObject({ refused: { quota, max: 2, used: 2, wanted: 1 } })
  expect(await take(other)).toHaveProperty('charge')
})

verifies('decision.quota.app_calls', 'searches and pages of one app count together', async () => {
  const { take, row } = open({ web_calls_per_app_per_day: 2 })
  const first = await take('searches')
  await take('fetches')
  const quota = 'web_calls_per_app_per_day'
  for (const counted of ['searches', 'fetches'] as const)
    expect(await take(counted)).toMatchObject({ refused: { quota, max: 2, used: 2, wanted: 1 } })
  expect(await take('searches', { appId: 'app_2' })).toHaveProperty('charge')
  await first.charge?.refund()
  expect(await row()).toMatchObject({ searches: 1, fetches: 1, web: expect.arrayContaining([['app_1', 1]]) })
  expect(await take('fetches')).toHaveProperty('charge')
})

verifies('decision.quota.kept_apart', 'no tokens hold back what no model does', async () => {
  const { take } = open({ tokens_per_day: 0 })
  expect(await take('searches')).toHaveProperty('charge')
  expect(await take('images')).toHaveProperty('charge')
  expect(await take('completions', { tokens: 1 })).toMatchObject({ refused: { quota: 'tokens_per_day' } })
})

verifies('decision.quota.kept_apart', 'nor do tokens that came out dearer than was charged', async () => {
  const { take } = open({ tokens_per_day: 1 })
  const dear = await take('completions', { tokens: 1 })
  await dear.charge?.settle(5)
  expect(await take('searches')).toHaveProperty('charge')
  expect(await take('runs', { tokens: 0 })).toMatchObject({ refused: { quota: 'tokens_per_day', used: 5 } })
})

verifies('decision.quota.settled', 'more tokens of what was counted before count as no call', async () => {
  const { take, row } = open({ runs_per_day: 1, tokens_per_day: 10 })
  await take('runs', { appCalls: 1, tokens: 4 })
  expect(await take('runs', { appCalls: 1, tokens: 4, count: 0 })).toHaveProperty('charge')
  expect(await take('runs', { tokens: 4, count: 0 })).toMatchObject({ refused: { quota: 'tokens_per_day' } })
  expect(await row()).toMatchObject({ runs: 1, tokens: 8, apps: [['app_1', 1]] })
})

verifies('decision.quota.settled', 'more tokens are given where fewer calls may be made by now', async () => {
  const before = open()
  await before.take('runs', { tokens: 4 })
  const { take } = open({ runs_per_day: 0 }, before.store)
  expect(await take('runs', { tokens: 4, count: 0 })).toHaveProperty('charge')
  expect(await take('runs')).toMatchObject({ refused: { quota: 'runs_per_day', used: 1, max: 0 } })
})

verifies('decision.quota.settled', 'no end of a charge gives back more than it took', async () => {
  const { quotas, take, row } = open()
  const first = await take('runs', { tokens: 5 })
  const busy = () => Promise.reject(new ModelFailure('m', 'busy'))
  const wanted = { userId: 'ada', appId: 'app_1', counted: 'runs', tokens: 7 } as const
  await quotas.spend(wanted, busy).catch(() => undefined)
  expect(await row()).toMatchObject({ runs: 2, tokens: 5 })
  await first.charge?.settle(-3)
  expect(await row()).toMatchObject({ tokens: 0 })
})

verifies('decision.quota.settled', 'several at once are charged and given back as such', async () => {
  const { take, row } = open({ images_per_day: 3 })
  const three = await take('images', { count: 3 })
  expect(await row()).toMatchObject({ images: 3 })
  expect(await take('images')).toMatchObject({ refused: { used: 3, wanted: 1 } })
  await three.charge?.refund()
  expect(await row()).toMatchObject({ images: 0, tokens: 0 })
  expect(await take('images', { count: 4 })).toMatchObject({ refused: { used: 0, wanted: 4 } })
})

it('tells the log of a charge that cannot be settled, and the caller of what failed', async () => {
  const { quotas, store, warned } = open()
  const wanted = { userId: 'ada', appId: 'app_1', counted: 'runs', tokens: 5 } as const
  const failed = new Error('it broke')
  const spending = quotas.spend(wanted, () => Promise.reject(failed))
  await expect(spending).rejects.toBe(failed)
  expect(warned).toEqual([])
  await quotas.spend(wanted, async () => {
    await store.close()
    return { usage: { inputTokens: 0, outputTokens: 0, totalTokens: 1 } }
  })
  expect(warned).toEqual([expect.stringContaining('a charge could not be settled')])
})

it('takes a quota of 0', async () => {
  const { take } = open({ searches_per_day: 0 })
  expect(await take('searches')).toMatchObject({ refused: { quota: 'searches_per_day', max: 0, used: 0 } })
})
