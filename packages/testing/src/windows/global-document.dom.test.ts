import { svc } from '@svc/sdk'
import { forget } from '@svc/sdk/testing'
import { afterEach, expect, it } from 'vitest'
import { createTestHost, type TestHost } from '../index.ts'

const manifest = {
  schema: 3,
  name: 'App',
  ui: {
    bundle: { entry: 'index.html' },
    views: [{ name: 'main' }],
    host_api: { storage: ['*'], llm: ['*'] },
  },
}

let host: TestHost
afterEach(() => host.close())

const open = async () => {
  host = await createTestHost({ manifest, models: { default: () => ({ text: ['a', 'b'], everyMs: 10 }) } })
  return host.openWindow({ document: globalThis })
}

it.each(['one test', 'the next test'])('makes svc of every module that of the window: %s', async (name) => {
  const opened = await open()
  const { window } = opened
  const heard: unknown[] = []
  svc.on('context', ({ theme }) => heard.push(theme))
  svc.on('connected', (epoch) => heard.push(epoch))
  expect(await svc.ready).toMatchObject({ window_uuid: window.windowUuid })
  await expect(svc.storage.get({ key: 'name' })).rejects.toMatchObject({ code: 'not_found' })
  await svc.storage.set({ key: 'name', value: name })
  expect(await opened.svc.storage.get({ key: 'name' })).toMatchObject({ value: name })
  window.setContext({ theme: 'dark', locale: 'en', focused: true })
  const run = await svc.llm.streamText({ messages: [{ role: 'user', content: { type: 'text', text: 'x' } }] })
  await host.clock.advance(10)
  expect((await run.final()).text).toBe('ab')
  expect(heard).toEqual([1, 'dark'])
})

it('fires pagehide of the document when its window closes, and is not hosted after that', async () => {
  const { close } = await open()
  await svc.ready
  const hidden = new Promise((resolve) => {
    globalThis.addEventListener('pagehide', resolve, { once: true })
  })
  await close()
  expect(await hidden).toMatchObject({ persisted: false })
  await expect(svc.storage.get({ key: 'a' })).rejects.toMatchObject({ code: 'not_hosted' })
})

const hasClient = {
  message: expect.stringContaining('this document has a client already'),
  hint: expect.stringContaining('import the app after'),
}

it('says that the document has a window already', async () => {
  await open()
  await expect(host.openWindow({ document: globalThis })).rejects.toMatchObject(hasClient)
  expect(await host.host.windows.list(host.user)).toHaveLength(1)
})

it('says that the app used svc before its document had a window', async () => {
  forget()
  await expect(svc.ready).rejects.toMatchObject({ code: 'not_hosted' })
  await expect(open()).rejects.toMatchObject(hasClient)
  forget()
})
