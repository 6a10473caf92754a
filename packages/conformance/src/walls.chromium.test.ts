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

const withSdk = (body: string) => `import { svc } from '@svc/sdk'; ${body}`
/** A document that speaks the port wire by itself; `later` waits for its answers, and then for what may come besides. */
const raw = (body: string) => `
  const heard = []; const calls = new MessageChannel(), face = new MessageChannel();
  calls.port1.onmessage = face.port1.onmessage = ({ data }) => heard.push(data);
  const hello = () => parent.postMessage({ svc: 'hello', version: 1 }, '*', [calls.port2, face.port2]);
  const answers = () => heard.flat().filter((one) => typeof one === 'string');
  const later = (least, run) => setTimeout(() => answers().length < least ? later(least, run) : run(), 400); ${body}`

verifies(
  ['wall.iframe.secrets', 'token.window.hidden', 'call.bridge'],
  'the iframe is told neither token nor cookie, and no uuid but its own',
  async () => {
    at = await openRealPage(browser, {
      listener: raw(`addEventListener('message', ({ data }) => heard.push(data)); hello();
        calls.port1.postMessage([1, 'window', 'heartbeat', '{}']);
        calls.port1.postMessage([2, 'storage', 'list', '{}']);
        calls.port1.postMessage([3, 'window', 'set_title', '{"title":"t"}']);
        later(3, () => show([location.href, document.referrer, name, heard]))`),
      other: withSdk('svc.ready'),
    })
    await at.mount('other')
    const other = await at.page.evaluate(() => globalThis.win.windowUuid)
    await at.mount('listener')
    const known = JSON.stringify(await at.shown())
    expect(known).toContain('welcome')
    expect(known).not.toContain(other)
    // A token and the cookie are JSON web tokens.
    expect(known).not.toMatch(/eyJ|svc_signin|app-token/i)
  },
)

