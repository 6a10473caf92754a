import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { closePages, sharedChromium } from './chromium.ts'
import { openRealPage, type RealPage } from './testing/real-page.ts'
import { verifies } from './verifies.ts'

let browser: Browser
let at: RealPage

beforeAll(async () => {
  browser = await sharedChromium()
})
afterAll(() => closePages(browser))
afterEach(() => at.close())

/** Makes `attempt(what, run)`, which notes under `tried`: what came of an attempt, an error by its name. */
const tries = `const tried = {};
  const attempt = async (what, run) => {
    try { tried[what] = await Promise.race([run(), new Promise((done) => setTimeout(done, 1000, 'nothing'))]) }
    catch (error) { tried[what] = error.name }
  };`
const withSdk = (body: string) => `import { svc } from '@svc/sdk'; ${body}`

/** What a bundle may not do, wherever it runs. */
const outbreak = `${tries}
  const host = location.origin === 'null' ? new URL(location.href).origin : location.origin;
  (async () => {
    tried.origin = self.origin;
    await attempt('cookie', () => { document.cookie = 'a=1'; return document.cookie });
    await attempt('localStorage', () => localStorage.setItem('a', '1'));
    await attempt('sessionStorage', () => { sessionStorage.a = '1' });
    await attempt('indexedDB', () => new Promise((done, fail) => {
      const open = indexedDB.open('x'); open.onsuccess = () => done('open'); open.onerror = () => fail(open.error) }));
    await attempt('serviceWorker', () => navigator.serviceWorker.register('app.js').then(() => 'registered'));
    for (const path of ['/api/v1/svc-apps/windows', '/api/v1/svc-apps/runtime/rpc', '/healthz', '/'])
      await attempt('fetch ' + path, () => fetch(host + path, { credentials: 'include' }).then((r) => r.status));
    await attempt('beacon', () => new Promise((done) => {
      addEventListener('securitypolicyviolation', ({ effectiveDirective }) => done(effectiveDirective));
      navigator.sendBeacon(host + '/healthz', 'x') }));
    await attempt('socket', () => new Promise((done) => {
      const socket = new WebSocket(host.replace('http', 'ws') + '/'); socket.onerror = () => done('error'); socket.onopen = () => done('open') }));
    await attempt('popup', () => String(open('about:blank')));
    await attempt('image', () => new Promise((done) => { const image = new Image(); image.onload = () => done('loaded');
      image.onerror = () => done('error'); image.src = host + '/healthz' }));
    await attempt('frame', () => new Promise((done) => { const frame = document.createElement('iframe'); frame.src = host + '/';
      addEventListener('securitypolicyviolation', ({ effectiveDirective }) => effectiveDirective === 'frame-src' && done(effectiveDirective));
      document.body ? document.body.append(frame) : document.documentElement.append(frame) }));
    await attempt('eval', () => (0, eval)('1'));
    await attempt('inline', () => { const script = document.createElement('script'); script.textContent = 'globalThis.inlined = 1';
      document.documentElement.append(script); return globalThis.inlined ?? 'not run' });
    await attempt('form', () => new Promise((done) => { const form = document.createElement('form'); form.action = host + '/api/v1/auth/dev-login'; form.method = 'post';
      addEventListener('beforeunload', () => done('sent')); document.documentElement.append(form); form.submit(); setTimeout(done, 200, 'not sent') }));
    show(tried);
  })();`
const held = {
  origin: 'null',
  cookie: 'SecurityError',
  localStorage: 'QuotaExceededError',
  sessionStorage: 'QuotaExceededError',
  indexedDB: 'SecurityError',
  serviceWorker: expect.stringMatching(/Error$/),
  'fetch /api/v1/svc-apps/windows': 'TypeError',
  'fetch /api/v1/svc-apps/runtime/rpc': 'TypeError',
  'fetch /healthz': 'TypeError',
  'fetch /': 'TypeError',
  beacon: 'connect-src',
  socket: expect.stringMatching(/^(error|SecurityError)$/),
  popup: 'null',
  image: 'error',
  frame: 'Error',
  eval: 'EvalError',
  inline: 'not run',
  form: 'not sent',
}

describe('what a bundle may do', () => {
  verifies(
    ['call.sandbox', 'wall.iframe.opaque', 'wall.bundle.csp'],
    'in its iframe is nothing but its own files and its port',
    async () => {
      at = await openRealPage(browser, { outbreak })
      await at.mountSilent('outbreak')
      expect(await at.shown()).toEqual(held)
    },
  )

  verifies(
    ['wall.bundle.own_tab', 'wall.bundle.csp'],
    'in a tab of its own is no more, with the user signed in',
    async () => {
      at = await openRealPage(browser, { outbreak })
      await at.mountSilent('outbreak')
      const url = await at.page.evaluate(() => globalThis.win.iframe.src)
      const tab = await at.context.newPage()
      const cookies: (string | undefined)[] = []
      tab.on('request', async (request) => {
        if (request.url() !== url) cookies.push((await request.allHeaders()).cookie)
      })
      await tab.goto(url)
      const shows = await tab.waitForFunction(() => document.documentElement.dataset.shown)
      // A top document has no frame policy of its page; all else is the same.
      expect(JSON.parse(String(await shows.jsonValue()))).toEqual(held)
      expect(cookies.filter((cookie) => cookie !== undefined)).toEqual([])
      await tab.close()
    },
  )

  verifies(['call.sandbox', 'wall.iframe.opaque'], 'does not reach the page above it', async () => {
    at = await openRealPage(browser, {
      climb: `${tries} (async () => {
        await attempt('top', () => { top.location.href = 'about:blank'; return 'left' });
        await attempt('parent', () => parent.document.title);
        await attempt('frame', () => String(frameElement));
        await attempt('sibling', () => parent.frames[0].document.title);
        await attempt('alert', () => { alert('x'); return 'no dialog' });
        show(tried) })()`,
      other: withSdk('svc.ready'),
    })
    await at.mount('other')
    await at.mountSilent('climb')
    expect(await at.shown()).toEqual({
      top: 'SecurityError',
      parent: 'SecurityError',
      frame: 'null',
      sibling: 'SecurityError',
      alert: 'no dialog',
    })
    expect(at.page.url()).toBe(`${at.url}/`)
  })
})
