import { readFileSync } from 'node:fs'
import {
  openTestHost,
  type TestHost,
  type TestHostOptions,
  type TestWindow,
} from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import type { RpcResponse } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { afterEach, describe, expect } from 'vitest'

const NOW = Date.UTC(2030, 0, 1)
let services: TestHost
afterEach(() => services.close())

async function open(
  storage: 'persistent' | 'window-state',
  grants: unknown = {},
  limits: TestHostOptions['limits'] = {},
) {
  const clock = frozenClock(NOW)
  services = await openTestHost({
    clock,
    storage,
    grants,
    limits,
    manifest: { host_api: { storage: ['*'] } },
  })
  const window = await services.openWindow()
  return { clock, window, call: calls(window) }
}
const calls =
  (window: TestWindow) =>
  (method: string, args: unknown): Promise<RpcResponse> =>
    window.call('storage', method, args)
const result = (answer: RpcResponse) => {
  if (!answer.ok) throw new Error(JSON.stringify(answer.error))
  return answer.result as Record<string, never> & {
    etag: string
    generation: number
    items: { key: string; etag: string }[]
    next_cursor: string | null
  }
}
const code = (answer: RpcResponse) => (answer.ok ? 'ok' : answer.error.code)

describe.each(['persistent', 'window-state'] as const)('storage in the %s backend', (backend) => {
  verifies(
    ['storage.get.result', 'decision.storage.missing', 'error.not_found.key'],
    'gives back what was set, and a missing key is not_found',
    async () => {
      const { call } = await open(backend)
      const value = { list: [1, null, 'ü\u0000\ud800'], deep: { __proto__: null } }
      result(await call('set', { key: 'k', value }))
      expect(result(await call('get', { key: 'k' }))).toMatchObject({
        value,
        exists: true,
        etag: expect.any(String),
      })
      expect(code(await call('get', { key: 'other' }))).toBe('not_found')
      expect(code(await call('delete', { key: 'other' }))).toBe('not_found')
      expect(code(await call('delete', { key: 'k' }))).toBe('ok')
      expect(code(await call('get', { key: 'k' }))).toBe('not_found')
    },
  )

  verifies(
    ['storage.etag.both', 'storage.get.result', 'decision.storage.generation'],
    'set answers the etag that get and list show; a stale one changes nothing, and generations go on over a delete',
    async () => {
      const { call } = await open(backend)
      const first = result(await call('set', { key: 'k', value: 'ä' }))
      expect(first).toMatchObject({ etag: expect.any(String), generation: 1, size_bytes: 4 })
      expect(result(await call('get', { key: 'k' }))).toEqual({
        value: 'ä',
        etag: first.etag,
        generation: 1,
        exists: true,
      })
      expect(result(await call('list', {})).items).toMatchObject([
        { key: 'k', etag: first.etag, size_bytes: 4 },
      ])
      const second = result(await call('set', { key: 'k', value: 2, if_match: first.etag }))
      expect(second.etag).not.toBe(first.etag)
      const stale = { key: 'k', if_match: first.etag }
      expect(await call('set', { ...stale, value: 3 })).toMatchObject({
        error: { code: 'precondition_failed', details: { etag: second.etag } },
      })
      expect(code(await call('delete', stale))).toBe('precondition_failed')
      expect(result(await call('get', { key: 'k' }))).toMatchObject({ value: 2, generation: 2 })
      expect(result(await call('delete', { key: 'k', if_match: second.etag }))).toMatchObject({
        deleted: true,
      })
      expect(code(await call('set', { ...stale, value: 4 }))).toBe('precondition_failed')
      expect(result(await call('set', { key: 'k', value: 4 })).generation).toBe(4)
    },
  )

  verifies.each([
    'storage.set.if_match',
    'storage.delete.if_match',
    'decision.storage.if_match.string',
    'decision.storage.if_match.star',
    'decision.storage.if_match.missing',
    'error.precondition_failed',
  ])([
    ['absent, key there', true, undefined, 'ok'],
    ['absent, key missing', false, undefined, 'ok'],
    ['the etag, key there', true, 'ETAG', 'ok'],
    ['another etag', true, '"other"', 'precondition_failed'],
    ['an etag, key missing', false, '"other"', 'precondition_failed'],
    ['*, key there', true, '*', 'ok'],
    ['*, key missing', false, '*', 'precondition_failed'],
    ['a number', true, 1, 'invalid_arg'],
    ['null', true, null, 'invalid_arg'],
    ['empty', true, '', 'precondition_failed'],
  ])('if_match %s', async (_name, there, ifMatch, expected) => {
    const { call } = await open(backend)
    if (there) await call('set', { key: 'k', value: 1 })
    const etag = there ? result(await call('get', { key: 'k' })).etag : ''
    const args = { key: 'k', ...(ifMatch !== undefined && { if_match: ifMatch === 'ETAG' ? etag : ifMatch }) }
    expect(code(await call('set', { ...args, value: 2 }))).toBe(expected)
    if (expected === 'ok' && ifMatch !== 'ETAG') expect(code(await call('delete', args))).toBe('ok')
    if (expected !== 'ok' && ifMatch !== undefined) expect(code(await call('delete', args))).toBe(expected)
  })

  verifies(
    [
      'storage.list.result',
      'storage.list.cursor',
      'storage.list.prefix',
      'decision.storage.prefix',
      'storage.item.fields',
    ],
    'lists by prefix, a page at a time, with no wildcards',
    async () => {
      const { call } = await open(backend)
      for (const key of ['a%1', 'a%2', 'ab', 'a_', 'b', 'a*']) await call('set', { key, value: key })
      const first = result(await call('list', { prefix: 'a', limit: 2 }))
      const second = result(await call('list', { prefix: 'a', limit: 2, cursor: first.next_cursor }))
      const third = result(await call('list', { prefix: 'a', limit: 2, cursor: second.next_cursor }))
      expect([first, second, third].map(({ items }) => items.map(({ key }) => key))).toEqual([
        ['a%1', 'a%2'],
        ['a*', 'a_'],
        ['ab'],
      ])
      expect(third.next_cursor).toBeNull()
      expect(result(await call('list', { prefix: 'a%' })).items.map(({ key }) => key)).toEqual(['a%1', 'a%2'])
      expect(Object.keys(first.items[0] ?? {}).sort()).toEqual([
        'etag',
        'key',
        'metadata',
        'size_bytes',
        'tags',
        'updated_at',
      ])
      expect(code(await call('list', { cursor: 'no cursor' }))).toBe('invalid_arg')
    },
  )

  verifies.each(['storage.list.limit', 'decision.reject_ranges'])([
    [1, 'ok'],
    [1_000, 'ok'],
    [0, 'invalid_arg'],
    [1_001, 'invalid_arg'],
    [1.5, 'invalid_arg'],
    ['10', 'invalid_arg'],
  ])('a list limit of %j is %s', async (limit, expected) => {
    const { call } = await open(backend)
    expect(code(await call('list', { limit }))).toBe(expected)
  })

  verifies('storage.list.limit.default', 'lists a hundred where no limit is named', async () => {
    const { call } = await open(backend)
    await Promise.all(Array.from({ length: 101 }, (_, at) => call('set', { key: `k${at}`, value: at })))
    expect(result(await call('list', {})).items).toHaveLength(100)
  })

  const names: string[] = JSON.parse(
    readFileSync(new URL('../../../../conformance/corpora/storage_keys.json', import.meta.url), 'utf8'),
  )
  const keys = names.flatMap((name) =>
    name.startsWith('<x repeated')
      ? ['x'.repeat(1_024)]
      : name === 'K vs k'
        ? ['K', 'k']
        : name.startsWith('é (NFC)')
          ? ['\u00e9', 'e\u0301']
          : [name],
  )
  verifies(
    ['decision.storage.keys'],
    'keeps every awkward key apart, and refuses the empty one, NUL and 1 025 characters',
    async () => {
      const { call } = await open(backend)
      const good = keys.filter((key) => key !== '' && !key.includes('\0'))
      for (const [at, key] of good.entries()) expect(code(await call('set', { key, value: at }))).toBe('ok')
      for (const [at, key] of good.entries())
        expect(result(await call('get', { key }))).toMatchObject({ value: at })
      const listed = result(await call('list', { limit: 1_000 })).items.map(({ key }) => key)
      expect([...listed].sort()).toEqual([...good].sort())
      for (const key of ['', 'a\0b', 'x'.repeat(1_025)])
        expect(code(await call('set', { key, value: 1 }))).toBe('invalid_arg')
    },
  )

  verifies.each(['decision.storage.shared', 'access.storage.scope'])([
    [{}, 'permission_denied'],
    [{ allowed_scopes: ['other'] }, 'permission_denied'],
    [{ allowed_scopes: ['shared'] }, 'ok'],
  ])('the scope shared with grants %j is %s', async (grants, expected) => {
    const { call } = await open(backend, grants)
    expect(code(await call('set', { key: 'k', value: 1, scope: 'shared' }))).toBe(expected)
  })

  verifies(['decision.reject_ranges'], 'a set without value is invalid_arg', async () => {
    const { call } = await open(backend)
    expect(code(await call('set', { key: 'k' }))).toBe('invalid_arg')
    expect(code(await call('set', { key: 'k', value: null }))).toBe('ok')
  })

  verifies(['storage.set.if_match'], 'of eight writers on one etag one wins', async () => {
    const { call } = await open(backend)
    await call('set', { key: 'k', value: 0 })
    const { etag } = result(await call('get', { key: 'k' }))
    const codes = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        call('set', { key: 'k', value: at + 1, if_match: etag }).then(code),
      ),
    )
    expect(codes.filter((one) => one === 'ok')).toHaveLength(1)
    expect(codes.filter((one) => one === 'precondition_failed')).toHaveLength(7)
  })
})

