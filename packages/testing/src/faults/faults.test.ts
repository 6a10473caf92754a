import type { Svc } from '@svc/sdk'
import { expect, it } from 'vitest'
import type { TestHost } from '../index.ts'
import { codeOf, faultHosts, imageModel, question } from '../testing/fault-host.ts'
import { faultTable } from './fault-table.ts'

const { at, open } = faultHosts()

it('loseFrame: the client asks for what is missing, and the app reads the whole text', async () => {
  const { svc } = await open({ models: { default: [{ text: ['One ', 'two ', 'three'], everyMs: 10 }] } })
  at().fault.loseFrame(5)
  const run = await svc.llm.streamText(question)
  const pieces: string[] = []
  run.on('text', (piece) => pieces.push(piece))
  await at().clock.advance(20)
  expect(pieces).toEqual(['One '])
  await at().clock.advance(250)
  expect(pieces).toEqual(['One ', 'two ', 'three'])
  expect(await run.final()).toMatchObject({ text: 'One two three' })
})

it('loseFrame: called twice, it loses the frame also where it is sent again', async () => {
  const { svc } = await open({ models: { default: () => ({ text: ['One ', 'two'], everyMs: 10 }) } })
  at().fault.loseFrame(5)
  at().fault.loseFrame(5)
  const run = await svc.llm.streamText(question)
  const pieces: string[] = []
  run.on('text', (piece) => pieces.push(piece))
  await at().clock.advance(10)
  await at().clock.advance(250)
  expect(pieces).toEqual(['One '])
  await at().clock.advance(5_000)
  expect(pieces).toEqual(['One ', 'two'])
})

it('killPlugin: a call fails with plug_error, a job too, and the next call has a new process', async () => {
  const calls: string[] = []
  const describe_csv = ({ hang }: { hang: boolean }) => {
    calls.push(hang ? 'hangs' : 'answers')
    return hang ? new Promise(() => {}) : { rows: 1 }
  }
  const { svc } = await open({ tools: { 'csv-stats': { describe_csv } } })
  const call = { tool_id: 'csv-stats', method: 'describe_csv' }
  const asked = svc.tools.invoke({ ...call, args: { hang: true } }).catch((error) => error)
  const { jobId } = await svc.tools.invokeAsync({ ...call, args: { hang: true } })
  await at().clock.settled()
  await at().fault.killPlugin('csv-stats')
  expect(await asked).toMatchObject({
    code: faultTable.killPlugin.code,
    message: 'The plugin ended by signal SIGKILL before it answered.',
    details: { signal: 'SIGKILL' },
  })
  expect(await svc.tools.getJob({ jobId })).toMatchObject({ state: 'failed', error: { code: 'plug_error' } })
  expect(await svc.tools.invoke(call)).toEqual({ rows: 1 })
  expect(calls).toEqual(['hangs', 'hangs', 'answers'])
})

it('expireToken: the call is refused, sent again with a new token, and the app sees nothing', async () => {
  const { svc } = await open()
  await svc.storage.set({ key: 'a', value: 1 })
  await at().fault.expireToken()
  at().fault.slowHost(100)
  let isThere = false
  const asked = svc.storage.get({ key: 'a' }).finally(() => {
    isThere = true
  })
  await at().clock.advance(299)
  expect(isThere).toBe(false)
  // The refusal, the new token, and the answer.
  await at().clock.advance(1)
  expect(await asked).toMatchObject({ value: 1 })
})

it('expireToken: has the life of tokens from the limits of the host', async () => {
  const { svc } = await open({ limits: { WINDOW_TOKEN_TTL_MS: 600_000 } })
  await svc.storage.set({ key: 'a', value: 1 })
  await at().fault.expireToken()
  at().fault.slowHost(100)
  let isThere = false
  const asked = svc.storage.get({ key: 'a' }).finally(() => {
    isThere = true
  })
  await at().clock.advance(100)
  expect(isThere).toBe(false)
  await at().clock.advance(200)
  expect(await asked).toMatchObject({ value: 1 })
})

it.each([
  ['completions_per_day', (svc) => svc.llm.complete(question)],
  ['tokens_per_day', (svc) => svc.llm.complete(question)],
  ['images_per_day', (svc) => svc.image.generate({ prompt: 'a cat' })],
  ['searches_per_day', (svc) => svc.web.search({ query: 'cats' })],
  ['fetches_per_day', (svc) => svc.web.fetch({ url: 'https://site.org/' })],
] as [Parameters<TestHost['fault']['spendQuota']>[0], (svc: Svc) => Promise<unknown>][])(
  'spendQuota: with %s used up a call is refused until the day ends',
  async (name, call) => {
    const { svc } = await open({
      models: { default: () => 'Hello' },
      grants: { image_grant: true, web_grant: true },
      startsAt: Date.UTC(2026, 0, 1, 23, 59, 50),
      host: { webSearch: async () => [], imageModel },
    })
    await at().fault.spendQuota(name)
    const refused = await call(svc).catch((error) => error)
    expect(refused).toMatchObject({
      code: faultTable.spendQuota.code,
      hint: expect.stringContaining('The quota is reset at 2026-01-02T00:00:00.000Z.'),
      details: { quota: name, resets_at: '2026-01-02T00:00:00.000Z' },
    })
    await at().clock.advance(10_000)
    expect(await codeOf(call(svc))).not.toBe('quota_exceeded')
  },
)

it('cutStream: the page connects again, and the app hears what happened meanwhile', async () => {
  const { svc, window } = await open()
  const titles: string[] = []
  window.on('title_changed', ({ title }) => titles.push(title))
  await at().fault.cutStream()
  await svc.window.set_title({ title: 'While it was cut' })
  await at().clock.settled()
  expect(titles).toEqual([])
  await at().clock.advance(1_000)
  expect(titles).toEqual(['While it was cut'])
})

it('slowHost: a call that waits too long is given up, and the next one is answered', async () => {
  const { svc } = await open()
  await svc.ready
  at().fault.slowHost(3_000)
  const asked = codeOf(svc.storage.set({ key: 'a', value: 1 }, { timeoutMs: 2_000 }))
  await at().clock.advance(2_000)
  expect(await asked).toBe(faultTable.slowHost.code)
  const patient = svc.storage.set({ key: 'a', value: 2 })
  await at().clock.advance(3_000)
  expect(await patient).toMatchObject({ generation: 1 })
  at().fault.slowHost(0)
  expect(await svc.storage.get({ key: 'a' })).toMatchObject({ value: 2 })
})

it('hostGone and hostBack: calls fail with host_unreachable, and a job is found again', async () => {
  const done = Promise.withResolvers<object>()
  const { svc } = await open({ tools: { 'csv-stats': { describe_csv: () => done.promise } } })
  const told: string[] = []
  at().bridge.on('host_lost', () => told.push('lost'))
  at().bridge.on('host_back', () => told.push('back'))
  const job = svc.tools.invokeAsyncAwait({ tool_id: 'csv-stats', method: 'describe_csv' })
  await at().clock.settled()
  await at().fault.hostGone()
  await at().clock.advance(1_000)
  const refused = await svc.storage.get({ key: 'a' }).catch((error) => error)
  expect(refused).toMatchObject({ code: faultTable.hostGone.code, retryable: true })
  done.resolve({ rows: 1 })
  await at().clock.advance(60_000)
  expect(told).toEqual(['lost'])
  await at().fault.hostBack()
  await at().clock.advance(10_000)
  expect(told).toEqual(['lost', 'back'])
  expect(await job).toEqual({ rows: 1 })
})
