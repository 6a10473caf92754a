import {
  openTestHost,
  type TestHost,
  type TestHostOptions,
  type TestWindow,
} from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { limits, type RpcResponse } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { type DescribeOutcome, type PluginSpec, parseDescription } from '@svc/runner'
import { afterEach, describe, expect } from 'vitest'
import type { Credentials } from '../../plugins/credentials/credentials.ts'
import { handRunner } from '../../testing/runners.ts'

let services: TestHost | undefined
afterEach(() => services?.close())

const VALUE = 'sk-live-0123456789'

/** A plugin of the config that is described by the words of a test; nothing is started. */
const asking = (slug: string, credentials: readonly unknown[], env: Record<string, string> = {}) => ({
  slug,
  env,
  credentials,
  command: ['never-started'] as [string, ...string[]],
})

const plugins = [
  asking('mail', ['MAIL_KEY', { name: 'SHARED_KEY', description: 'Of the shop' }, '', 7, { name: 3 }]),
  asking('shop', [{ name: 'SHARED_KEY' }, { name: 'SHOP_KEY', description: 5 }], { SHOP_KEY: VALUE }),
  asking('other', ['OTHER_KEY']),
]
const manifest = { required_plugs: ['mail', 'shop'], host_api: { credentials: ['*'] } }
const grants = { credentials_grant: true }

/** Reads what the plugin says of itself as a runner does. */
function describePlugin({ id }: PluginSpec): DescribeOutcome {
  const { slug = '', credentials = [] } = plugins.find((one) => id.includes(`-${one.slug}-`)) ?? {}
  const description = parseDescription({ name: `The ${slug}`, tools: [], credentials }, limits)
  if (typeof description === 'string') throw new Error(description)
  return { ok: true, description }
}

async function open(options: Omit<TestHostOptions, 'runner'> = {}): Promise<TestWindow> {
  const runner = handRunner({ describe: describePlugin })
  const configured = plugins.map(({ credentials: _, ...plugin }) => plugin)
  services = await openTestHost({ manifest, grants, plugins: configured, runner, ...options })
  await services.host.plugins.ready()
  return services.openWindow()
}
/** What a call answers, or its code and sentence. */
const said = (answer: RpcResponse) =>
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into results of every shape.
  answer.ok ? (answer.result as any) : `${answer.error.code}: ${answer.error.message}`
const calls =
  (window: TestWindow) =>
  async (method: string, args: unknown = {}) =>
    said(await window.call('credentials', method, args))

verifies.each('access.credentials_grant')([
  ['declared and granted', manifest, grants, undefined],
  ['declared by name', { host_api: { credentials: ['list'] } }, grants, undefined],
  ['declared for another method', { host_api: { credentials: ['request'] } }, grants, 'manifest'],
  ['declared and not granted', manifest, {}, 'grant'],
  ['declared with another grant', manifest, { web_grant: true }, 'grant'],
  ['granted and not declared', {}, grants, 'manifest'],
] as const)('credentials.list %s is refused by: %s', async (_name, declared, granted, deniedBy) => {
  const window = await open({
    plugins: [],
    manifest: declared as NonNullable<TestHostOptions['manifest']>,
    grants: granted,
  })
  const answer = await window.call('credentials', 'list')
  expect(answer.ok ? undefined : answer.error.details?.denied_by).toBe(deniedBy)
  expect(answer.ok).toBe(deniedBy === undefined)
})

