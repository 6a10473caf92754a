import { openTestHost, type TestHost, type TestHostOptions } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import type { RpcResponse, WindowEvent } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { memoryBus, memoryStore } from '@svc/state'
import { afterEach, describe, expect, test } from 'vitest'
import { versions } from '../../catalog/records.ts'
import { windows } from '../../catalog/window-row.ts'
import { userJournal } from '../../events/events.ts'

let services: TestHost
afterEach(() => services.close())

async function open(options: TestHostOptions = {}) {
  const clock = frozenClock(Date.UTC(2030, 0, 1))
  const bus = memoryBus({ clock })
  services = await openTestHost({ clock, bus, secret: 's'.repeat(32), ...options })
  const window = await services.openWindow('main', { file: 'a.csv' })
  const events = async () => {
    await clock.advance(0)
    const { items } = await bus.journal.read(userJournal('ada'), 0)
    return items.map(({ item }) => JSON.parse(item) as WindowEvent)
  }
  const call = (method: string, args: unknown = {}) => window.call('window', method, args)
  return { clock, window, call, events }
}
const failure = (code: string) => ({ id: '1', ok: false, error: expect.objectContaining({ code }) })
const success = (result: unknown) => ({ id: '1', ok: true, result })
const resultOf = (answer: RpcResponse): Record<string, unknown> => {
  if (!answer.ok) throw new Error(JSON.stringify(answer.error))
  return answer.result
}

