import { readFileSync } from 'node:fs'
import { openTestHost, type TestHost, type TestWindow } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { frozenClock } from '@svc/node/testing'
import { memoryStore } from '@svc/state'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const clock = frozenClock(Date.UTC(2030, 0, 1))
let services: TestHost
let window: TestWindow

beforeAll(async () => {
  services = await openTestHost({
    clock,
    manifest: { host_api: { storage: ['*'], prefs: ['get'], llm: ['nosuch'], web: ['fetch'] } },
  })
  window = await services.openWindow()
})
afterAll(() => services.close())

const envelope = (over: Record<string, unknown> = {}) =>
  JSON.stringify({
    id: '1',
    window_uuid: window.windowUuid,
    ns: 'window',
    method: 'heartbeat',
    args: {},
    ...over,
  })
const failure = (code: string, id = '1') => ({ id, ok: false, error: expect.objectContaining({ code }) })

describe('the envelope', () => {
  verifies(
    ['envelope.id', 'envelope.success', 'rpc.route', 'token.window.header'],
    'answers a call under its id',
    async () => {
      const { status, text } = await window.post(envelope({ id: 'a"b' }))
      expect(status).toBe(200)
      expect(text).toBe('{"id":"a\\"b","ok":true,"result":{}}')
    },
  )

  const corpus: { raw: string[] } = JSON.parse(
    readFileSync(new URL('../../../../conformance/corpora/envelopes.json', import.meta.url), 'utf8'),
  )
  const passes = new Set([
    // A line feed behind the body, unknown members, and harmless values are not reason to refuse.
    '{"id":"1","window_uuid":"W","ns":"window","method":"hello","args":{}}\n',
    '{"id":"","window_uuid":"W","ns":"window","method":"hello","args":{}}',
    '{"id":"1","window_uuid":"W","ns":"window","method":"hello","args":{},"extra":1,"ok":true,"error":{}}',
    '{"id":"1","window_uuid":"W","ns":"storage","method":"set","args":{"key":"k","value":{"__proto__":{"x":1},"constructor":{"prototype":{"y":1}}}}}',
    '{"id":"1","window_uuid":"W","ns":"window","method":"set_title","args":{"title":"\\ud800"}}',
  ])
  verifies.each([
    'envelope.failure',
    'envelope.ns',
    'envelope.method',
    'envelope.args',
    'envelope.window_uuid',
    'design.inherited_names',
  ])(corpus.raw.map((raw) => [raw]))('takes or refuses %j in its proper form', async (raw) => {
    const { status, text } = await window.post(
      raw.replaceAll('"W"', JSON.stringify(window.windowUuid)).replaceAll('"W ', `"${window.windowUuid} `),
    )
    for (const line of text.trimEnd().split('\n')) {
      const answer = JSON.parse(line)
      if (passes.has(raw)) expect(answer).toMatchObject({ ok: true })
      else
        expect(answer).toEqual({
          id: expect.any(String),
          ok: false,
          error: expect.objectContaining({ code: expect.any(String) }),
        })
    }
    expect(status).toBeLessThan(raw === '[{}]' ? 300 : 502)
    expect(status).not.toBe(500)
  })

  verifies.each(['decision.envelope.depth', 'wall.depth'])([
    [62, true],
    [63, false],
    [1_000, false],
    [100_000, false],
    [1_000_000, false],
  ])('a value %i lists deep in args: taken is %s', async (depth, taken) => {
    // The body, its args and the lists: depth + 2 levels from the root.
    const { body } = await window.post(
      envelope({ args: 'DEEP' }).replace('"DEEP"', `{"x":${'['.repeat(depth)}${']'.repeat(depth)}}`),
    )
    expect(body).toEqual(taken ? { id: '1', ok: true, result: {} } : failure('invalid_arg', ''))
  })

  verifies.each(['decision.envelope.id_length'])([
    ['x'.repeat(256), 'x'.repeat(256), true],
    ['x'.repeat(257), '', false],
    [1, '', false],
    [null, '', false],
    [undefined, '', false],
  ])('an id of %j is answered as %j', async (id, echoed, ok) => {
    const { body } = await window.post(envelope({ id }))
    expect(body).toMatchObject({ id: echoed, ok })
  })

  test.each([
    ['an invalid byte', [0xff]],
    ['an overlong slash', [0xc0, 0x80]],
    ['a cut-off character', [0xf0, 0x9f, 0x98]],
  ])('refuses %s', async (_name, bytes) => {
    const [before = '', after = ''] = envelope({ args: 'HERE' }).split('HERE')
    const body = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)])
    expect((await window.post(body)).body).toEqual(failure('invalid_arg', ''))
  })

  verifies(['decision.envelope.cap', 'wall.body_cap'], 'refuses a body over its cap with 413', async () => {
    const { status, body } = await window.post(`"${'x'.repeat(6_291_456)}"`)
    expect(status).toBe(413)
    expect(body).toEqual(failure('invalid_arg', ''))
  })

  test('100 000 keys parse in time and crash nothing', async () => {
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [String(at), 1]))
    expect((await window.post(envelope({ args: many }))).body).toMatchObject({ ok: true })
  })
})

