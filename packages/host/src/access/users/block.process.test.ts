import { atPort, openTestHost, type TestHost } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { WINDOW_TOKEN_HEADER } from '@svc/contract'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createHost } from '../../create-host.ts'
import { openMachine, refusedMachine } from '../../testing/runner-machine.ts'
import { type Line, openSocket } from '../../testing/socket.ts'
import type { SignedIn } from './sign-in.ts'

const silent = pino({ level: 'silent' })
const OPERATOR = 'o'.repeat(32)
const WINDOWS = '/api/v1/svc-apps/windows'
const EVENTS = '/api/v1/svc-apps/runtime/events'
const manifest = { host_api: { agent: { session: { auto: true } } } }

let at: TestHost
let port: number
beforeEach(async () => {
  at = await openTestHost({ operatorToken: OPERATOR, manifest })
  port = (await at.host.listen(0)).port
})
afterEach(() => at.close())

const asOperator = (act: string, user: string, method = 'POST') =>
  at.request(`/api/v1/svc-apps/admin/users/${user}/${act}`, {
    method,
    headers: { authorization: `Bearer ${OPERATOR}` },
  })
const codeOf = async (answer: Response) => {
  const { error } = (await answer.json()) as { error?: { code: string; details?: { denied_by?: string } } }
  return [answer.status, error?.code, error?.details?.denied_by]
}
const beat = (windowUuid: string) =>
  JSON.stringify({ id: '1', window_uuid: windowUuid, ns: 'window', method: 'heartbeat', args: {} })

/** All that a user may have open, and how each ends. */
async function lived() {
  const cookie = await at.signIn('ada')
  const window = await at.openWindow()
  const made = await window.call('agent', 'session.create', { submode: 'auto' })
  const { app_session_uuid } = made.ok
    ? (made.result as { app_session_uuid: string })
    : { app_session_uuid: '' }
  const refreshed = await at.request(`/api/v1/copilot/app/sessions/${app_session_uuid}/refresh`, {
    method: 'POST',
    body: '{}',
    cookie,
  })
  const { app_session_token } = (await refreshed.json()) as { app_session_token: string }
  const socket = await openSocket({ port, cookie: window.cookie })
  expect((await socket.ask(beat(window.windowUuid), window.token)).map(({ status }: Line) => status)).toEqual(
    [200],
  )
  const stream = await at.request(`${EVENTS}?windows=${window.windowUuid}`, { cookie })
  const { token: machineToken } = await at.host.runners.enrol('ada', { name: 'laptop' })
  const machine = await openMachine(port, machineToken)
  await machine.hear('welcome')
  return { cookie, window, socket, stream, machine, machineToken, app_session_token }
}

/** A run that is cancelled with the token of a session. */
const cancelRun = (token: string) =>
  at.request('/api/v1/copilot/app/agent/cancel', {
    method: 'POST',
    body: JSON.stringify({ run_id: 'none' }),
    headers: { authorization: `Bearer ${token}` },
  })

describe('a user who is blocked', () => {
  verifies(['user.block.ends', 'user.block.refused'], 'has nothing left, and gets nothing new', async () => {
    const { cookie, window, socket, stream, machine, machineToken, app_session_token } = await lived()
    expect((await asOperator('block', 'ada')).status).toBe(200)
    expect((await socket.closed).code).toBe(1008)
    await stream.text()
    expect((await machine.closed).code).toBe(4401)
    expect(await at.host.windows.list('ada')).toEqual([])
    expect(await at.host.sessions.list('ada')).toEqual([])

    const blocked = [403, 'permission_denied', 'blocked']
    expect(await codeOf(await at.request(WINDOWS, { cookie }))).toEqual(blocked)
    expect(await codeOf(await at.request(EVENTS, { cookie }))).toEqual(blocked)
    expect((await window.post(beat(window.windowUuid))).status).toBe(403)
    expect((await cancelRun(app_session_token)).status).toBe(401)
    expect(await refusedMachine(port, machineToken)).toMatchObject({ status: 401 })
    await expect(at.signIn('ada')).rejects.toThrow('this user is blocked on this host')
  })

  test.each([
    ['GET', WINDOWS],
    ['GET', EVENTS],
    ['POST', '/api/v1/svc-apps/runtime/rpc'],
    ['GET', '/api/v1/auth/whoami'],
  ])('is counted once a request as one who is refused: %s %s', async (method, path) => {
    const limits = { RATE_REFUSED_PER_SECOND: 0, RATE_REFUSED_BURST: 2 }
    const strict = await openTestHost({ limits })
    const { cookie, token } = await strict.openWindow()
    await strict.host.users.block('ada')
    const { url, port } = await strict.host.listen(0)
    const headers = {
      cookie: atPort(cookie, { port }),
      origin: url,
      [WINDOW_TOKEN_HEADER]: token,
      'content-type': 'application/json',
    }
    const said: number[] = []
    for (let n = 0; n < 3; n += 1) said.push((await fetch(url + path, { method, headers })).status)
    expect(said).toEqual([403, 403, 429])
    await strict.close()
  })

  verifies('user.block.others', 'costs no other user anything', async () => {
    const bob = await at.signIn('bob')
    const stream = await at.request(EVENTS, { cookie: bob })
    const socket = await openSocket({ port, cookie: bob })
    await asOperator('block', 'ada')
    expect((await at.request(WINDOWS, { cookie: bob })).status).toBe(200)
    expect(socket.ws.readyState).toBe(socket.ws.OPEN)
    await stream.body?.cancel()
    socket.ws.close()
  })

  verifies('user.block.undo', 'is let in again, with all that he made', async () => {
    const cookie = await at.signIn('ada')
    await asOperator('block', 'ada')
    expect((await asOperator('unblock', 'ada')).status).toBe(200)
    expect((await at.request(WINDOWS, { cookie })).status).toBe(200)
    expect(await at.host.apps.installed('ada')).toHaveLength(1)
    expect((await asOperator('unblock', 'ada')).status).toBe(404)
  })

  test('is blocked by the token of the operator alone', async () => {
    const cookie = await at.signIn('eve')
    const answer = await at.request('/api/v1/svc-apps/admin/users/ada/block', { method: 'POST', cookie })
    expect(answer.status).toBe(403)
    expect((await at.request(WINDOWS, { cookie: await at.signIn('ada') })).status).toBe(200)
  })
})

