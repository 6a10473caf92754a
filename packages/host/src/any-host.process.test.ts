import { join } from 'node:path'
import { writeApps } from '@svc/conformance/testing/app-folder'
import { verifies } from '@svc/conformance/verifies'
import { afterEach, expect, onTestFinished } from 'vitest'
import { type AnyHost, codesOf, hear, host_api, ok, openAnyHost, thrice } from './testing/any-host.ts'
import { named, tool, weather } from './testing/publishing.ts'

const opened: AnyHost[] = []
afterEach(async () => {
  for (const bed of opened.splice(0)) await bed.close()
})

async function open(options: Parameters<typeof openAnyHost>[0] = {}): Promise<AnyHost> {
  const bed = await openAnyHost(options)
  opened.push(bed)
  return bed
}

verifies('hosts.sign_in', 'a sign-in is good at every host, until it ends at one', async () => {
  const bed = await open()
  const who = () => bed.json('/api/v1/auth/whoami')
  expect(await bed.everywhere(who)).toEqual(thrice({ user_id: 'ada' }))
  await bed.json('/api/v1/auth/sign-out', 'POST', { everywhere: true })
  expect(await bed.everywhere(who)).toEqual(thrice({ user_id: null }))
})

verifies('hosts.windows', 'a window is what the last writer said, at every host', async () => {
  const bed = await open()
  const hello = () => ok(bed.window.call('window', 'hello'))
  await bed.everywhere(hello)
  await ok(bed.window.call('window', 'resize', { w: 333, h: 222 }))
  expect(await bed.everywhere(hello)).toMatchObject(thrice({ geometry: { w: 333, h: 222 } }))
  const { window_uuid } = await ok(bed.window.call('window', 'open_view', { view: 'second', payload: 1 }))
  const again = await bed.everywhere(() => ok(bed.window.call('window', 'open_view', { view: 'second' })))
  expect(again).toEqual(thrice({ window_uuid }))
  const token = () => bed.json(`/api/v1/svc-apps/windows/${bed.window.windowUuid}/token`, 'POST', {})
  await bed.everywhere(token)
  await ok(bed.window.call('window', 'close'))
  expect(await codesOf(bed, () => bed.window.call('window', 'heartbeat'))).toEqual(thrice('not_found'))
  await expect(token()).rejects.toThrow('404')
})

verifies('hosts.rights', 'a push, a grant and an uninstall hold at every host', async () => {
  const bed = await open({ manifest: {} })
  const list = () => bed.window.call('storage', 'list')
  expect(await codesOf(bed, list)).toEqual(thrice('permission_denied'))
  await bed.pushDraft({ host_api })
  expect(await codesOf(bed, list)).toEqual(thrice('ok'))
  await bed.pushDraft({})
  expect(await codesOf(bed, list)).toEqual(thrice('permission_denied'))
  await bed.pushDraft({ host_api })
  const { installs } = await bed.json<{ installs: { install_id: string }[] }>('/api/v1/svc-apps/installs')
  const uploads = () => bed.window.call('upload', 'list')
  expect(await codesOf(bed, uploads)).toEqual(thrice('ok'))
  await bed.json('/api/v1/svc-apps/installs', 'POST', {
    app_id: bed.appId,
    version: '0.0.0-draft',
    grants: { upload_grant: false },
  })
  expect(await codesOf(bed, uploads)).toEqual(thrice('permission_denied'))
  await bed.json(`/api/v1/svc-apps/installs/${installs[0]?.install_id}`, 'DELETE')
  expect(await codesOf(bed, () => bed.window.call('window', 'heartbeat'))).toEqual(thrice('not_found'))
})

verifies('hosts.data', 'values, files and uploads go from any host to any other', async () => {
  const bed = await open()
  const { call } = bed.window
  const { etag } = await ok(call('storage', 'set', { key: 'k', value: 1 }))
  const writes = [2, 3].map((value) => call('storage', 'set', { key: 'k', value, if_match: etag }))
  expect((await Promise.all(writes)).map((answer) => answer.ok).sort()).toEqual([false, true])
  await ok(call('files', 'write', { path: 'a.txt', text: 'hello' }))
  expect(await bed.everywhere(() => ok(call('files', 'read', { path: 'a.txt' })))).toMatchObject(
    thrice({ text: 'hello' }),
  )
  const size_bytes = 5
  const made = await ok(call('upload', 'negotiate', { mime: 'text/plain', purpose: 'x', size_bytes }))
  const url = new URL(String(made.upload_url))
  const put = (body: string) =>
    bed.request(url.pathname + url.search, { method: 'PUT', body, headers: { 'content-type': 'text/plain' } })
  const puts = await Promise.all([put('hello'), put('hallo')])
  expect(puts.map(({ status }) => status).sort()).toEqual([200, 409])
  const confirmed = await ok(call('upload', 'confirm', { file_ref: made.file_ref }))
  const texts = await bed.everywhere(async () =>
    (await bed.request(new URL(String(confirmed.url)).pathname)).text(),
  )
  expect(new Set(texts).size).toBe(1)
  expect(['hello', 'hallo']).toContain(texts[0])
})

