import { openTestHost, type TestHost, type TestWindow, testManifest } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { afterEach, expect } from 'vitest'

let house: TestHost
afterEach(() => house.close())

async function open(options: Parameters<typeof openTestHost>[0] = {}) {
  house = await openTestHost({ manifest: { host_api: { apps: ['*'] } }, ...options })
  const { app_id: other } = await house.host.apps.register('ada', { slug: 'bank', name: 'Bank' })
  const files = new Map([['index.html', Buffer.from('<p>')]])
  const { version } = await house.host.apps.pushDraft('ada', other, { manifest: testManifest(), files })
  await house.host.apps.install('ada', { app_id: other, version })
  return { window: await house.openWindow(), other }
}
const bySource = async (uuid: string) =>
  (await house.host.windows.list('ada')).find(({ window_uuid }) => window_uuid === uuid)?.opened_by
const hello = async (window: TestWindow) => {
  const answer = await window.call('window', 'hello')
  return answer.ok && [answer.result.opened_by, answer.result.entry_payload]
}

verifies(
  ['window.opened_by', 'apps.open'],
  'a window says which app opened it, or gave it its payload last',
  async () => {
    const { window, other } = await open()
    const bank = await house.openWindow(undefined, { mine: 1 }, window.cookie, other)
    expect(await hello(bank)).toEqual([null, { mine: 1 }])
    expect(await bySource(bank.windowUuid)).toBe(null)
    const payload = { deeplink: 'transfer-all' }
    // Brought to the front without a payload it keeps its own, and who gave it.
    await window.call('apps', 'open', { app_id: other })
    expect(await hello(bank)).toEqual([null, { mine: 1 }])
    await window.call('apps', 'open', { app_id: other, payload })
    expect(await hello(bank)).toEqual([house.appId, payload])
    expect(await bySource(bank.windowUuid)).toBe(house.appId)
    const fresh = await window.call('apps', 'open', { app_id: other, view: 'second' })
    expect(fresh.ok && (await bySource(String(fresh.result.window_uuid)))).toBe(house.appId)
    const own = await window.call('window', 'open_view', { view: 'second' })
    expect(own.ok && (await bySource(String(own.result.window_uuid)))).toBe(house.appId)
  },
)

verifies('window.cap.app', 'an app has as many windows as its cap, and takes none from others', async () => {
  const { window, other } = await open({ limits: { WINDOWS_PER_APP: 2, WINDOWS_OPEN_MAX: 10 } })
  const second = await house.openWindow('second')
  expect(await window.call('window', 'open_view', { view: 'second' })).toMatchObject({
    result: { window_uuid: second.windowUuid },
  })
  await expect(house.openWindow()).rejects.toThrow('an app may have 2 windows open')
  await second.call('window', 'close')
  await house.openWindow()
  expect(await window.call('window', 'open_view', { view: 'second' })).toMatchObject({
    error: { code: 'quota_exceeded', details: { max: 2 } },
  })
  expect(await window.call('apps', 'open', { app_id: other })).toMatchObject({ ok: true })
})