describe('an array of calls', () => {
  test('answers one line for each, each judged by itself', async () => {
    const { status, text } = await window.post(
      `[${envelope({ id: 'a' })},${envelope({ id: 'b', ns: 'nosuch' })},{},${envelope({ id: 'c' })}]`,
    )
    expect(status).toBe(200)
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(new Map(lines.map((line) => [line.id, line.ok]))).toEqual(
      new Map([
        ['a', true],
        ['b', false],
        ['', false],
        ['c', true],
      ]),
    )
  })

  test.each([
    ['none', 0],
    ['65', 65],
  ])('of %s is refused whole', async (_name, count) => {
    const { status, body } = await window.post(`[${Array(count).fill(envelope()).join(',')}]`)
    expect(status).toBe(400)
    expect(body).toEqual(failure('invalid_arg', ''))
  })

  test('of 64 is taken', async () => {
    const { text } = await window.post(
      `[${Array.from({ length: 64 }, (_, at) => envelope({ id: `${at}` })).join(',')}]`,
    )
    expect(text.trimEnd().split('\n')).toHaveLength(64)
  })
})

describe('the order of checks', () => {
  verifies.each([
    'rpc.order.token_first',
    'decision.envelope.token_first',
    'decision.envelope.malformed',
    'design.order.token_body',
    'wall.body_after_token',
    'token.window.cookie',
  ])([
    ['no token', { 'x-svc-app-token': null }],
    ['a token that is none', { 'x-svc-app-token': 'x.y.z' }],
    ['no cookie', { cookie: null }],
    ['a cookie that is none', { cookie: 'svc_signin_8787=x' }],
  ])('%s comes before a malformed body', async (_name, headers) => {
    const { status, body } = await window.post('{', headers)
    expect(status).toBe(401)
    expect(body).toEqual(failure('invalid_token', ''))
  })

  verifies('token.window.cookie', 'the cookie of another user does not go with the token', async () => {
    const { body } = await window.post(envelope(), { cookie: await services.signIn('bob') })
    expect(body).toEqual(failure('invalid_token', ''))
  })

  verifies.each(['wall.host_header', 'wall.origin', 'wall.media_type'])([
    ['Host', { host: 'evil.example' }, 403, 'permission_denied'],
    ['a Host that ends well', { host: '127.0.0.1.evil.example' }, 403, 'permission_denied'],
    ['no Origin', { origin: null }, 403, 'permission_denied'],
    ['an opaque Origin', { origin: 'null' }, 403, 'permission_denied'],
    ['the Origin of another port', { origin: 'http://127.0.0.1:9999' }, 403, 'permission_denied'],
    ['no media type', { 'content-type': null }, 415, 'invalid_arg'],
    ['text/plain', { 'content-type': 'text/plain' }, 415, 'invalid_arg'],
    ['another charset', { 'content-type': 'application/json; charset=utf-7' }, 415, 'invalid_arg'],
  ])('refuses by %s', async (_name, headers, status, code) => {
    const answer = await window.post(envelope(), headers as Record<string, string | null>)
    expect(answer).toMatchObject({ status, body: failure(code, '') })
  })

  const first = [
    ['the shape before wid', { window_uuid: 'other', args: null }, 'invalid_arg', 'design.order.shape_wid'],
    ['wid before access', { window_uuid: 'other', ns: 'nosuch' }, 'invalid_token', 'token.window.wid'],
    [
      'access before existence',
      { ns: 'storage2', method: 'nosuch' },
      'permission_denied',
      'design.order.access_exists',
    ],
    [
      'existence before arguments',
      { ns: 'window', method: 'nosuch', args: { title: 1 } },
      'not_implemented',
      'design.order.exists_args',
    ],
  ] as const
  verifies.each([
    'design.order.shape_wid',
    'token.window.wid',
    'design.order.access_exists',
    'design.order.exists_args',
    'decision.window.unknown',
  ])(first.map(([name, over, code]) => [name, over, code]))('%s', async (_name, over, code) => {
    expect((await window.post(envelope(over as unknown as Record<string, unknown>))).body).toEqual(
      failure(code as string),
    )
  })

  verifies.each([
    'access.undeclared',
    'error.permission_denied.method',
    'error.not_implemented.stub',
    'error.not_implemented.unwired',
    'decision.stub.undeclared',
    'design.undeclared',
    'design.unwired',
    'call.stub.namespaces',
    'rpc.order.manifest_before_grant',
  ])([
    ['chat.append_artifact', 'permission_denied', 'manifest'],
    ['artifact.create', 'permission_denied', 'manifest'],
    ['fs.read', 'permission_denied', 'manifest'],
    ['tools.list', 'permission_denied', 'manifest'],
    ['agent.session.create', 'permission_denied', 'manifest'],
    ['llm.embed', 'permission_denied', 'manifest'],
    ['image.generate', 'permission_denied', 'manifest'],
    ['web.fetch', 'permission_denied', 'grant'],
    ['prefs.get', 'not_implemented', undefined],
    ['llm.nosuch', 'not_implemented', undefined],
    ['storage.nosuch', 'not_implemented', undefined],
  ])('%s is %s', async (name, code, deniedBy) => {
    const [ns, ...method] = name.split('.')
    const { body } = await window.post(envelope({ ns, method: method.join('.') }))
    expect(body).toEqual(failure(code as string))
    expect((body as { error: { details: Record<string, unknown> } }).error.details.denied_by).toBe(deniedBy)
    expect((body as { error: { details: { hint: string } } }).error.details.hint).toBeTruthy()
  })

  verifies.each('access.undeclared')([
    ['llm.embed', 'Add "embed" to ui.host_api.llm in the manifest.'],
    ['files.put', 'There is no such method; files has list, read, write, delete, stat.'],
    ['nosuch.get', 'There is no such namespace; svc.window.hello() lists what this window may call.'],
  ])('the hint for an undeclared %s says what would help', async (name, hint) => {
    const [ns, method] = name.split('.')
    const { body } = await window.post(envelope({ ns, method }))
    expect(body).toMatchObject({ error: { code: 'permission_denied', details: { hint } } })
  })

  verifies(
    ['decision.window.closed_by_state', 'error.not_found.window', 'design.order.wid_window'],
    'a closed window is not_found while its token lives',
    async () => {
      const closing = await services.openWindow()
      expect(await closing.call('window', 'close')).toMatchObject({ ok: true })
      expect(await closing.call('storage2', 'nosuch')).toEqual(failure('not_found'))
    },
  )

  verifies(['wall.token.user_exists'], 'the token of a user who is gone is refused', async () => {
    const cookie = await services.signIn('eve')
    const { host } = services
    await host.apps.install('eve', { app_id: services.appId, version: '0.0.0-draft' }).catch(() => undefined)
    expect(await host.users.remove('eve')).toBe(true)
    const { status } = await services.request('/api/v1/svc-apps/windows', { cookie })
    expect(status).toBe(401)
  })
})

