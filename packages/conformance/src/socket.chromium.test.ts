import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished } from 'vitest'
import { closePages, sharedChromium } from './chromium.ts'
import { openRealPage, type RealPage, signInAs } from './testing/real-page.ts'
import { verifies } from './verifies.ts'

let browser: Browser
let at: RealPage

beforeAll(async () => {
  browser = await sharedChromium()
})
afterAll(() => closePages(browser))
afterEach(() => at.close())

const app = (body: string) => `import { svc } from '@svc/sdk'; ${body} svc.ready.then(() => show(1))`
const CALLS = '/api/v1/svc-apps/runtime/calls'
// What a page sends is told to the test on a way of its own, and may come after what the page says: it is polled.
/** Counts in the window's own storage; returns what stands there, or the code of an error. */
const counter = app(`
  globalThis.beat = () => svc.window.heartbeat().then(() => 'ok', (e) => e.code);
  globalThis.rename = (title) => svc.window.set_title({ title });
  globalThis.hang = () => svc.tools.invoke({ tool_id: 'odd.hang' }).then(() => 'answer', (e) => e.code);
  globalThis.own = (name) => Promise.all(Array.from({ length: 100 }, (_, n) =>
    svc.tools.invoke({ tool_id: 'odd.reply', args: { reply: { result: { output: { name, n } } } } })))
    .then((all) => all.every((one, n) => one.name === name && one.n === n));`)

const call = (name: string, frame = at.frame()) => frame.evaluate(name)

describe('the socket of a page', () => {
  verifies(
    ['design.socket.quick', 'wall.in_flight.order'],
    'carries short calls, and leaves long ones to POST',
    async () => {
      at = await openRealPage(browser, {
        app: app(`globalThis.set = (chars) => svc.storage.set({ key: 'k', value: 'x'.repeat(chars) }).then(() => 'ok', (e) => e.code);
          globalThis.beat = () => svc.window.heartbeat().then(() => 'ok');`),
      })
      await at.mount('app')
      await at.traffic.socketOpen()
      const before = { ...at.traffic.bodies }
      for (let n = 0; n < 5; n++) expect(await call('beat()')).toBe('ok')
      await expect.poll(() => at.traffic.bodies).toEqual({ post: before.post, socket: before.socket + 5 })
      expect(await call('set(40000)')).toBe('ok')
      await expect.poll(() => at.traffic.bodies).toEqual({ post: before.post + 1, socket: before.socket + 5 })
      expect(at.traffic.complaints).toEqual([])
    },
  )

  verifies(
    ['wall.iframe.sibling', 'wall.iframe.port_names_window', 'design.events.multiplexed'],
    'is one for all its windows, and each hears the answers to its own calls',
    async () => {
      at = await openRealPage(browser, { counter })
      for (let n = 0; n < 3; n++) {
        await at.mount('counter')
        await at.shown()
      }
      await at.traffic.socketOpen()
      const windows = at.page.frames().slice(1)
      expect(await Promise.all(windows.map((frame, n) => call(`own('w${n}')`, frame)))).toEqual([
        true,
        true,
        true,
      ])
      expect(await at.page.evaluate(() => globalThis.sockets.length)).toBe(1)
      await expect.poll(() => at.traffic.bodies.socket).toBeGreaterThan(0)
    },
  )

  verifies(
    ['design.socket.back', 'design.sdk.settles'],
    'settles its calls when it breaks; the next go by POST, and over a new socket when it stands',
    async () => {
      at = await openRealPage(browser, { counter }, { limits: { POOL_IDLE_MS: 100 } })
      await at.mount('counter')
      await at.traffic.socketOpen()
      const hanging = [call('hang()'), call('hang()')]
      await expect.poll(() => at.processes().length).toBeGreaterThan(1)
      await at.traffic.cutSocket()
      expect(await Promise.all(hanging)).toEqual(['host_unreachable', 'host_unreachable'])
      const { post } = at.traffic.bodies
      expect(await call('beat()')).toBe('ok')
      await expect.poll(() => at.traffic.bodies.post).toBe(post + 1)
      // Nobody waits for the tools any more.
      await expect.poll(() => at.processes(), { timeout: 4_000 }).toEqual([])
      await at.traffic.socketOpen()
      const { socket } = at.traffic.bodies
      expect(await call('beat()')).toBe('ok')
      await expect.poll(() => at.traffic.bodies).toEqual({ post: post + 1, socket: socket + 1 })
      expect(await at.page.evaluate(() => globalThis.noted)).toEqual([])
    },
  )

  verifies(['design.socket.back'], 'closes with the last window, and opens with the next', async () => {
    at = await openRealPage(browser, { counter })
    const states = () => at.page.evaluate(() => globalThis.sockets.map(({ readyState }) => readyState))
    await at.mount('counter')
    await at.traffic.socketOpen()
    await at.page.evaluate(() => globalThis.win.close())
    await expect.poll(states).toEqual([3])
    await at.mount('counter')
    await at.traffic.socketOpen()
    await at.page.evaluate(() => globalThis.bridge.dispose())
    await expect.poll(states).toEqual([3, 3])
  })

  verifies(['design.socket.back'], 'does not outlive a window that could not be opened', async () => {
    at = await openRealPage(browser, { counter })
    const code = await at.page.evaluate(() =>
      globalThis.bridge.mountWindow({ into: document.body, appId: 'app_none' }).catch((e) => e.code),
    )
    expect(code).toBe('not_found')
    await expect
      .poll(() =>
        at.page.evaluate(() => globalThis.sockets.filter(({ readyState }) => readyState < 2).length),
      )
      .toBe(0)
  })

  verifies(
    ['design.socket.back', 'wall.token.retry'],
    'does not keep a sign-in that has changed',
    async () => {
      at = await openRealPage(browser, { counter })
      await at.mount('counter')
      await at.traffic.socketOpen()
      await signInAs(at.page, 'bob')
      await at.mount('counter')
      expect(await at.shown()).toBe(1)
      for (let n = 0; n < 3; n++) expect(await call('beat()')).toBe('ok')
      await expect
        .poll(async () => {
          const before = at.traffic.bodies.post
          await call('beat()')
          return at.traffic.bodies.post - before
        })
        .toBe(0)
    },
  )
})

