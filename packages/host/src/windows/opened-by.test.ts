import { openTestHost, type TestHost, type TestWindow, testManifest } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { afterEach, expect } from 'vitest'

let services: TestHost
afterEach(() => services.close())

async function open(options: Parameters<typeof openTestHost>[0] = {}) {
  services = await openTestHost({ manifest: { host_api: { apps: ['*'] } }, ...options })
  const { app_id: other } = await services.host.apps.register('ada', { slug: 'bank', name: 'Bank' })
  const files = new Map([['index.html', Buffer.from('<p>')]])
  const { version } = await services.host.apps.pushDraft('ada', other, { manifest: testManifest(), files })
  await services.host.apps.install('ada', { app_id: other, version })
  return { window: await services.openWindow(), other }
}
const bySource = async (uuid: string) =>
  (await services.host.windows.list('ada')).find(({ window_uuid }) => window_uuid === uuid)?.opened_by
const hello = async (window: TestWindow) => {
  const answer = await window.call('window', 'hello')
  return answer.ok && [answer.result.opened_by, answer.result.entry_payload]
}

verifies(
  ['window.opened_by', 'apps.open'],
  'a window says which app opened it, or gave it its payload last',
  async () => {
    const { window, other } = await open()
    const bank = await services.openWindow(undefined, { mine: 1 }, window.cookie, other)
    expect(await hello(bank)).toEqual([null, { mine: 1 }])
    expect(await bySource(bank.windowUuid)).toBe(null)
    const payload = { deeplink: 'transfer-all' }
    // Brought to the front without a payload it keeps its own, and who gave it.
    await window.call('apps', 'open', { app_id: other })
    expect(await hello(bank)).toEqual([null, { mine: 1 }])
    await window.call('apps', 'open', { app_id: other, payload })
    expect(await hello(bank)).toEqual([services.appId, payload])
    expect(await bySource(bank.windowUuid)).toBe(services.appId)
    const fresh = await window.call('apps', 'open', { app_id: other, view: 'second' })
    expect(fresh.ok && (await bySource(String(fresh.result.window_uuid)))).toBe(services.appId)
    const own = await window.call('window', 'open_view', { view: 'second' })
    expect(own.ok && (await bySource(String(own.result.window_uuid)))).toBe(services.appId)
  },
)

verifies('window.cap.app', 'an app has as many windows as its cap, and takes none from others', async () => {
  const { window, other } = await open({ limits: { WINDOWS_PER_APP: 2, WINDOWS_OPEN_MAX: 10 } })
  const second = await services.openWindow('second')
  expect(await window.call('window', 'open_view', { view: 'second' })).toMatchObject({
    result: { window_uuid: second.windowUuid },
  })
  await expect(services.openWindow()).rejects.toThrow('an app may have 2 windows open')
  await second.call('window', 'close')
  await services.openWindow()
  expect(await window.call('window', 'open_view', { view: 'second' })).toMatchObject({
    error: { code: 'quota_exceeded', details: { max: 2 } },
  })
  expect(await window.call('apps', 'open', { app_id: other })).toMatchObject({ ok: true })
})
