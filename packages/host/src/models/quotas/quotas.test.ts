import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { memoryStore } from '@svc/state'
import fc from 'fast-check'
import { pino } from 'pino'
import { expect } from 'vitest'
import { refusal } from '../../testing/services.ts'
import { ModelFailure } from '../providers/failure.ts'
import { type QuotaRow, quotas as rows } from './quota-row.ts'
import { type DailyQuotas, openQuotas, type QuotaUse } from './quotas.ts'
import { readQuotas } from './read-quotas.ts'

const HOUR = 3_600_000

function open(daily: Partial<DailyQuotas> = {}, clock = frozenClock()) {
  const store = memoryStore()
  const services = { store, clock, limits, log: pino({ level: 'silent' }) }
  const quotas = openQuotas(services, readQuotas(daily))
  const used = async (): Promise<QuotaRow[]> => {
    const page = await store.scan(rows, 'endsAt', { limit: 100 })
    return page.rows.map(({ row }) => row)
  }
  return { quotas, used, clock, store }
}

const wanted = (change: Partial<QuotaUse> = {}): QuotaUse => ({
  userId: 'ada',
  appId: 'app_1',
  counted: 'completions',
  tokens: 10,
  ...change,
})
const passed = async (tries: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled').length

verifies.each('decision.quota.atomic')([
  ['completions a user', { completions_per_day: 5 }, {}],
  ['runs a user', { runs_per_day: 5 }, { counted: 'runs' }],
  ['images a user', { images_per_day: 5 }, { counted: 'images' }],
  ['tokens a user', { tokens_per_day: 50 }, {}],
  ['calls of an app', {}, { appCalls: 5 }],
] as const)('of 50 at once 5 pass: %s', async (_name, daily, change) => {
  const { quotas } = open(daily)
  const tries = Array.from({ length: 50 }, () => quotas.charge(wanted(change)))
  expect(await passed(tries)).toBe(5)
})

verifies(
  'decision.quota.day',
  'a day ends at midnight in UTC, and what was begun counts on its own day',
  async () => {
    const { quotas, used, clock } = open(
      { completions_per_day: 1 },
      frozenClock(Date.UTC(2026, 0, 1, 23, 59, 59, 999)),
    )
    const late = await quotas.charge(wanted())
    expect(await refusal(quotas.charge(wanted()))).toMatch(
      /^quota_exceeded: completions_per_day is 1; 1 are used or charged today, and this call may use up to 1$/,
    )
    await clock.advance(1)
    await quotas.charge(wanted())
    await refusal(quotas.charge(wanted()))
    await late.settle(99)
    expect((await used()).map(({ ends_at, tokens }) => [new Date(ends_at).toISOString(), tokens])).toEqual([
      ['2026-01-02T00:00:00.000Z', 99],
      ['2026-01-03T00:00:00.000Z', 10],
    ])
  },
)

verifies('error.quota_exceeded', 'the refusal says which quota, how much of it, and until when', async () => {
  const { quotas } = open({ tokens_per_day: 15 })
  await quotas.charge(wanted())
  await expect(quotas.charge(wanted())).rejects.toMatchObject({
    code: 'quota_exceeded',
    details: {
      quota: 'tokens_per_day',
      max: 15,
      used: 10,
      wanted: 10,
      resets_at: '2026-01-02T00:00:00.000Z',
    },
  })
})

verifies('decision.quota.kept_apart', 'users, apps and kinds do not take from each other', async () => {
  const { quotas } = open({ completions_per_day: 1, runs_per_day: 1, images_per_day: 1 })
  await quotas.charge(wanted({ appCalls: 1 }))
  await quotas.charge(wanted({ userId: 'bob', appCalls: 1 }))
  await quotas.charge(wanted({ counted: 'runs', appId: 'app_2', appCalls: 1 }))
  await quotas.charge(wanted({ counted: 'images', appCalls: 0 }))
  expect(await refusal(quotas.charge(wanted({ counted: 'runs', appCalls: 1 })))).toContain(
    'runs_per_day is 1',
  )
})

verifies(
  'decision.quota.app_calls',
  "completions and runs of an app count against its user's cap",
  async () => {
    const { quotas } = open()
    await quotas.charge(wanted({ appCalls: 2 }))
    await quotas.charge(wanted({ appCalls: 2, counted: 'runs' }))
    for (const counted of ['completions', 'runs'] as const)
      expect(await refusal(quotas.charge(wanted({ appCalls: 2, counted })))).toContain(
        'max_runs_per_day is 2',
      )
    await quotas.charge(wanted({ appId: 'app_2', appCalls: 2 }))
  },
)

const usage = (totalTokens: number) => ({ usage: { inputTokens: 0, outputTokens: 0, totalTokens } })

verifies.each('decision.quota.settled')([
  ['an answer', async () => usage(3), 1, 3],
  ['an answer dearer than charged', async () => usage(70), 1, 70],
  ['nothing reached the model', () => Promise.reject(new ModelFailure('m', 'unreachable')), 0, 0],
  ['the model refused', () => Promise.reject(new ModelFailure('m', 'busy')), 1, 0],
  ['it broke off', () => Promise.reject(new ModelFailure('m', 'unfinished')), 1, 10],
  ['the caller left', () => Promise.reject(new DOMException('gone', 'AbortError')), 1, 10],
] as const)('%s', async (_name, work, completions, tokens) => {
  const { quotas, used } = open()
  await quotas.spend(wanted(), work).catch(() => undefined)
  const apps = completions === 0 ? [] : [['app_1', completions]]
  expect(await used()).toMatchObject([{ completions, tokens, apps }])
})

verifies('decision.quota.settled', 'only the first end of a charge counts', async () => {
  const { quotas, used } = open()
  const charged = await quotas.charge(wanted())
  await Promise.all([charged.settle(4), charged.refund(), charged.settle(5)])
  await charged.refund()
  expect(await used()).toMatchObject([{ completions: 1, tokens: 4 }])
})

verifies('decision.quota.settled', 'an answer is given even where it cannot be settled', async () => {
  const { quotas, store } = open()
  const done = await quotas.spend(wanted(), async () => {
    await store.close()
    return usage(3)
  })
  expect(done).toEqual(usage(3))
})

verifies('decision.quota.atomic', 'whatever happens side by side, the counts come out right', async () => {
  const step = fc.record({
    counted: fc.constantFrom('completions', 'runs', 'images'),
    appId: fc.constantFrom('app_1', 'app_2'),
    tokens: fc.integer({ min: 0, max: 40 }),
    end: fc.constantFrom('settle', 'refund', 'leave'),
    took: fc.integer({ min: 0, max: 60 }),
  } as const)
  const daily = { completions_per_day: 3, runs_per_day: 2, images_per_day: 4, tokens_per_day: 100_000 }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const { quotas, used } = open(daily)
      const count = { completions: 0, runs: 0, images: 0, tokens: 0 }
      await Promise.all(
        steps.map(async ({ end, took, ...one }) => {
          const charged = await quotas.charge(wanted(one)).catch(() => null)
          if (!charged) return
          if (end === 'settle') await charged.settle(took)
          if (end === 'refund') return charged.refund()
          count[one.counted] += 1
          count.tokens += end === 'settle' ? took : one.tokens
        }),
      )
      const [row] = await used()
      expect(row ?? count).toMatchObject(count)
      for (const kind of ['completions', 'runs', 'images'] as const)
        expect(count[kind]).toBeLessThanOrEqual(daily[`${kind}_per_day`])
      const calls = (row?.apps ?? []).reduce((sum, [, ofApp]) => sum + ofApp, 0)
      expect(calls).toBe(count.completions + count.runs)
    }),
    { numRuns: rounds(300) },
  )
})

verifies('decision.quota.day', 'counts of a day are forgotten two days after it', async () => {
  const { quotas, used, clock } = open()
  await quotas.charge(wanted())
  await clock.advance(24 * HOUR + limits.QUOTA_KEPT_MS - 1)
  await quotas.sweep()
  expect(await used()).toHaveLength(1)
  await clock.advance(1)
  await quotas.sweep()
  expect(await used()).toHaveLength(0)
})
