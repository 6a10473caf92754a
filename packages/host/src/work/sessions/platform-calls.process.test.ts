import { type FetchBed, openFetchBed, type Serve } from '@svc/conformance/testing/fetch'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { afterEach, describe, expect } from 'vitest'
import { installId } from '../../catalog/records.ts'
import { writeAppFile } from '../../data/app-files/write.ts'
import { spaceOf } from '../../data/storage/space.ts'
import { storage } from '../../data/storage/storage.ts'
import { openToolBed, type ToolBed } from '../../testing/session-tools.ts'

const TOOLS = [
  'time_now',
  'storage_get',
  'storage_set',
  'storage_list',
  'storage_delete',
  'files_read',
  'web_fetch',
]
const host_api = { agent: { session: { auto: true, fixed: null }, tools: TOOLS } }
const grants = (allowed_scopes: string[] = []) => ({ agent: { platform_tools: TOOLS }, allowed_scopes })

/** What a bundle in the window of a bed stands for. */
async function bundleOf({ services, windowUuid, appId }: ToolBed) {
  const install = await services.copies.installs.get(installId('ada', appId))
  const window = await services.copies.windows.get(windowUuid)
  if (!install || !window) throw new Error('the app has no window')
  return { services, userId: 'ada', window, install: install.row }
}

verifies('session.tools.auto.platform', 'time_now tells the time of the host', async () => {
  const bed = await openToolBed({ host_api, grants: grants() })
  await bed.services.clock.advance(1_500)
  expect(await bed.call(await bed.session(), 'time_now')).toEqual({
    output: { utc: '2026-01-01T00:00:01.500Z', unix_ms: Date.UTC(2026, 0, 1) + 1_500 },
  })
})

describe.each(['persistent', 'window-state'] as const)('storage in the %s backend', (backend) => {
  const open = (scopes?: string[]) =>
    openToolBed({ host_api, grants: grants(scopes) }, { settings: { storage: backend, approvals: 'none' } })

  verifies('session.tools.storage', 'is the space that the bundle reads and writes', async () => {
    const bed = await open()
    const bundle = await bundleOf(bed)
    const session = await bed.session()
    const value = { text: 'ü\u0000', list: [1, null] }
    await bed.call(session, 'storage_set', { key: 'k', value })
    const { json } = await storage.get({ key: 'k', scope: 'app' }, bundle)
    expect(JSON.parse(json)).toMatchObject({ value })
    await storage.set({ key: 'b', value: 1, scope: 'app' }, bundle)
    expect(await bed.call(session, 'storage_get', { key: 'b' })).toMatchObject({ output: { value: 1 } })
    expect(await bed.call(session, 'storage_list', { limit: 1 })).toMatchObject({
      output: { items: [{ key: 'b' }], next_cursor: expect.any(String) },
    })
    await bed.call(session, 'storage_delete', { key: 'b' })
    const left = await storage.list({ limit: 10, scope: 'app' }, bundle)
    expect(left.items.map(({ key }) => key)).toEqual(['k'])
  })

  verifies('session.tools.storage', 'keeps to the rules of storage', async () => {
    const bed = await open()
    const session = await bed.session()
    const codeOf = async (tool: string, args: unknown) => {
      const answer = await bed.call(session, tool, args)
      return 'error' in answer ? answer.error.code : 'ok'
    }
    expect(await codeOf('storage_get', { key: 'none' })).toBe('not_found')
    expect(await codeOf('storage_set', { key: 'a', value: 1, if_match: '*' })).toBe('precondition_failed')
    expect(await codeOf('storage_set', { key: 'a\0', value: 1 })).toBe('invalid_arg')
    expect(await codeOf('storage_set', { key: 'a', value: 1, scope: 'shared' })).toBe('permission_denied')
    expect(await codeOf('storage_list', { cursor: '!' })).toBe('invalid_arg')
    await bed.install(grants(['shared']))
    expect(await codeOf('storage_set', { key: 'a', value: 1, scope: 'shared' })).toBe('ok')
  })

  verifies('session.tools.storage', 'of a session that no window made', async () => {
    const bed = await open()
    const session = await bed.session({ windowUuid: null })
    const set = await bed.call(session, 'storage_set', { key: 'a', value: 1 })
    expect(set).toMatchObject(
      backend === 'persistent' ? { output: { generation: 1 } } : { error: { code: 'not_found' } },
    )
  })
})

