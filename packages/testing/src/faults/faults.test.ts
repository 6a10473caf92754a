import type { ImageModelV4 } from '@ai-sdk/provider'
import type { Svc } from '@svc/sdk'
import { afterEach, expect, it } from 'vitest'
import { createTestHost, type TestHost, type TestHostOptions } from '../index.ts'
import { faultTable } from './fault-table.ts'

const manifest = {
  schema: 3,
  name: 'App',
  ui: {
    bundle: { entry: 'index.html' },
    views: [{ name: 'main' }],
    host_api: {
      storage: ['*'],
      llm: ['*'],
      image: ['*'],
      upload: ['*'],
      web: ['*'],
      credentials: ['*'],
      agent: { session: { auto: true }, tools: ['time_now'] },
    },
  },
  required_plugs: [{ handle: 'csv-stats' }],
}

/** One pixel, whatever is asked for. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const imageModel: ImageModelV4 = {
  specificationVersion: 'v4',
  provider: 'test',
  modelId: 'pixel',
  maxImagesPerCall: 4,
  doGenerate: async () => ({
    images: [PIXEL],
    warnings: [],
    response: { timestamp: new Date(0), modelId: 'pixel', headers: undefined },
  }),
}

let host: TestHost
afterEach(() => host.close())

async function open(options: Partial<TestHostOptions> = {}) {
  host = await createTestHost({ manifest, ...options })
  return host.openWindow()
}
const codeOf = (call: Promise<unknown>) => call.catch((error) => error.code)
const question = { messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'Count' } }] }

it('loseFrame: the client asks for what is missing, and the app reads the whole text', async () => {
  const { svc } = await open({ models: { default: [{ text: ['One ', 'two ', 'three'], everyMs: 10 }] } })
  host.fault.loseFrame(5)
  const run = await svc.llm.streamText(question)
  const pieces: string[] = []
  run.on('text', (piece) => pieces.push(piece))
  await host.clock.advance(20)
  expect(pieces).toEqual(['One '])
  await host.clock.advance(250)
  expect(pieces).toEqual(['One ', 'two ', 'three'])
  expect(await run.final()).toMatchObject({ text: 'One two three' })
})

it('loseFrame: called twice, it loses the frame also where it is sent again', async () => {
  const { svc } = await open({ models: { default: () => ({ text: ['One ', 'two'], everyMs: 10 }) } })
  host.fault.loseFrame(5)
  host.fault.loseFrame(5)
  const run = await svc.llm.streamText(question)
  const pieces: string[] = []
  run.on('text', (piece) => pieces.push(piece))
  await host.clock.advance(10)
  await host.clock.advance(250)
  expect(pieces).toEqual(['One '])
  await host.clock.advance(5_000)
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
  await host.clock.settled()
  await host.fault.killPlugin('csv-stats')
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
  await host.fault.expireToken()
  host.fault.slowHost(100)
  let isThere = false
  const asked = svc.storage.get({ key: 'a' }).finally(() => {
    isThere = true
  })
  await host.clock.advance(299)
  expect(isThere).toBe(false)
  // The refusal, the new token, and the answer.
  await host.clock.advance(1)
  expect(await asked).toMatchObject({ value: 1 })
})

it('expireToken: has the life of tokens from the limits of the host', async () => {
  const { svc } = await open({ limits: { WINDOW_TOKEN_TTL_MS: 600_000 } })
  await svc.storage.set({ key: 'a', value: 1 })
  await host.fault.expireToken()
  host.fault.slowHost(100)
  let isThere = false
  const asked = svc.storage.get({ key: 'a' }).finally(() => {
    isThere = true
  })
  await host.clock.advance(100)
  expect(isThere).toBe(false)
  await host.clock.advance(200)
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
    await host.fault.spendQuota(name)
    const refused = await call(svc).catch((error) => error)
    expect(refused).toMatchObject({
      code: faultTable.spendQuota.code,
      hint: expect.stringContaining('The quota is reset at 2026-01-02T00:00:00.000Z.'),
      details: { quota: name, resets_at: '2026-01-02T00:00:00.000Z' },
    })
    await host.clock.advance(10_000)
    expect(await codeOf(call(svc))).not.toBe('quota_exceeded')
  },
)

it('cutStream: the page connects again, and the app hears what happened meanwhile', async () => {
  const { svc, window } = await open()
  const titles: string[] = []
  window.on('title_changed', ({ title }) => titles.push(title))
  await host.fault.cutStream()
  await svc.window.set_title({ title: 'While it was cut' })
  await host.clock.settled()
  expect(titles).toEqual([])
  await host.clock.advance(1_000)
  expect(titles).toEqual(['While it was cut'])
})

it.each([
  ['image', 'image_grant', (svc) => svc.image.generate({ prompt: 'a cat' })],
  ['upload', 'upload_grant', (svc) => svc.upload.list({})],
  ['web', 'web_grant', (svc) => svc.web.search({ query: 'cats' })],
  ['credentials', 'credentials_grant', (svc) => svc.credentials.status({ name: 'key' })],
  ['storage', 'allowed_scopes', (svc) => svc.storage.get({ key: 'a', scope: 'shared' })],
  ['models', 'models', (svc) => svc.llm.complete(question)],
] as [Parameters<TestHost['fault']['denyGrant']>[0], string, (svc: Svc) => Promise<unknown>][])(
  'denyGrant: without the grant %s a call is refused by it',
  async (name, hint, call) => {
    const { svc } = await open({
      models: { default: () => 'Hello' },
      grants: {
        image_grant: true,
        upload_grant: true,
        web_grant: true,
        credentials_grant: true,
        allowed_scopes: ['shared'],
      },
      host: { webSearch: async () => [], imageModel },
    })
    expect(await codeOf(call(svc))).not.toBe('permission_denied')
    await host.fault.denyGrant(name)
    expect(await call(svc).catch((error) => error)).toMatchObject({
      code: faultTable.denyGrant.code,
      hint: expect.stringContaining(hint),
      details: { denied_by: 'grant' },
    })
  },
)

it('denyGrant: without the grant agent a session has no platform tools', async () => {
  const { svc } = await open({
    models: { default: [] },
    grants: { agent: { platform_tools: ['time_now'] } },
  })
  const granted = async () => (await svc.agent.session.create({ submode: 'auto' })).granted_tools
  expect(await granted()).toEqual(['time_now'])
  await host.fault.denyGrant('agent')
  expect(await granted()).toEqual([])
})

it('slowHost: a call that waits too long is given up, and the next one is answered', async () => {
  const { svc } = await open()
  await svc.ready
  host.fault.slowHost(3_000)
  const asked = codeOf(svc.storage.set({ key: 'a', value: 1 }, { timeoutMs: 2_000 }))
  await host.clock.advance(2_000)
  expect(await asked).toBe(faultTable.slowHost.code)
  const patient = svc.storage.set({ key: 'a', value: 2 })
  await host.clock.advance(3_000)
  expect(await patient).toMatchObject({ generation: 1 })
  host.fault.slowHost(0)
  expect(await svc.storage.get({ key: 'a' })).toMatchObject({ value: 2 })
})

it('hostGone and hostBack: calls fail with host_unreachable, and a job is found again', async () => {
  const done = Promise.withResolvers<object>()
  const { svc } = await open({ tools: { 'csv-stats': { describe_csv: () => done.promise } } })
  const told: string[] = []
  host.bridge.on('host_lost', () => told.push('lost'))
  host.bridge.on('host_back', () => told.push('back'))
  const job = svc.tools.invokeAsyncAwait({ tool_id: 'csv-stats', method: 'describe_csv' })
  await host.clock.settled()
  await host.fault.hostGone()
  await host.clock.advance(1_000)
  const refused = await svc.storage.get({ key: 'a' }).catch((error) => error)
  expect(refused).toMatchObject({ code: faultTable.hostGone.code, retryable: true })
  done.resolve({ rows: 1 })
  await host.clock.advance(60_000)
  expect(told).toEqual(['lost'])
  await host.fault.hostBack()
  await host.clock.advance(10_000)
  expect(told).toEqual(['lost', 'back'])
  expect(await job).toEqual({ rows: 1 })
})

it.each([
  ['loseFrame(99)', () => host.fault.loseFrame(99)],
  ['expireToken()', () => host.fault.expireToken()],
  ['slowHost(100)', () => host.fault.slowHost(100)],
])('says at the end of the test that %s never struck', async (call, fault) => {
  const { svc } = await open()
  await svc.storage.set({ key: 'a', value: 1 })
  await fault()
  await expect(host.close()).rejects.toMatchObject({
    message: expect.stringContaining(`host.close() at the end of the test: the fault ${call} never struck\n`),
    hint: expect.stringContaining('strikes what comes after it'),
  })
})

it('says at the end of the test that hostGone() never struck, where no window was open', async () => {
  host = await createTestHost({ manifest })
  await host.fault.hostGone()
  await expect(host.close()).rejects.toThrow('the fault hostGone() never struck')
})

it.each([
  ['expireToken', () => host.fault.expireToken(), 'expireToken: no window is open'],
  ['cutStream', () => host.fault.cutStream(), 'cutStream: no event stream is open'],
  ['killPlugin', () => host.fault.killPlugin('csv-stats'), 'killPlugin: no process of "csv-stats" runs'],
  ['denyGrant', () => host.fault.denyGrant('web'), 'denyGrant: the user has not granted web'],
  [
    'loseFrame',
    async () => host.fault.loseFrame(0),
    'loseFrame takes the number of a frame of at least 1, got 0',
  ],
  ['slowHost', async () => host.fault.slowHost(-1), 'slowHost takes ms of at least 0, got -1'],
])('%s says that it would do nothing', async (_, fault, message) => {
  host = await createTestHost({ manifest, tools: { 'csv-stats': {} } })
  await expect(fault()).rejects.toMatchObject({
    name: 'TestHostError',
    message: expect.stringContaining(`${message}\n`),
  })
})

it.each([
  ['killPlugin', () => host.fault.killPlugin('csv'), /no tools were given of a plugin "csv"/],
  ['spendQuota', () => host.fault.spendQuota('llm' as never), /there is no quota "llm"/],
  ['denyGrant', () => host.fault.denyGrant('tools' as never), /there is no grant "tools"/],
])('%s says what there is where a name is wrong', async (_, fault, message) => {
  await open({ tools: { 'csv-stats': {} } })
  await expect(fault()).rejects.toMatchObject({
    message: expect.stringMatching(message),
    hint: expect.any(String),
  })
})
