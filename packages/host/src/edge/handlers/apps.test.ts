import { openTestHost, type TestHost, type TestWindow, testManifest } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import type { RpcResponse } from '@svc/contract'
import { afterEach, describe, expect } from 'vitest'

let services: TestHost | undefined
afterEach(() => services?.close())

/** What a call answers, or its code. */
const said = (answer: RpcResponse) =>
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into results of every shape.
  answer.ok ? (answer.result as any) : answer.error.code

const views = [
  { name: 'main', title: 'Main', default: true },
  { name: 'second', title: 'Second' },
]

/** A window of an app that may ask for others, a second app of the same user, and one that only bob has. */
async function open() {
  services = await openTestHost({ manifest: { host_api: { apps: ['*'] } }, grants: { web_grant: true } })
  const { host, appId } = services
  const make = async (user: string, slug: string, name: string, withEntry = true) => {
    const { app_id } = await host.apps.register(user, { slug, name })
    const files = new Map(withEntry ? [['index.html', Buffer.from('<!doctype html>')]] : [])
    await host.apps.pushDraft(user, app_id, { manifest: testManifest({ name }), files })
    await host.apps.install(user, { app_id, version: '0.0.0-draft' })
    return app_id
  }
  const other = await make('ada', 'other', 'Other app')
  const unready = await make('ada', 'unready', 'Unready app', false)
  const foreign = await make('bob', 'foreign', 'Foreign app')
  const window = await services.openWindow()
  const call = async (method: string, args: unknown = {}) => said(await window.call('apps', method, args))
  return { host, appId, other, unready, foreign, window, call }
}

const openOf = async (cookieOf: TestWindow) =>
  (
    (await (await (services as TestHost).request('/api/v1/svc-apps/windows', cookieOf)).json()) as {
      windows: { window_uuid: string; app_id: string; view: string }[]
    }
  ).windows

describe('apps', () => {
  verifies(['apps.offered', 'apps.list'], 'are listed with their views, and without grants', async () => {
    const { appId, other, unready, call } = await open()
    const { apps } = (await call('list')) as { apps: readonly { name: string }[] }
    // Apps of one millisecond come in the order of their ids.
    expect(apps.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
      { app_id: other, name: 'Other app', version: '0.0.0-draft', views },
      { app_id: appId, name: 'Test app', version: '0.0.0-draft', views },
      { app_id: unready, name: 'Unready app', version: '0.0.0-draft', views },
    ])
  })

  verifies('apps.get', 'are told one by one; one of somebody else reads as none', async () => {
    const { other, foreign, call } = await open()
    expect(await call('get', { app_id: other })).toEqual({
      app_id: other,
      name: 'Other app',
      version: '0.0.0-draft',
      views,
    })
    for (const app_id of [foreign, 'app_unknown', '__proto__'])
      expect(await call('get', { app_id })).toBe('not_found')
    for (const app_id of ['', 7, undefined, 'x'.repeat(65)])
      expect(await call('get', { app_id })).toBe('invalid_arg')
  })

  verifies(
    'apps.open',
    'open with a view and a payload, and come to the front when they are open',
    async () => {
      const { other, window, call } = await open()
      const first = await call('open', { app_id: other, view: 'second', payload: { note: 1 } })
      const listed = await openOf(window)
      expect(listed.map(({ app_id, view }) => [app_id, view]).at(-1)).toEqual([other, 'second'])
      expect(listed.at(-1)?.window_uuid).toBe(first.window_uuid)
      expect(await call('open', { app_id: other, view: 'second' })).toEqual(first)
      const standard = await call('open', { app_id: other })
      expect(standard).not.toEqual(first)
      expect(await call('open', { app_id: other, view: 'main' })).toEqual(standard)
      expect((await openOf(window)).length).toBe(listed.length + 1)
    },
  )

  verifies.each('apps.open')([
    ['an app of somebody else', 'foreign', {}, 'not_found'],
    ['an app of somebody else by its view', 'foreign', { view: 'main' }, 'not_found'],
    ['a view that is none', 'other', { view: 'none' }, 'not_found'],
    ['an app whose entry was not pushed', 'unready', {}, 'bundle_not_ready'],
    ['a payload over its cap', 'other', { payload: 'x'.repeat(65_536) }, 'invalid_arg'],
    ['the app itself', 'appId', { view: 'second' }, 'opened'],
  ] as const)('%s is %3$s', async (_name, which, args, expected) => {
    const at = await open()
    const before = (await openOf(at.window)).length
    const answer = await at.call('open', { app_id: at[which], ...args })
    expect(answer.window_uuid ? 'opened' : answer).toBe(expected)
    expect((await openOf(at.window)).length - before).toBe(expected === 'opened' ? 1 : 0)
  })

  verifies('apps.open', 'are gone for others once they are uninstalled', async () => {
    const { host, other, window, call } = await open()
    await call('open', { app_id: other })
    const install = (await host.apps.installed('ada')).find(({ app_id }) => app_id === other)
    await host.apps.uninstall('ada', install?.install_id ?? '')
    expect(await call('open', { app_id: other, view: 'main' })).toBe('not_found')
    expect((await openOf(window)).map(({ app_id }) => app_id)).not.toContain(other)
  })
})
