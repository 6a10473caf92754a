import type { Svc } from '@svc/sdk'
import { expect, it } from 'vitest'
import type { TestHost } from '../index.ts'
import { codeOf, faultHosts, imageModel, question } from '../testing/fault-host.ts'
import { faultTable } from './fault-table.ts'

const { at, open, start } = faultHosts()

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
    await at().fault.denyGrant(name)
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
  await at().fault.denyGrant('agent')
  expect(await granted()).toEqual([])
})

it.each([
  ['loseFrame(99)', () => at().fault.loseFrame(99)],
  ['expireToken()', () => at().fault.expireToken()],
  ['slowHost(100)', () => at().fault.slowHost(100)],
])('says at the end of the test that %s never struck', async (call, fault) => {
  const { svc } = await open()
  await svc.storage.set({ key: 'a', value: 1 })
  await fault()
  await expect(at().close()).rejects.toMatchObject({
    message: expect.stringContaining(`host.close() at the end of the test: the fault ${call} never struck\n`),
    hint: expect.stringContaining('strikes what comes after it'),
  })
})

it('says at the end of the test that hostGone() never struck, where no window was open', async () => {
  await start()
  await at().fault.hostGone()
  await expect(at().close()).rejects.toThrow('the fault hostGone() never struck')
})

it.each([
  ['expireToken', () => at().fault.expireToken(), 'expireToken: no window is open'],
  ['cutStream', () => at().fault.cutStream(), 'cutStream: no event stream is open'],
  ['killPlugin', () => at().fault.killPlugin('csv-stats'), 'killPlugin: no process of "csv-stats" runs'],
  ['denyGrant', () => at().fault.denyGrant('web'), 'denyGrant: the user has not granted web'],
  [
    'loseFrame',
    async () => at().fault.loseFrame(0),
    'loseFrame takes the number of a frame of at least 1, got 0',
  ],
  ['slowHost', async () => at().fault.slowHost(-1), 'slowHost takes ms of at least 0, got -1'],
])('%s says that it would do nothing', async (_, fault, message) => {
  await start({ tools: { 'csv-stats': {} } })
  await expect(fault()).rejects.toMatchObject({
    name: 'TestHostError',
    message: expect.stringContaining(`${message}\n`),
  })
})

it.each([
  ['killPlugin', () => at().fault.killPlugin('csv'), /no tools were given of a plugin "csv"/],
  ['spendQuota', () => at().fault.spendQuota('llm' as never), /there is no quota "llm"/],
  ['denyGrant', () => at().fault.denyGrant('tools' as never), /there is no grant "tools"/],
])('%s says what there is where a name is wrong', async (_, fault, message) => {
  await open({ tools: { 'csv-stats': {} } })
  await expect(fault()).rejects.toMatchObject({
    message: expect.stringMatching(message),
    hint: expect.any(String),
  })
})