verifies(
  'session.tools.files_read',
  'files_read reads text of the app in parts, and nothing else',
  async () => {
    const bed = await openToolBed({ host_api, grants: grants() })
    const session = await bed.session()
    const write = (path: string, bytes: Buffer) =>
      writeAppFile(bed.services, {
        path,
        bytes,
        userId: 'ada',
        mime: 'text/plain',
        isText: true,
        ifMatch: undefined,
        space: spaceOf('app', { userId: 'ada', window: { row: { app_id: bed.appId } } }),
      })
    await write('a', Buffer.from(`${'a'.repeat(limits.WEB_FETCH_TEXT_MAX_CHARS)}ü`))
    await write('b', Buffer.from([0xff]))
    const read = (args: unknown) => bed.call(session, 'files_read', args)
    const next_offset = limits.WEB_FETCH_TEXT_MAX_CHARS
    expect(await read({ path: 'a' })).toMatchObject({
      output: { path: 'a', mime: 'text/plain', next_offset },
    })
    expect(await read({ path: 'a', offset: next_offset })).toMatchObject({
      output: { text: 'ü', total_chars: next_offset + 1, next_offset: null },
    })
    const codes = [{ path: 'b' }, { path: 'c' }, { path: '../a' }, { path: 'a', scope: 'shared' }].map(read)
    expect((await Promise.all(codes)).map((one) => 'error' in one && one.error.code)).toEqual([
      'invalid_arg',
      'not_found',
      'invalid_arg',
      'permission_denied',
    ])
  },
)

describe('web_fetch', () => {
  let web: FetchBed | undefined
  afterEach(() => web?.close())
  const PAGE = limits.WEB_FETCH_TEXT_MAX_CHARS

  async function fetching(serve: Serve) {
    web = await openFetchBed(serve)
    const bed = await openToolBed({ host_api, grants: grants() })
    Object.assign(bed.services, { publicFetch: web.fetch })
    const session = await bed.session()
    return (args: unknown) => bed.call(session, 'web_fetch', args)
  }
  const serving =
    (type: string, body: string): Serve =>
    (_req, res) =>
      void res.writeHead(200, { 'content-type': type }).end(body)

  const url = 'https://cdn.site.org/a'

  verifies.each('session.tools.web_fetch')([
    ['text/html; charset=utf-8', '<p>ü</p>'],
    ['application/json', '{"a":1}'],
    ['application/ld+json', '{}'],
    ['text/plain', ''],
  ])('reads %s', async (type, text) => {
    const fetch = await fetching(serving(type, text))
    expect(await fetch({ url })).toEqual({
      output: { url, type: type.split(';')[0], text, total_chars: text.length, next_offset: null },
    })
  })

  verifies('session.tools.web_fetch', 'reads long text in parts and parts no letter', async () => {
    const text = `${'a'.repeat(PAGE - 1)}😀${'b'.repeat(10)}`
    const fetch = await fetching(serving('text/plain', text))
    const first = await fetch({ url })
    expect(first).toMatchObject({ output: { text: 'a'.repeat(PAGE - 1), next_offset: PAGE - 1 } })
    const rest = { text: `😀${'b'.repeat(10)}`, total_chars: PAGE + 11, next_offset: null }
    expect(await fetch({ url, offset: PAGE - 1 })).toMatchObject({ output: rest })
    expect(await fetch({ url, offset: 1_000_000 })).toMatchObject({ output: { text: '', next_offset: null } })
  })

  verifies.each('session.tools.web_fetch')([
    ['an image', serving('image/png', 'x'), { url }, 'url must lead to text, got image/png'],
    ['plain http', serving('text/plain', 'x'), { url: 'http://cdn.site.org/a' }, 'https://'],
    ['a private address', serving('text/plain', 'x'), { url: 'https://127.0.0.1/' }, 'public'],
    ['no URL', serving('text/plain', 'x'), { url: 'x' }, 'https://'],
    ['a fraction', serving('text/plain', 'x'), { url, offset: 0.5 }, 'offset'],
  ])('refuses %s', async (_name, serve, args, sentence) => {
    const fetch = await fetching(serve)
    expect(await fetch(args)).toEqual({
      error: { code: 'invalid_arg', message: expect.stringContaining(sentence) },
    })
  })
})
