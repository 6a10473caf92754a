import { isHostRpcError } from '@svc/sdk'
import { afterEach, expect, it } from 'vitest'
import { createTestHost, type TestHost, type TestHostOptions } from '../index.ts'

const manifest = {
  schema: 3,
  name: 'Notes',
  ui: {
    bundle: { entry: 'index.html' },
    views: [{ name: 'main', title: 'Notes' }, { name: 'editor' }],
    host_api: { storage: ['get', 'set'] },
  },
  required_plugs: [{ handle: 'csv-stats' }],
}

let host: TestHost
afterEach(() => host?.close())

const open = async (options: Partial<TestHostOptions> = {}) => {
  host = await createTestHost({ manifest, ...options })
  return host
}

it('keeps what a window writes, and shows it to the next one', async () => {
  await open()
  const { svc: one } = await host.openWindow()
  const { etag } = await one.storage.set({ key: 'draft', value: { text: 'Milk' } })
  const { svc: other } = await host.openWindow()
  expect(await other.storage.get({ key: 'draft' })).toMatchObject({ value: { text: 'Milk' }, etag })
  await expect(one.storage.set({ key: 'draft', value: 1, if_match: '"0-x"' })).rejects.toMatchObject({
    code: 'precondition_failed',
  })
})

it('gives the app its view and payload, and the page its title', async () => {
  await open()
  const { svc, window } = await host.openWindow({ view: 'editor', payload: { note: 7 } })
  expect(await svc.ready).toMatchObject({ view_meta: { name: 'editor' }, entry_payload: { note: 7 } })
  const titles: string[] = []
  window.on('title_changed', ({ title }) => titles.push(title))
  await svc.window.set_title({ title: 'Note 7' })
  await host.clock.settled()
  expect([titles, window.title]).toEqual([['Note 7'], 'Note 7'])
})

it('refuses what the manifest does not list, with the line that would allow it', async () => {
  await open()
  const { svc } = await host.openWindow()
  const refused = await svc.storage.delete({ key: 'draft' }).catch((error: unknown) => error)
  expect(isHostRpcError(refused) && [refused.code, refused.hint]).toEqual([
    'permission_denied',
    'Add "delete" to ui.host_api.storage in the manifest.',
  ])
})

it('tells the document what the page tells it, and asks it before it closes', async () => {
  await open()
  const { svc, window } = await host.openWindow()
  await svc.ready
  const themes: string[] = []
  svc.on('context', ({ theme }) => themes.push(theme))
  window.setContext({ theme: 'dark', locale: 'en', focused: true })
  const stop = svc.onBeforeClose(() => false)
  expect(await window.close('done')).toBe(false)
  stop()
  expect(await window.close('done')).toBe(true)
  expect(themes).toEqual(['dark'])
  await expect(svc.storage.get({ key: 'a' })).rejects.toMatchObject({ code: 'not_hosted' })
})

it('loads the app anew, with a client of its own', async () => {
  await open()
  const opened = await host.openWindow()
  const { svc } = opened
  await svc.storage.set({ key: 'a', value: 1 })
  host.fault.slowHost(1_000)
  const waiting = svc.storage.get({ key: 'a' }).catch(({ code }) => code)
  await host.clock.settled()
  opened.reload()
  expect(await waiting).toBe('bridge_reset')
  host.fault.slowHost(0)
  expect(await opened.svc.storage.get({ key: 'a' })).toMatchObject({ value: 1 })
  expect(opened.svc).not.toBe(svc)
})

it('lives through more than the life of a token', async () => {
  await open()
  const { svc } = await host.openWindow()
  await svc.storage.set({ key: 'a', value: 1 })
  await host.clock.advance(600_000)
  expect(await svc.storage.get({ key: 'a' })).toMatchObject({ value: 1 })
})

it.each([
  [
    'a manifest that does not parse',
    () => open({ manifest: { ...manifest, name: '' } }),
    'the manifest does not parse: name must have at least 1 character, got ""',
    /reference of the manifest/,
  ],
  [
    'tools of a plugin that it does not declare',
    () => open({ tools: { 'csv-stat': {} } }),
    'the manifest declares no plugin "csv-stat"; did you mean `csv-stats`?',
    /required_plugs or optional_plugs/,
  ],
  [
    'a view that it does not have',
    async () => (await open()).openWindow({ view: 'editr' }),
    'the manifest has no view "editr"; did you mean `editor`?',
    /^It has: main, editor\.$/,
  ],
])('says what is wrong with %s', async (_, work, message, hint) => {
  await expect(work()).rejects.toMatchObject({
    name: 'TestHostError',
    message: expect.stringContaining(`${message}\n`),
    hint: expect.stringMatching(hint),
  })
})

