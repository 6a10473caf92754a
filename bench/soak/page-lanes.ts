import { randomUUID } from 'node:crypto'
import { BASE, bodyOf, closeWindow, openCallSocket, openWindow, RPC, send, signIn } from './client.ts'
import { readEvents } from './events.ts'
import type { Lane } from './lanes.ts'
import { files, install, manifest, type People, pushApp } from './people.ts'

const READ_MS = 400
/** A token of a window lives for two minutes. */
const RENEW_MS = 5_000
const GUESTS = 20

/** Traffic of pages: sign-ins, windows, sockets, event streams, installs and releases, and what is refused. */
export const pageLanes = ({ target, appId, all, one }: People): readonly Lane[] => [
  {
    name: 'sign in and out',
    everyMs: 500,
    async once(n) {
      const user = await signIn(target, `guest-${n % GUESTS}`)
      await user.ask('GET', '/api/v1/auth/whoami')
      await user.ask('GET', `${BASE}/installs`)
      await user.ask('POST', '/api/v1/auth/sign-out', {})
    },
  },
  {
    name: 'open a window, call, close it',
    everyMs: 150,
    async once(n) {
      const { user } = one(n)
      const window = await openWindow(target, user, appId)
      await window.call('window', 'hello', { protocol: 1 }).catch(() => {})
      await window.call('window', 'heartbeat')
      await window.call('window', 'set_title', { title: `title ${n}` })
      await window.call('storage', 'get', { key: 'none' }).catch(() => {})
      await send(target, 'GET', new URL(window.entry, 'http://x').pathname).then((page) => page.text())
      await closeWindow(window)
    },
  },
  {
    name: 'heartbeats on sockets',
    everyMs: 50,
    async once(n) {
      const { socket, windows } = one(n)
      const line = await socket.call(windows[n % 2 === 0 ? 0 : 1], 'window', 'heartbeat')
      if (!line.includes(' 200 ')) throw new Error(line)
    },
  },
  {
    name: 'renew the tokens of windows',
    everyMs: RENEW_MS,
    async once() {
      for (const { user, windows } of all)
        for (const window of windows) {
          const { token } = await user.ask<{ token: string }>(
            'POST',
            `${BASE}/windows/${window.uuid}/token`,
            {},
          )
          window.token = token
        }
    },
  },
  {
    name: 'four calls in a body',
    everyMs: 200,
    async once(n) {
      const { user, windows } = one(n)
      const [{ uuid, token }] = windows
      const body = ['a', 'b', 'c', 'd'].map((id) => bodyOf(uuid, 'storage', 'list', { limit: 10 }, id))
      const headers = { cookie: user.cookie, 'x-svc-app-token': token }
      const answer = await send(target, 'POST', RPC, { headers, body })
      const text = await answer.text()
      if (text.split('"ok":true').length !== body.length + 1) throw new Error(text)
    },
  },
  {
    name: 'call sockets that are cut',
    everyMs: 700,
    async once(n) {
      const { user, windows } = one(n)
      const socket = await openCallSocket(target, user)
      await socket.call(windows[0], 'window', 'heartbeat')
      void socket.call(windows[0], 'tools', 'invoke', {
        tool_id: 'soak',
        method: 'steps',
        args: { count: 9 },
      })
      socket.cut()
    },
  },
  {
    name: 'event streams that are cut and go on',
    everyMs: 600,
    async once(n) {
      const { user, windows } = one(n)
      const events = await readEvents(target, user, [windows[0].uuid])
      await events.until('nothing', READ_MS)
      await events.reconnect()
      events.close()
    },
  },
  {
    name: 'pages that connect again',
    everyMs: 3_000,
    once: (n) => one(n).events.reconnect(),
  },
  {
    name: 'register, push, release, install, uninstall, remove',
    everyMs: 2_000,
    async once(n) {
      const [{ user: author }, { user }] = [one(n), one(n + 1)]
      const app = await pushApp(author, `app-${randomUUID().slice(0, 8)}`)
      const draft = { manifest: manifest('Soak'), files: files(`<p>second ${n}`) }
      await author.ask('PUT', `${BASE}/apps/${app}/draft`, draft)
      await author.ask('POST', `${BASE}/apps/${app}/releases`, { version: '1.0.0' })
      const { install_id } = await install(user, app, '1.0.0')
      const window = await openWindow(target, user, app)
      await window.call('storage', 'set', { key: 'a', value: n })
      await window.call('files', 'write', { path: 'a.txt', text: `of ${n}` })
      await user.ask('DELETE', `${BASE}/installs/${install_id}`)
      await author.ask('DELETE', `${BASE}/apps/${app}/releases/1.0.0`)
      await author.ask('DELETE', `${BASE}/apps/${app}`)
    },
  },
  {
    name: 'what is refused',
    everyMs: 250,
    async once(n) {
      const { user, windows } = one(n)
      const [{ uuid, token }] = windows
      const good = { cookie: user.cookie, 'x-svc-app-token': token }
      const tries = [
        { headers: { ...good, 'x-svc-app-token': `${token}x` }, body: bodyOf(uuid, 'window', 'heartbeat') },
        { headers: { ...good, cookie: 'svc_signin_1=none' }, body: bodyOf(uuid, 'window', 'heartbeat') },
        { headers: { ...good, origin: 'http://elsewhere' }, body: bodyOf(uuid, 'window', 'heartbeat') },
        { headers: good, body: bodyOf(uuid, 'web', 'search', { query: 'x' }) },
        { headers: good, body: bodyOf(uuid, 'nothing', `at ${n}`) },
        { headers: good, body: bodyOf(uuid, 'storage', 'set', { key: '' }) },
        { headers: good, body: '{"id":' },
      ]
      const { headers, body } = tries[n % tries.length] as (typeof tries)[number]
      const answer = await send(target, 'POST', RPC, { headers, body })
      const text = await answer.text()
      if (text.includes('"ok":true')) throw new Error(`it was taken: ${text}`)
    },
  },
]