describe('a user who is signed out everywhere', () => {
  verifies('user.sign_out', 'has no sign-in of before, and may sign in again at once', async () => {
    const { cookie, window, socket, stream, machine, app_session_token } = await lived()
    const other = await at.signIn('ada')
    const body = JSON.stringify({ everywhere: true })
    const answer = await at.request('/api/v1/auth/sign-out', { method: 'POST', body, cookie })
    expect(answer.headers.get('set-cookie')).toContain('svc_signin_8787=; Max-Age=0')
    expect((await socket.closed).code).toBe(1008)
    await stream.text()
    expect(await at.host.windows.list('ada')).toEqual([])
    for (const old of [cookie, other, window.cookie])
      expect((await at.request(WINDOWS, { cookie: old })).status).toBe(401)
    expect((await cancelRun(app_session_token)).status).toBe(410)
    expect((await at.request(WINDOWS, { cookie: await at.signIn('ada') })).status).toBe(200)
    // His machines are not a sign-in.
    expect(at.host.runners.online('ada')).toHaveLength(1)
    machine.ws.close()
  })

  verifies('user.sign_out', 'by the operator too', async () => {
    const cookie = await at.signIn('ada')
    expect((await asOperator('sign-out', 'ada')).status).toBe(200)
    expect((await at.request(WINDOWS, { cookie })).status).toBe(401)
  })

  verifies(
    'user.sign_out.here',
    'ends the sockets, calls and streams of all tabs of that sign-in, and of no other',
    async () => {
      const [cookie, other] = [await at.signIn('ada'), await at.signIn('ada')]
      const tabs = [await openSocket({ port, cookie }), await openSocket({ port, cookie })]
      const others = [
        await openSocket({ port, cookie: other }),
        await openSocket({ port, cookie: await at.signIn('bob') }),
      ]
      const stream = await at.request(EVENTS, { cookie })
      const answer = await at.request('/api/v1/auth/sign-out', { method: 'POST', body: '{}', cookie })
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([
        200,
        expect.stringContaining('Max-Age=0'),
      ])
      for (const tab of tabs) expect((await tab.closed).code).toBe(1008)
      await stream.text()
      expect(others.map(({ ws }) => ws.readyState)).toEqual([1, 1])
      for (const { ws } of others) ws.close()
      expect((await at.request(WINDOWS, { cookie: other })).status).toBe(200)
    },
  )
})

describe('with a sign-in of the embedder', () => {
  let user: SignedIn | null = { id: 'ada' }
  const opened = () => createHost({ runner: null, models: null, logger: silent, authenticate: () => user })
  const ask = async (host: ReturnType<typeof opened>) =>
    (await host.fetch(new Request(`http://127.0.0.1${WINDOWS}`, { headers: { host: '127.0.0.1' } }))).status

  verifies('user.removed.shut_out', 'a user who was removed is not made anew', async () => {
    user = { id: 'ada' }
    const host = opened()
    expect(await ask(host)).toBe(200)
    expect(await host.users.remove('ada')).toBe(true)
    expect(await ask(host)).toBe(403)
    expect(await host.users.remove('ada')).toBe(false)
    expect([await host.users.unblock('ada'), await ask(host)]).toEqual([true, 200])
    await host.close()
  })

  verifies('user.removed.shut_out', 'a sign-out everywhere lets nobody in who was removed', async () => {
    user = { id: 'ada' }
    const host = opened()
    expect(await ask(host)).toBe(200)
    await host.users.remove('ada')
    await host.users.signOut('ada')
    expect([await ask(host), await host.users.remove('ada')]).toEqual([403, false])
    await host.close()
  })

  test('the owner of the configured apps is not a user whom anybody could end', async () => {
    const host = opened()
    const acts = ['block', 'signOut', 'remove', 'erase', 'ensure'] as const
    for (const act of acts)
      await expect(host.users[act]('operator')).rejects.toThrow(
        'operator is the owner of the configured apps, and no user',
      )
    await host.close()
  })

  test('a sign-out everywhere is noted for who asked for it', async () => {
    const heard: string[] = []
    const host = createHost({
      runner: null,
      models: null,
      logger: silent,
      audit: ({ what, user_id, target, method }) =>
        void heard.push([what, user_id, target, method].join(' ')),
    })
    await host.users.ensure('ada')
    await host.users.signOut('ada', true)
    await host.users.signOut('ada')
    await host.close()
    expect(heard).toEqual(['user.sign_out ada  everywhere', 'user.sign_out operator ada '])
  })

  verifies('user.sign_out', 'a sign-in that says when it was made is void', async () => {
    const host = opened()
    const now = Date.now()
    user = { id: 'ada', at: now - 1 }
    expect(await ask(host)).toBe(200)
    await host.users.signOut('ada')
    expect(await ask(host)).toBe(401)
    user = { id: 'ada', at: Date.now() + 1_000 }
    expect(await ask(host)).toBe(200)
    await host.close()
  })
})