verifies('hosts.events', 'a page hears what happens at any host, and goes on at another', async () => {
  const bed = await open()
  const title = (n: number) => ok(bed.window.call('window', 'set_title', { title: `T${n}` }))
  const first = await hear(bed, undefined, (text) => text.includes('T3'))
  for (const n of [1, 2, 3]) await title(n)
  const { text, lastId } = await first.done
  expect(text.match(/T\d/g)).toEqual(['T1', 'T2', 'T3'])
  for (const n of [4, 5, 6]) await title(n)
  const second = await hear(bed, lastId, (all) => all.includes('T6'))
  expect((await second.done).text.match(/T\d/g)).toEqual(['T4', 'T5', 'T6'])
})

verifies('hosts.publishing', 'what is published at one host is found and frozen at the others', async () => {
  const bed = await open()
  const { draft_id, tool_id } = await bed.json<{ draft_id: string; tool_id: string }>(
    '/plugs/my/drafts',
    'POST',
    named,
  )
  await bed.json(`/plugs/my/drafts/${draft_id}/commit`, 'POST', { ...tool, visibility: 'public' })
  const names = () => bed.json<{ version: string }>(`/plugs/my/tools/${tool_id}`)
  const at = `/plugs/my/tools/${tool_id}/versions`
  expect((await bed.everywhere(names)).map(({ version }) => version)).toEqual(thrice('1.0.0'))
  await bed.pushDraft({ host_api, required_plugs: [tool_id] })
  const listed = async () =>
    (await ok<{ tools: { description: string }[] }>(bed.window.call('tools', 'list'))).tools.map(
      (one) => one.description,
    )
  expect(await bed.everywhere(listed)).toEqual(thrice(['The weather.']))
  await bed.json(at, 'POST', { manifest: weather('Better.') })
  expect(await bed.everywhere(listed)).toEqual(thrice(['Better.']))
  const again = await bed.everywhere(() => bed.send(at, 'POST', { manifest: weather('Better.') }))
  expect(again.map(({ status }) => status)).toEqual([409, 409, 409])
})

verifies('hosts.lists', 'the audit log and the lists of pages go on at another host', async () => {
  const operatorToken = 'o'.repeat(32)
  const bed = await open({ operatorToken })
  for (let n = 0; n < 7; n += 1)
    await bed.json('/api/v1/svc-apps/apps', 'POST', { slug: `app-${n}`, name: `App ${n}` })
  const slugs: string[] = []
  let cursor = ''
  do {
    const page = await bed.json<{ apps: { slug: string }[]; next_cursor: string | null }>(
      `/api/v1/svc-apps/apps?limit=3${cursor && `&cursor=${cursor}`}`,
    )
    slugs.push(...page.apps.map(({ slug }) => slug))
    cursor = page.next_cursor ?? ''
  } while (cursor)
  expect(slugs.sort()).toEqual([...Array.from({ length: 7 }, (_, n) => `app-${n}`), 'test-app'])

  const seen: string[] = []
  let after = ''
  for (let more = true; more; ) {
    const response = await bed.request(`/api/v1/svc-apps/admin/audit?limit=3${after && `&after=${after}`}`, {
      headers: { authorization: `Bearer ${operatorToken}` },
    })
    const page = (await response.json()) as { entries: { what: string }[]; more: boolean; cursor: string }
    seen.push(...page.entries.map(({ what }) => what))
    more = page.more
    after = page.cursor
  }
  expect(seen.filter((what) => what === 'app.register')).toHaveLength(8)
})

verifies(
  'hosts.configured',
  'hosts that start together with the same apps share one record of each',
  async () => {
    const folder = await writeApps({ lens: { script: '' } })
    onTestFinished(folder.remove)
    const bed = await open({ apps: [{ dir: join(folder.dir, 'lens') }] })
    await Promise.all(bed.hosts.all.map(({ apps }) => apps.ready()))
    type Installs = { installs: { app_id: string; name: string }[] }
    const lists = await bed.everywhere(() => bed.json<Installs>('/api/v1/svc-apps/installs'))
    const ids = lists.map(({ installs }) =>
      installs.filter(({ name }) => name === 'lens').map((one) => one.app_id),
    )
    expect(ids[0]).toHaveLength(1)
    expect(ids).toEqual(thrice(ids[0]))
    const window = await bed.openWindow(undefined, undefined, bed.window.cookie, ids[0]?.[0])
    expect(await codesOf(bed, () => window.call('window', 'hello'))).toEqual(thrice('ok'))
  },
)