describe('persistent storage', () => {
  verifies(
    [
      'storage.set.result.persistent',
      'storage.delete.result.persistent',
      'storage.set.optional',
      'decision.storage.generation',
      'storage.backend.persistent',
    ],
    'counts generations over a delete and keeps metadata and tags',
    async () => {
      const { call } = await open('persistent')
      expect(result(await call('set', { key: 'k', value: 'ä', metadata: { a: 1 }, tags: ['t'] }))).toEqual({
        etag: expect.any(String),
        generation: 1,
        size_bytes: 4,
      })
      expect(result(await call('list', {})).items[0]).toMatchObject({
        key: 'k',
        metadata: { a: 1 },
        tags: ['t'],
        updated_at: new Date(NOW).toISOString(),
        size_bytes: 4,
      })
      expect(result(await call('delete', { key: 'k' }))).toEqual({ deleted: true })
      expect(result(await call('set', { key: 'k', value: 1 })).generation).toBe(3)
    },
  )

  verifies.each(['decision.storage.ttl'])([
    [1, 'ok'],
    [31_536_000, 'ok'],
    [0, 'invalid_arg'],
    [31_536_001, 'invalid_arg'],
    [1.5, 'invalid_arg'],
  ])('ttl_seconds of %s is %s', async (ttl_seconds, expected) => {
    const { call } = await open('persistent')
    expect(code(await call('set', { key: 'k', value: 1, ttl_seconds }))).toBe(expected)
  })

  verifies('decision.storage.ttl', 'a value is gone at the end of its time, to the millisecond', async () => {
    const { call, clock } = await open('persistent')
    await call('set', { key: 'k', value: 1, ttl_seconds: 10 })
    await clock.advance(9_999)
    expect(code(await call('get', { key: 'k' }))).toBe('ok')
    await clock.advance(1)
    expect(code(await call('get', { key: 'k' }))).toBe('not_found')
    expect(result(await call('list', {})).items).toEqual([])
    expect(code(await call('set', { key: 'k', value: 1, if_match: '*' }))).toBe('precondition_failed')
    expect(code(await call('delete', { key: 'k' }))).toBe('not_found')
    expect(result(await call('set', { key: 'k', value: 2 })).generation).toBe(2)
  })

  verifies(
    ['decision.storage.app_owner'],
    'is one space for all windows of an app and user, and none of another user',
    async () => {
      const { call } = await open('persistent', { allowed_scopes: ['shared'] })
      await call('set', { key: 'k', value: 'mine' })
      expect(result(await calls(await services.openWindow())('get', { key: 'k' }))).toMatchObject({
        value: 'mine',
      })
      await services.host.apps.release('ada', services.appId, '1.0.0')
      const cookie = await services.signIn('bob')
      await services.host.apps.install('bob', {
        app_id: services.appId,
        version: '1.0.0',
        grants: { allowed_scopes: ['shared'] },
      })
      const bob = calls(await services.openWindow(undefined, undefined, cookie))
      expect(code(await bob('get', { key: 'k' }))).toBe('not_found')
      await call('set', { key: 'k', value: 'ours', scope: 'shared' })
      expect(result(await bob('get', { key: 'k', scope: 'shared' }))).toMatchObject({ value: 'ours' })
    },
  )
})