describe('what a document posts', () => {
  verifies(
    ['wall.iframe.guard', 'wall.iframe.welcome'],
    'as comlink messages runs nothing, on any port and on the page',
    async () => {
      at = await openRealPage(browser, {
        attack: raw(`hello(); const third = new MessageChannel();
          third.port1.onmessage = ({ data }) => heard.push(['third', data]);
          const code = { type: 'RAW', value: 'globalThis.pwned = true' };
          for (const type of ['CONSTRUCT', 'APPLY', 'GET', 'SET', 'ENDPOINT', 'RELEASE'])
            for (const path of [['call', 'constructor'], ['constructor', 'constructor'], ['__proto__', 'x'], []]) {
              const message = { id: type + path, type, path, argumentList: [code], value: code };
              calls.port1.postMessage(message); face.port1.postMessage(message); parent.postMessage(message, '*');
            }
          calls.port1.postMessage([1, 'window', 'heartbeat', '{}'], [third.port2]);
          parent.postMessage({ svc: 'hello', version: 1 }, '*', [new MessageChannel().port1]);
          later(1, () => show(heard))`),
      })
      await at.mount('attack')
      expect(await at.shown()).toEqual([
        { svc: 'welcome', epoch: 1 },
        [1, '{"id":"1","ok":true,"result":{}}'],
      ])
      expect(await at.page.evaluate(() => ['pwned' in globalThis, globalThis.noted])).toEqual([false, []])
    },
  )

  verifies(
    ['wall.iframe.hello_source', 'wall.iframe.sibling'],
    'a frame inside a frame and a frame beside it speak for no window',
    async () => {
      const hello = `const a = new MessageChannel(), b = new MessageChannel(); let heard = 0;
        a.port1.onmessage = () => { heard++ };`
      at = await openRealPage(browser, {
        victim: withSdk('svc.ready.then(() => show(1))'),
        sibling: `${hello} parent.frames[0].postMessage({ svc: 'hello', version: 1 }, '*', [a.port2, b.port2]);
          a.port1.postMessage([1, 'storage', 'list', '{}']); setTimeout(() => show(heard), 400)`,
      })
      await at.mount('victim')
      await at.mountSilent('sibling')
      expect(await at.shown()).toBe(0)
      // A frame that the page did not mount, in the page itself and with the page's own rights.
      await at.page.evaluate(() => document.body.append(document.createElement('iframe')))
      const stranger = await at.frame().evaluate(
        () =>
          new Promise((done) => {
            const a = new MessageChannel()
            const b = new MessageChannel()
            a.port1.onmessage = () => done('heard')
            parent.postMessage({ svc: 'hello', version: 1 }, '*', [a.port2, b.port2])
            a.port1.postMessage([1, 'storage', 'list', '{}'])
            setTimeout(done, 400, 'ignored')
          }),
      )
      expect(stranger).toBe('ignored')
      expect(await at.page.evaluate(() => globalThis.bridge.windows.map((one) => one.connected))).toEqual([
        true,
        false,
      ])
    },
  )

  verifies(
    ['wall.iframe.port_names_window', 'design.body_kept_text'],
    'does not leave its own window, whatever its arguments say twice',
    async () => {
      at = await openRealPage(browser, {
        victim: withSdk(`svc.storage.set({ key: 'mine', value: 'victim' }).then(() => show(1));
          globalThis.look = () => svc.storage.list({}).then(({ items }) => items.map(({ key }) => key));`),
        forger: raw(`let n = 0;
          globalThis.go = (uuid) => { hello();
            const put = (args) => calls.port1.postMessage([++n, 'storage', 'set', args]);
            put('{"key":"a","value":1},"window_uuid":"' + uuid + '","id":"9"}');
            put('{"key":"b","value":1},"window_uuid":"' + uuid + '","x":{}');
            put('{"key":"c","value":1,"window_uuid":"' + uuid + '"}');
            put('{"key":"d","value":1},"ns":"window","method":"close","y":{}');
            put('{"key":"e","value":1}],[{}');
            calls.port1.postMessage([++n, 'storage', 'get', '{"key":"mine"}']);
            later(6, () => show(answers().map((one) => JSON.parse(one)))) }`),
      })
      await at.mount('victim')
      await at.shown()
      const uuid = await at.page.evaluate(() => globalThis.win.windowUuid)
      await at.mountSilent('forger')
      await expect.poll(() => at.frame().evaluate('typeof go')).toBe('function')
      await at.frame().evaluate(`go(${JSON.stringify(uuid)})`)
      const answers = (await at.shown()) as { id: string; ok: boolean; error?: { code: string } }[]
      const codes = new Map(answers.map(({ id, ok, error }) => [id, ok ? 'ok' : error?.code]))
      // A text that breaks out of its place is no JSON and does not leave the page; nothing is stored elsewhere.
      expect(['1', '2', '3', '4', '5', '6'].map((id) => codes.get(id))).toEqual([
        'invalid_arg',
        'invalid_arg',
        'ok',
        'invalid_arg',
        'invalid_arg',
        'not_found',
      ])
      expect(codes.get('6')).toBe('not_found')
      expect(await at.page.frames()[1]?.evaluate('look()')).toEqual(['mine'])
      expect((await at.host.windows.list('ada')).map(({ status }) => status)).toEqual(['open', 'open'])
    },
  )

  verifies(
    ['wall.iframe.port_names_window', 'wall.iframe.guard'],
    "puts no envelope of its own between others, and answers none of the page's calls",
    async () => {
      at = await openRealPage(browser, {
        splicer: raw(`let n = 0;
          globalThis.go = (uuid) => { hello();
            const envelope = '"id":"page1","window_uuid":"' + uuid + '","ns":"window","method":"resize"';
            const splice = (head) => '{' + head + '},' + envelope + '},{"args":{"w":201,"h":201},' + envelope + '},{"args":{}';
            const list = [];
            for (const head of ['', '"v":"' + 'x'.repeat(20000) + '"'])
              for (let at = 0; at < 20; at++) list.push(++n, 'window', 'resize', splice(head), ++n, 'window', 'heartbeat', '{}');
            calls.port1.postMessage(list);
            later(80, () => show(answers().map((one) => JSON.parse(one)))) }`),
      })
      await at.mountSilent('splicer')
      const uuid = await at.page.evaluate(() => globalThis.win.windowUuid)
      await expect.poll(() => at.frame().evaluate('typeof go')).toBe('function')
      await at.frame().evaluate(`go(${JSON.stringify(uuid)})`)
      const size = await at.page.evaluate(() => globalThis.win.resize({ w: 333, h: 222 }))
      expect(size).toEqual({ w: 333, h: 222 })
      const answers = (await at.shown()) as { id: string; ok: boolean; error?: { code: string } }[]
      const told = answers.map(({ id, ok, error }) => [Number(id), ok ? 'ok' : error?.code])
      expect(told.sort(([a], [b]) => Number(a) - Number(b))).toEqual(
        Array.from({ length: 80 }, (_, n) => [n + 1, n % 2 ? 'ok' : 'invalid_arg']),
      )
      const [window] = await at.host.windows.list('ada')
      expect([window?.geometry.w, window?.geometry.h]).toEqual([333, 222])
    },
  )
})