it.each([
  ['models without a default', { models: { cheap: [] } as never }, 'models needs one with the name default'],
  [
    'a grant that is none',
    { grants: { image_grant: 'yes' } as never },
    'grants.image_grant must be a boolean',
  ],
  ['a limit that is none', { limits: { NO_LIMIT: 1 } as never }, 'NO_LIMIT'],
])('lets the host say what is wrong with %s', async (_, options, message) => {
  await expect(open(options)).rejects.toThrow(message)
})

it('says at its end what a test left open, and closes all the same', async () => {
  await open({ tools: { 'csv-stats': { describe_csv: () => new Promise(() => {}) } } })
  const { svc } = await host.openWindow()
  const asked = svc.tools.invoke({ tool_id: 'csv-stats', method: 'describe_csv' }).catch(({ code }) => code)
  await expect(host.close()).rejects.toMatchObject({
    message: expect.stringMatching(
      /: the call tools\.invoke has no answer; the tool csv-stats\.describe_csv has not returned\nAwait what/,
    ),
    hint: expect.stringContaining('host.clock.advance'),
  })
  expect(await asked).toBe('bridge_reset')
})

it('says at its end that a window was never opened, and ends who waits for it', async () => {
  await open()
  host.fault.slowHost(1_000)
  const opened = host.openWindow().catch(({ code }) => code)
  await expect(host.close()).rejects.toThrow('openWindow has not opened its window')
  expect(await opened).toBe('bridge_reset')
})

it('closes once, and who closes it meanwhile waits for that', async () => {
  await open({ tools: { 'csv-stats': { describe_csv: () => new Promise(() => {}) } } })
  const { svc, window } = await host.openWindow()
  void svc.tools.invoke({ tool_id: 'csv-stats', method: 'describe_csv' }).catch(() => undefined)
  const first = host.close().catch(({ name }) => name)
  expect(window.connected).toBe(true)
  await host.close()
  expect(window.connected).toBe(false)
  expect(await first).toBe('TestHostError')
})

it.each([
  ['openWindow', () => host.openWindow()],
  ['listen', () => host.listen()],
  ['fault.loseFrame', async () => host.fault.loseFrame(1)],
  ['fault.killPlugin', () => host.fault.killPlugin('csv-stats')],
  ['fault.expireToken', () => host.fault.expireToken()],
  ['fault.spendQuota', () => host.fault.spendQuota('runs_per_day')],
  ['fault.cutStream', () => host.fault.cutStream()],
  ['fault.denyGrant', () => host.fault.denyGrant('models')],
  ['fault.slowHost', async () => host.fault.slowHost(1)],
  ['fault.hostGone', () => host.fault.hostGone()],
  ['fault.hostBack', () => host.fault.hostBack()],
])('says of %s that the host is closed', async (call, work) => {
  await open()
  await host.close()
  await expect(work()).rejects.toMatchObject({
    name: 'TestHostError',
    message: expect.stringContaining(`host.${call} came after host.close()\n`),
  })
})

it('says of a window that is closed that it cannot be loaded anew', async () => {
  await open()
  const { close, reload } = await host.openWindow()
  await close()
  expect(reload).toThrow('reload() came after the window was closed')
})

it('leaves nothing open where windows and jobs were', async () => {
  const ports = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length
  const before = ports()
  await open({ tools: { 'csv-stats': { describe_csv: (_, { progress }) => progress({ at: 1 }) } } })
  const { svc, window } = await host.openWindow()
  const closed = new Promise((resolve) => {
    window.on('disconnected', () => resolve('disconnected'))
  })
  const done = svc.tools.invokeAsyncAwait({ tool_id: 'csv-stats', method: 'describe_csv' })
  await host.clock.advance(1_000)
  await done
  expect(ports()).toBeGreaterThan(before)
  await host.close()
  expect(await closed).toBe('disconnected')
  // Those that other files of this worker had may be gone meanwhile.
  await expect.poll(ports).toBeLessThanOrEqual(before)
  await host.close()
})
