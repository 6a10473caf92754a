import { afterEach, expect, it } from 'vitest'
import { createTestHost, type TestHost } from './index.ts'

const manifest = {
  schema: 3 as const,
  name: 'Notes',
  ui: { bundle: { entry: 'index.html' }, views: [{ name: 'main' }], host_api: { storage: ['*'] } },
}

let host: TestHost
afterEach(() => host.close())

it('keeps values', async () => {
  host = await createTestHost({ manifest })
  const { svc, window } = await host.openWindow({ payload: { a: 1 } })
  const hello = await svc.ready
  console.log(JSON.stringify(hello).slice(0, 600))
  await svc.storage.set({ key: 'a', value: { b: 1 } })
  expect(await svc.storage.get({ key: 'a' })).toMatchObject({ value: { b: 1 } })
  await svc.window.set_title({ title: 'Hi' })
  await host.clock.settled()
  expect(window.title).toBe('Hi')
  const t = performance.now()
  await host.clock.advance(130_000)
  console.log(performance.now() - t)
  expect(await svc.storage.get({ key: 'a' })).toMatchObject({ value: { b: 1 } })
})