describe('without a place for them', () => {
  verifies(
    ['credentials.offered', 'credentials.list', 'credentials.no_value'],
    'those of the own plugins are listed, and what the operator gave is granted',
    async () => {
      const answer = await calls(await open())('list')
      expect(answer).toEqual({
        credentials: [
          { name: 'MAIL_KEY', description: null, plugins: ['The mail'], status: 'missing' },
          {
            name: 'SHARED_KEY',
            description: 'Of the shop',
            plugins: ['The mail', 'The shop'],
            status: 'missing',
          },
          { name: 'SHOP_KEY', description: null, plugins: ['The shop'], status: 'granted' },
        ],
      })
      expect(JSON.stringify(answer)).not.toContain(VALUE)
    },
  )

  verifies(
    'credentials.list',
    'a plugin that the manifest does not let through is none of the own',
    async () => {
      const host_api = { credentials: ['*'], tools: ['shop'] }
      const { credentials } = await calls(await open({ manifest: { ...manifest, host_api } }))('list')
      expect(credentials.map(({ name }: { name: string }) => name)).toEqual(['SHARED_KEY', 'SHOP_KEY'])
    },
  )

  verifies('credentials.status', 'each has a status, and a foreign one reads as none', async () => {
    const call = calls(await open())
    expect(await call('status', { name: 'MAIL_KEY' })).toEqual({ name: 'MAIL_KEY', status: 'missing' })
    expect(await call('status', { name: 'SHOP_KEY' })).toEqual({ name: 'SHOP_KEY', status: 'granted' })
    for (const name of ['OTHER_KEY', 'PATH', '__proto__'])
      for (const method of ['status', 'request'])
        expect(await call(method, { name })).toMatch(/^not_found: no plugin of this app asks for/)
    for (const name of ['', 7, undefined, 'x'.repeat(limits.CREDENTIAL_NAME_MAX_CHARS + 1)])
      expect(await call('request', { name })).toMatch(/^invalid_arg: /)
  })

  verifies(
    'credentials.request',
    'a request is pending for that user alone, and twice is harmless',
    async () => {
      const call = calls(await open())
      for (let time = 0; time < 2; time += 1)
        expect(await call('request', { name: 'MAIL_KEY' })).toEqual({ name: 'MAIL_KEY', status: 'pending' })
      expect(await call('status', { name: 'MAIL_KEY' })).toEqual({ name: 'MAIL_KEY', status: 'pending' })
      expect(await call('status', { name: 'SHARED_KEY' })).toMatchObject({ status: 'missing' })
      const at = services as TestHost
      await at.host.apps.release('ada', at.appId, '1.0.0')
      const cookie = await at.signIn('bob')
      await at.host.apps.install('bob', { app_id: at.appId, version: '1.0.0', grants })
      const bob = calls(await at.openWindow(undefined, undefined, cookie))
      expect(await bob('status', { name: 'MAIL_KEY' })).toMatchObject({ status: 'missing' })
    },
  )

  verifies(
    ['credentials.request', 'credentials.no_value'],
    'the page hears of a request, and of none for what is granted',
    async () => {
      const window = await open()
      const at = services as TestHost
      const response = await at.request(`/api/v1/svc-apps/runtime/events?windows=${window.windowUuid}`, {
        cookie: window.cookie,
      })
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
      const call = calls(window)
      await call('request', { name: 'SHOP_KEY' })
      await call('request', { name: 'SHARED_KEY' })
      let heard = ''
      while (!heard.includes('credential_requested')) heard += (await reader?.read())?.value ?? ''
      await reader?.cancel()
      const line = heard.split('\n').find((one) => one.includes('credential_requested')) ?? ''
      expect(JSON.parse(line.replace(/^data: /, ''))).toEqual({
        type: 'credential_requested',
        window_uuid: window.windowUuid,
        app_id: at.appId,
        name: 'SHARED_KEY',
        description: 'Of the shop',
        plugins: ['The mail', 'The shop'],
      })
      expect(heard).not.toContain('SHOP_KEY')
      expect(heard).not.toContain(VALUE)
    },
  )
})

describe('with a place for them', () => {
  const kept = (credentials: Credentials, more: Partial<TestHostOptions> = {}) =>
    open({ credentials, ...more })

  verifies('credentials.port', 'the operator is asked by user, name and app', async () => {
    const heard: unknown[] = []
    const call = calls(
      await kept({
        status: (userId, name) => {
          heard.push([userId, name])
          return name === 'MAIL_KEY' ? 'granted' : 'missing'
        },
        request: async (userId, name, by) => {
          heard.push([userId, name, by])
          return 'pending' as const
        },
      }),
    )
    expect(await call('status', { name: 'MAIL_KEY' })).toMatchObject({ status: 'granted' })
    expect(await call('request', { name: 'SHOP_KEY' })).toMatchObject({ status: 'pending' })
    expect(heard).toEqual([
      ['ada', 'MAIL_KEY'],
      ['ada', 'SHOP_KEY', { appId: services?.appId }],
    ])
  })

  verifies.each('credentials.port')([
    ['throws', () => Promise.reject(new Error(`the vault said ${VALUE}`))],
    ['throws at once', () => JSON.parse('{')],
    ['answers a value', () => VALUE as never],
  ])('one that %s is internal_error, without its words', async (_name, ask) => {
    const call = calls(await kept({ status: ask, request: ask }))
    for (const [method, args] of [
      ['list', {}],
      ['status', { name: 'MAIL_KEY' }],
      ['request', { name: 'MAIL_KEY' }],
    ] as const) {
      const answer = await call(method, args)
      expect(answer).toMatch(/^internal_error: /)
      expect(answer).not.toContain(VALUE)
    }
  })

  verifies('credentials.port', 'one that does not answer is given up after its time', async () => {
    const clock = frozenClock()
    let asked = false
    const never = () => {
      asked = true
      return new Promise<never>(() => {})
    }
    const call = calls(await kept({ status: never, request: never }, { clock }))
    const answer = call('status', { name: 'MAIL_KEY' })
    await expect.poll(() => asked).toBe(true)
    await clock.advance(limits.CREDENTIALS_MS)
    expect(await answer).toBe('internal_error: the credentials of this host took more than 10000 ms')
  })
})
