import { manifest } from '@svc/conformance/testing/bindings-app'
import { verifies } from '@svc/conformance/verifies'
import { svc } from '@svc/sdk'
import { forget } from '@svc/sdk/testing'
import { createTestHost, type TestHost } from '@svc/testing'
import { afterEach, expect, it, vi } from 'vitest'
import { createConnectionState } from './connection.ts'
import { createTitle } from './title.ts'

let host: TestHost | undefined
afterEach(async () => {
  await host?.close()
  host = undefined
  forget()
  vi.unstubAllGlobals()
})

async function open() {
  host = await createTestHost({ manifest })
  return { host, ...(await host.openWindow({ document: globalThis })) }
}

verifies('bindings.connection', 'tells that the document is connected, and what the page says', async () => {
  const { host, window } = await open()
  const connection = createConnectionState(svc)
  const states = new Set<string>()
  const stop = connection.subscribe(({ state }) => states.add(state))
  await host.clock.settled()
  const dark = { theme: 'dark', locale: 'en', focused: true } as const
  window.setContext(dark)
  await host.clock.settled()
  expect(connection.get()).toMatchObject({ context: dark, hello: { window_uuid: window.windowUuid } })
  const later = createConnectionState(svc)
  later.subscribe(() => undefined)
  expect(later.get().context).toEqual(dark)
  await window.close('', { force: true })
  await host.clock.settled()
  expect([...states]).toEqual(['connecting', 'connected', 'disconnected'])
  stop()
})

verifies('bindings.connection', 'tells that there is no host', async () => {
  const connection = createConnectionState(svc)
  const over = new Promise((resolve) => connection.subscribe(({ error }) => error && resolve(error.code)))
  expect(await over).toBe('not_hosted')
  expect(connection.get().state).toBe('failed')
})

verifies('bindings.connection', 'sends no title twice in a row', async () => {
  const { host, window } = await open()
  const titles: string[] = []
  window.on('title_changed', ({ title }) => titles.push(title))
  const setTitle = createTitle(svc)
  await Promise.all(['a', 'a', 'b'].map(setTitle))
  await setTitle('b')
  await setTitle('c')
  await host.clock.settled()
  expect(titles).toEqual(['a', 'b', 'c'])
})

it('reports a title that the host refuses, and nothing where there is no host', async () => {
  const reported = vi.fn()
  vi.stubGlobal('reportError', reported)
  await createTitle(svc)('a')
  expect(reported).not.toHaveBeenCalled()
  forget()
  await open()
  await createTitle(svc)('')
  expect(reported.mock.calls).toMatchObject([[{ code: 'invalid_arg' }]])
})

it('reports nothing while the host is gone, and sends the next title', async () => {
  const reported = vi.fn()
  vi.stubGlobal('reportError', reported)
  const { host, window } = await open()
  const setTitle = createTitle(svc)
  await host.fault.hostGone()
  await setTitle('a')
  expect(window.title).toBe('Bindings')
  await host.fault.hostBack()
  await setTitle('b')
  await host.clock.advance(10_000)
  expect([window.title, reported.mock.calls]).toEqual(['b', []])
})