describe('storage in the window state', () => {
  verifies(
    [
      'storage.set.result.window_state',
      'storage.delete.result.window_state',
      'storage.item.window_state',
      'storage.etag.weak',
      'storage.backend.window_state',
      'window.hello.runtime_state',
    ],
    'has weak etags, no metadata, and shows in hello',
    async () => {
      const { call, window } = await open('window-state')
      const args = { key: '__proto__', value: { a: 1 }, metadata: { b: 2 } }
      const { etag } = result(await call('set', args))
      expect(result(await call('set', args))).toEqual({ ok: true, etag, generation: 2, size_bytes: 7 })
      const [item] = result(await call('list', {})).items
      expect(item).toEqual({
        key: '__proto__',
        etag,
        size_bytes: 7,
        metadata: null,
        tags: null,
        updated_at: null,
      })
      expect(etag).toMatch(/^W\/"/)
      const hello = (
        await window.post(
          JSON.stringify({
            id: '1',
            window_uuid: window.windowUuid,
            ns: 'window',
            method: 'hello',
            args: {},
          }),
        )
      ).text
      expect(hello).toContain('"runtime_state":{"__proto__":{"a":1}}')
      expect(result(await call('delete', { key: '__proto__' }))).toEqual({ ok: true, deleted: true })
    },
  )

  verifies('decision.storage.window_owner', 'belongs to its window', async () => {
    const { call } = await open('window-state')
    await call('set', { key: 'k', value: 1 })
    expect(code(await calls(await services.openWindow())('get', { key: 'k' }))).toBe('not_found')
  })

  verifies(
    ['error.state_too_large', 'decision.storage.state_after_write'],
    'has so many bytes after the write; exactly the cap passes, and shrinking is allowed',
    async () => {
      const { call } = await open('window-state', {}, { WINDOW_STATE_MAX_BYTES: 1_000 })
      // {"k":"…"} has 8 bytes around the text.
      expect(code(await call('set', { key: 'k', value: 'x'.repeat(1_000 - 8) }))).toBe('ok')
      const full = await call('set', { key: 'k', value: 'x'.repeat(1_000 - 7) })
      expect(full).toMatchObject({
        ok: false,
        error: { code: 'state_too_large', details: { size: 1_001, max: 1_000 } },
      })
      expect(code(await call('set', { key: 'l', value: 1 }))).toBe('state_too_large')
      expect(code(await call('set', { key: 'k', value: 'small' }))).toBe('ok')
    },
  )
})
