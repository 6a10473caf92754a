import { verifies } from '@svc/conformance/verifies'
import { audit, type Limits, notAudited } from '@svc/contract'
import { rateOf, routeRows } from '@svc/contract/routes'
import { describe, expect, test } from 'vitest'
import { API, openRoutes, withApp } from '../../../testing/routes.ts'

const TOKEN = 'o'.repeat(32)
const operator = { cookie: null, headers: { authorization: `Bearer ${TOKEN}` } }
const AUDIT = `${API}/admin/audit`

/** Routes that a program or a page calls to change something: all but reads. */
const writes = routeRows().filter(([, { method }]) => method !== 'GET')
const acts = Object.values(audit).flatMap(
  ({ log, routes }) => (log === 'acts' ? routes : []) as readonly string[],
)
const noted = Object.values(audit).flatMap(({ routes }) => routes)

verifies.each('audit.table')(writes)('%s leaves an entry, or has a reason', (name) => {
  const places = [...noted, ...Object.keys(notAudited)].filter((one) => one === name)
  expect(places).toEqual([name])
})

test('the tables of the audit log name routes that there are', () => {
  const known = new Set(routeRows().map(([name]) => name))
  expect([...noted, ...Object.keys(notAudited)].filter((name) => !known.has(name))).toEqual([])
})

verifies.each('audit.bounds')(routeRows().filter(([name]) => acts.includes(name)))(
  '%s, which leaves an act, cannot be done so often that it pushes others out',
  (_, row) => {
    expect(row.auth === 'admin' || ['publish', 'sign_in'].includes(rateOf(row))).toBe(true)
  },
)

/** Ada's app with its window and its machine, and what the operator reads of it. */
async function lived(limits: Partial<Limits> = {}) {
  const opened = await withApp({ operatorToken: TOKEN, limits })
  const { send, app_id, install_id } = opened
  const post = (path: string, body: unknown) => send(`${API}${path}`, { method: 'POST', body })
  const { json: window } = await post('/windows', { app_id })
  const { json: machine } = await post('/runners', { name: 'laptop' })
  const uuid: string = window.window_uuid
  const read = async (query: string) => (await send(`${AUDIT}?${query}`, operator)).json
  return { ...opened, install_id, post, window, uuid, machine, read }
}

describe('the audit log', () => {
  verifies('audit.entry', 'says who did what to what, and nothing of what was in it', async () => {
    const { read, app_id, install_id, draft, machine, uuid, window, post, send } = await lived()
    await send(`${API}/installs/${install_id}`, { method: 'DELETE' })
    await post(`/apps/${app_id}/releases`, { version: 'one' })
    const acts = await read('')
    expect(acts.entries.map(({ at: _, ...entry }: { at: string }) => entry)).toEqual([
      { what: 'user.sign_in', user_id: 'ada', outcome: 'ok' },
      { what: 'app.register', user_id: 'ada', outcome: 'ok', app_id },
      { what: 'app.push', user_id: 'ada', outcome: 'ok', app_id, target: draft.digest },
      { what: 'app.install', user_id: 'ada', outcome: 'ok', app_id, target: install_id },
      { what: 'machine.enrol', user_id: 'ada', outcome: 'ok', target: machine.runner_id },
      { what: 'app.uninstall', user_id: 'ada', outcome: 'ok', target: install_id },
    ])
    const calls = await read('log=calls')
    expect(calls.entries).toEqual([
      expect.objectContaining({ what: 'window.token', outcome: 'ok', window_uuid: uuid }),
    ])
    const all = JSON.stringify([acts, calls])
    for (const secret of [window.token, machine.token, 'Notes', 'doctype']) expect(all).not.toContain(secret)
  })

  verifies('audit.denied', 'has what was refused: a route, a call, a sign-in', async () => {
    const { read, send, uuid, window } = await lived()
    await send(`${API}/windows`, { cookie: null })
    await send(`${API}/windows`, { method: 'POST', body: {}, headers: { origin: 'https://evil.test' } })
    await send('/api/v1/auth/dev-login', { method: 'POST', body: { user: 'eve' }, cookie: null })
    const { json } = await send('/api/v1/svc-apps/runtime/rpc', { method: 'POST', body: {} })
    expect(json.error.code).toBe('not_found')
    const { entries } = await read('log=denials')
    expect(
      entries.map(({ method, outcome, user_id }: Record<string, unknown>) => [method, outcome, user_id]),
    ).toEqual([
      ['windows.list', 'invalid_token', null],
      ['windows.open', 'permission_denied', null],
      ['signIn.dev', 'permission_denied', null],
    ])
    expect([uuid, window.token].every((text) => !JSON.stringify(entries).includes(text))).toBe(true)
  })

  verifies(
    'audit.bounds',
    'strangers who are refused are counted, and push out nothing but denials',
    async () => {
      const { read, send } = await lived({ RATE_REFUSED_PER_SECOND: 1, RATE_REFUSED_BURST: 5, AUDIT_KEPT: 5 })
      const env = { incoming: { socket: { remoteAddress: '192.0.2.7' } } }
      const foreign = { method: 'POST', body: {}, headers: { origin: 'https://evil.test' }, env }
      const codes = []
      for (let at = 0; at < 20; at += 1) codes.push((await send(`${API}/windows`, foreign)).code)
      expect(new Set(codes.slice(0, 5))).toEqual(new Set(['permission_denied']))
      expect(new Set(codes.slice(5))).toEqual(new Set(['rate_limited']))
      expect((await read('log=calls')).entries).toHaveLength(1)
      expect((await read('log=denials')).entries).toHaveLength(5)
    },
  )

  test('is read a page at a time, by user and by kind', async () => {
    const { read, login, send } = await lived()
    await login('bob')
    const first = await read('limit=2')
    expect([first.entries.length, first.more, first.lost]).toEqual([2, true, false])
    const second = await read(`after=${first.cursor}`)
    expect([second.entries.length, second.more]).toEqual([4, false])
    const bobs = await read('user=bob')
    expect(bobs.entries).toMatchObject([{ what: 'user.sign_in', user_id: 'bob' }])
    expect((await read('what=app.push')).entries).toHaveLength(1)
    const nothing = await read(`after=${second.cursor}`)
    expect(nothing).toEqual({ entries: [], cursor: second.cursor, more: false, lost: false })
    expect((await read('after=foreign.1')).lost).toBe(true)
    expect((await send(`${AUDIT}?what=nothing`, operator)).code).toBe('invalid_arg')
  })

  verifies.each('audit.operator')([
    ['the cookie of a user', {}],
    ['nothing', { cookie: null }],
    ['another token', { cookie: null, headers: { authorization: `Bearer ${'x'.repeat(32)}` } }],
    ['loopback', { cookie: null, env: { incoming: { socket: { remoteAddress: '127.0.0.1' } } } }],
  ])('is not read with %s', async (_, sent) => {
    const { send } = await openRoutes({ operatorToken: TOKEN })
    expect((await send(AUDIT, sent)).code).toBe('permission_denied')
  })

  verifies('audit.operator', 'is read by nobody on a host without such a token', async () => {
    const { send } = await openRoutes()
    expect((await send(AUDIT, operator)).code).toBe('permission_denied')
    expect((await send(AUDIT, { headers: { authorization: 'Bearer undefined' } })).code).toBe(
      'permission_denied',
    )
  })
})