describe('window', () => {
  test('hello notes which bundle the document was loaded from', async () => {
    const store = memoryStore()
    const { call, window } = await open({ store })
    const digests = async () => {
      const record = await store.get(windows, window.windowUuid)
      const version = record && (await store.get(versions, record.row.version_id))
      return [record?.row.digest, version?.row.digest]
    }
    expect((await digests())[0]).toBeUndefined()
    await call('hello')
    const [before, first] = await digests()
    expect(before).toBe(first)
    await services.pushDraft({ name: 'Another' })
    expect((await digests())[0]).toBe(first)
    await call('hello')
    const [after, second] = await digests()
    expect(after).toBe(second)
    expect(second).not.toBe(first)
    await store.close()
  })

  verifies(
    [
      'window.hello.result',
      'window.hello.client_info',
      'window.hello.entry_payload',
      'design.hello.capabilities',
    ],
    'hello tells the document what it stands in',
    async () => {
      const { call, window } = await open({ manifest: { host_api: { storage: ['get', 'set'] } } })
      const hello = resultOf(await call('hello', { client_info: { name: 'test' } }))
      expect(hello).toEqual({
        window_uuid: window.windowUuid,
        app_id: services.appId,
        version_id: expect.stringMatching(/^ver_/),
        view_meta: expect.objectContaining({
          name: 'main',
          title: 'Main',
          w: 400,
          h: 300,
          min_w: 200,
          max_w: 800,
        }),
        capabilities: expect.objectContaining({ storage: 'window-state', tool_timeout_ms: 65_000 }),
        entry_payload: { file: 'a.csv' },
        opened_by: null,
        runtime_state: {},
        geometry: { w: 400, h: 300, z: 1 },
      })
      const { methods, limits } = hello.capabilities as { methods: string[]; limits: Record<string, number> }
      expect(methods).toContain('storage.set')
      expect(methods).toContain('window.open_view')
      expect(methods).not.toContain('storage.delete')
      expect(limits).toMatchObject({ SYNC_TIMEOUT_MAX_MS: 90_000, HEARTBEAT_INTERVAL_MS: 10_000 })
      expect(JSON.stringify(hello)).not.toContain(window.token)
    },
  )

  verifies(['window.ready', 'window.heartbeat'], 'ready and heartbeat answer with nothing', async () => {
    const { call } = await open()
    expect(await call('ready')).toEqual(success({}))
    expect(await call('heartbeat')).toEqual(success({}))
  })

  verifies.each([
    'window.set_title',
    'window.set_title.length',
    'window.set_title.event',
    'event.title_changed',
    'decision.title.visible',
  ])([
    ['a', true],
    ['x'.repeat(120), true],
    ['x'.repeat(121), false],
    ['', false],
    ['  \t', false],
    ['\u200b\u200e', false],
    ['\u{1f4ca}', true],
    [1, false],
    [undefined, false],
  ])('set_title %j: taken is %s', async (title, taken) => {
    const { call, events, window } = await open()
    expect(await call('set_title', { title })).toEqual(taken ? success({}) : failure('invalid_arg'))
    const revision = expect.any(Number)
    const sent = { type: 'title_changed', window_uuid: window.windowUuid, revision, title }
    expect(await events()).toEqual(taken ? [sent] : [])
    expect((await services.host.windows.list('ada'))[0]?.title).toBe(taken ? title : 'Main')
  })

  verifies.each(['window.resize.clamped', 'window.resize.persisted'])([
    [
      { w: 500, h: 400 },
      { w: 500, h: 400 },
    ],
    [
      { w: 1, h: 1 },
      { w: 200, h: 150 },
    ],
    [
      { w: 9_999, h: 9_999 },
      { w: 800, h: 600 },
    ],
    [
      { w: -5, h: 1e300 },
      { w: 200, h: 600 },
    ],
    [
      { w: 300.4, h: 300.6 },
      { w: 300, h: 301 },
    ],
  ])('resize %j gives %j', async (asked, given) => {
    const { call, events } = await open()
    expect(await call('resize', asked)).toEqual(success(given))
    expect((await services.host.windows.list('ada'))[0]?.geometry).toMatchObject(given)
    expect(await events()).toEqual([
      expect.objectContaining({ type: 'geometry_changed', geometry: { ...given, z: 1 } }),
    ])
  })

  test.each([[{ w: 1 }], [{ w: '1', h: 1 }], [{ w: null, h: 1 }], [{}]])(
    'resize refuses %j',
    async (asked) => {
      const { call } = await open()
      expect(await call('resize', asked)).toEqual(failure('invalid_arg'))
    },
  )

  verifies(
    ['window.focus.raises', 'window.focus.event', 'event.window_focus_changed'],
    'focus raises above the others',
    async () => {
      const { call, events, window } = await open()
      const other = await services.openWindow('second')
      expect(await call('focus')).toEqual(success({}))
      const z = new Map(
        (await services.host.windows.list('ada')).map((one) => [one.window_uuid, one.geometry.z]),
      )
      expect(z.get(window.windowUuid)).toBeGreaterThan(z.get(other.windowUuid) ?? Infinity)
      expect((await events()).at(-1)).toMatchObject({
        type: 'window_focus_changed',
        window_uuid: window.windowUuid,
        focused: true,
      })
    },
  )

  verifies(
    [
      'window.close.status',
      'window.close.reason',
      'window.close.event',
      'event.close_view',
      'states.window.close',
    ],
    'close closes, with its reason in the event',
    async () => {
      const { call, events } = await open()
      expect(await call('close', { reason: 'done' })).toEqual(success({}))
      expect(await events()).toEqual([expect.objectContaining({ type: 'close_view', reason: 'done' })])
      expect(await services.host.windows.list('ada')).toEqual([])
      expect(await call('heartbeat')).toEqual(failure('not_found'))
    },
  )

  verifies(
    ['window.open_view.opens', 'window.open_view.focuses', 'window.open_view.payload'],
    'open_view opens a view once and then brings it to the front',
    async () => {
      const { call, events } = await open()
      const first = resultOf(await call('open_view', { view: 'second', payload: { n: 1 } }))
      const again = resultOf(await call('open_view', { view: 'second', payload: { n: 2 } }))
      expect(again).toEqual(first)
      expect(await services.host.windows.list('ada')).toHaveLength(2)
      const opened = (await events()).filter(({ type }) => type === 'view_opened')
      expect(opened).toEqual([
        expect.objectContaining({ opened_uuid: first.window_uuid, view: 'second', created: true }),
        expect.objectContaining({ opened_uuid: first.window_uuid, view: 'second', created: false }),
      ])
      expect(await call('open_view', { view: 'nosuch' })).toEqual(failure('not_found'))
      expect(await call('open_view', {})).toEqual(failure('invalid_arg'))
    },
  )

  verifies(
    ['window.open_view.not_ready', 'error.bundle_not_ready', 'decision.draft.without_entry'],
    'open_view of a version without its entry file is bundle_not_ready',
    async () => {
      const { call } = await open()
      await services.pushDraft({}, { 'other.txt': 'no entry' })
      expect(await call('open_view', { view: 'second' })).toEqual(failure('bundle_not_ready'))
    },
  )

  verifies(
    ['window.report_error', 'window.report_error.fatal', 'states.window.crash'],
    'report_error tells the page; a fatal one marks the window until the next hello',
    async () => {
      const { call, events } = await open()
      expect(await call('report_error', { message: 'oops', stack: 'at x' })).toEqual(success({}))
      expect((await services.host.windows.list('ada'))[0]?.status).toBe('open')
      expect(await call('report_error', { message: 'bang', context: { fatal: true } })).toEqual(success({}))
      expect((await services.host.windows.list('ada'))[0]?.status).toBe('crashed')
      expect(await events()).toEqual([
        expect.objectContaining({ type: 'error_reported', message: 'oops', fatal: false, stack: 'at x' }),
        expect.objectContaining({ type: 'error_reported', message: 'bang', fatal: true }),
      ])
      resultOf(await call('hello'))
      expect((await services.host.windows.list('ada'))[0]?.status).toBe('open')
      // {"x":"…"}: eight bytes around the text.
      const context = (bytes: number) => ({ x: 'x'.repeat(bytes - 8) })
      expect(await call('report_error', { message: 'm', context: context(16_384) })).toEqual(success({}))
      expect(await call('report_error', { message: 'm', context: context(16_385) })).toEqual(
        failure('invalid_arg'),
      )
      expect(await call('report_error', {})).toEqual(failure('invalid_arg'))
    },
  )

  verifies(
    'decision.window.stale',
    'a window silent for five minutes is stale, and its next call wakes it',
    async () => {
      const { clock, window } = await open({ limits: { WINDOW_TOKEN_TTL_MS: 3_600_000 } })
      await clock.advance(300_000)
      expect((await services.host.windows.list('ada'))[0]?.status).toBe('stale')
      expect(await window.call('window', 'heartbeat')).toEqual(success({}))
      await clock.advance(0)
      expect((await services.host.windows.list('ada'))[0]?.status).toBe('open')
    },
  )
})