describe('calls in flight', () => {
  verifies(
    ['error.rate_limited', 'wall.in_flight.host', 'design.order.window_in_flight'],
    'the 65th is refused, and after that places are free again',
    async () => {
      const store = memoryStore()
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      const own = await openTestHost({
        clock,
        secret: 's'.repeat(32),
        manifest: { host_api: { storage: ['*'] } },
        store: {
          ...store,
          get: async (collection, id) => {
            if (collection.name === 'states') await held
            return store.get(collection, id)
          },
        },
      })
      const { post, windowUuid: window_uuid } = await own.openWindow()
      const call = (id: string) =>
        post(envelope({ id, window_uuid, ns: 'storage', method: 'get', args: { key: 'k' } }))
      // They come over connections of their own: whichever is the last is one too many, and alone has an answer.
      const calls = Array.from({ length: 65 }, (_, at) => call(`${at}`))
      expect(await Promise.race(calls)).toMatchObject({
        status: 429,
        body: { error: { code: 'rate_limited', details: expect.objectContaining({ retriable: true }) } },
      })
      release()
      const statuses = (await Promise.all(calls)).map(({ status }) => status)
      expect(statuses.filter((status) => status === 404)).toHaveLength(64)
      expect((await call('after')).status).toBe(404)
      await own.close()
      await store.close()
    },
  )
})