describe('without a socket', () => {
  verifies(
    ['design.socket.post'],
    'a page whose host takes no upgrades calls by POST, and the console says nothing',
    async () => {
      at = await openRealPage(browser, { counter }, { way: 'post' })
      await at.mount('counter')
      expect(await at.shown()).toBe(1)
      expect(await call(`own('w')`)).toBe(true)
      expect(at.traffic.bodies.socket).toBe(0)
      expect(await at.page.evaluate(() => globalThis.sockets.length)).toBe(0)
      expect(at.traffic.complaints).toEqual([])
    },
  )

  verifies.each(['design.socket.post', 'wall.socket.caps'])([
    ['whose upgrade is refused', 0, null],
    ['whose own policy names no socket', 1, (url: string) => `connect-src ${url}/api/`],
  ])('a page %s calls by POST, and hears its events', async (_name, max, policyOf) => {
    at = await openRealPage(browser, { counter }, { limits: { CALL_SOCKETS_PER_USER: max } })
    const { page } = at
    await page.evaluate((policy) => {
      const meta = document.createElement('meta')
      meta.httpEquiv = 'content-security-policy'
      meta.content = policy
      document.head.append(meta)
      globalThis.bridge.on('title_changed', ({ title }) => globalThis.noted.push(title))
    }, policyOf?.(at.url) ?? '')
    await at.mount('counter')
    expect(await at.shown()).toBe(1)
    await expect.poll(() => page.evaluate(() => globalThis.sockets[0]?.readyState)).toBe(3)
    expect(await call(`own('w')`)).toBe(true)
    expect(at.traffic.bodies.socket).toBe(0)
    await call(`rename('new')`)
    expect(await at.notes(1)).toEqual(['new'])
  })
})

verifies(
  ['wall.socket.iframe', 'wall.iframe.opaque', 'wall.bundle.csp'],
  'a bundle opens no call socket: its policy forbids it, and the host refuses its origin',
  async () => {
    const open = `const open = (url) => new Promise((done) => {
      addEventListener('securitypolicyviolation', ({ effectiveDirective }) => done(effectiveDirective));
      try { const socket = new WebSocket(url, 'svc.calls.1'); socket.onopen = () => done('open'); socket.onclose = () => done('refused') }
      catch ({ name }) { done(name) } });`
    at = await openRealPage(browser, {
      intruder: `${open} open(new URL(location.href.replace('http', 'ws')).origin + '${CALLS}').then(show)`,
    })
    await at.mountSilent('intruder')
    expect(await at.shown()).toMatch(/^(connect-src|SecurityError)$/)
    // The same in a sandbox without any policy, as no host of ours sends it: its origin is `null`, which gets 403.
    const frame = `<script>${open} open('${at.url.replace('http', 'ws')}${CALLS}').then((what) => parent.postMessage(what, '*'))</script>`
    const server = createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end(`<!doctype html><link rel=icon href=data:,>
        <iframe sandbox="allow-scripts" srcdoc="${frame.replaceAll('"', '&quot;')}"></iframe>
        <script>addEventListener('message', ({ data }) => { document.title = data })</script>`),
    ).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const bare = await at.context.newPage()
    await bare.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    await expect.poll(() => bare.title()).toBe('refused')
    await bare.close()
  },
)