describe('chat', () => {
  verifies(
    [
      'chat.append_artifact',
      'chat.append_artifact.fields',
      'chat.append_artifact.payload_dropped',
      'chat.append_artifact.realtime',
      'decision.chat.dropped',
      'event.chat_artifact',
    ],
    'a card is an event, with nothing in it but its own fields',
    async () => {
      const { window, events } = await open({ manifest: { host_api: { chat: ['append_artifact'] } } })
      const artifact = { kind: 'text', summary: 's', data: [1], payload_ref: 'p', app_slug: 'a' }
      const answer = await window.call('chat', 'append_artifact', {
        artifact: { ...artifact, payload: 'x' },
        kind: 'flat',
      })
      expect(resultOf(answer)).toEqual({ artifact_id: expect.stringMatching(/^art_/) })
      expect(await events()).toEqual([
        { type: 'chat_artifact', window_uuid: window.windowUuid, ...resultOf(answer), artifact },
      ])
    },
  )

  verifies.each([
    'chat.append_artifact.wrapper',
    'chat.append_artifact.kind',
    'decision.chat.no_artifact',
    'chat.read_history.stub',
    'chat.write_message.stub',
  ])([
    ['append_artifact', { kind: 'text', summary: 'flat' }, 'invalid_arg'],
    ['append_artifact', { artifact: 'text' }, 'invalid_arg'],
    ['append_artifact', { artifact: { summary: 'no kind' } }, 'invalid_arg'],
    ['append_artifact', { artifact: { kind: 'text', data: 'x'.repeat(70_000) } }, 'invalid_arg'],
    ['read_history', {}, 'not_implemented'],
    ['write_message', { role: 'user', content: 'hi' }, 'not_implemented'],
  ])('%s with %j is %s', async (method, args, code) => {
    const { window } = await open({ manifest: { host_api: { chat: ['*'] } } })
    expect(await window.call('chat', method, args)).toEqual(failure(code))
  })
})

describe('the manifest of a draft', () => {
  verifies(
    ['access.draft.reprojected', 'decision.acl.next_call', 'access.bound_version'],
    'a push is seen by the next call of an open window',
    async () => {
      const { window } = await open()
      expect(await window.call('storage', 'list')).toEqual(failure('permission_denied'))
      await services.pushDraft({ host_api: { storage: ['list'] } })
      expect(await window.call('storage', 'list')).toMatchObject({ ok: true })
      await services.pushDraft({})
      expect(await window.call('storage', 'list')).toEqual(failure('permission_denied'))
    },
  )
})
