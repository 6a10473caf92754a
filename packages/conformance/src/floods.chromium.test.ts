import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { launchChromium } from './chromium.ts'
import { openRealPage, type RealPage } from './fixtures/real-page.ts'
import { verifies } from './verifies.ts'

let browser: Browser
let at: RealPage

beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())
afterEach(() => at.close())

/** A window that counts how long its calls take: what a flood beside it may not spoil. */
const neighbour = `import { svc } from '@svc/sdk';
  globalThis.call = async () => { const start = performance.now(); await svc.storage.list({}); return performance.now() - start };
  svc.ready.then(() => show(1))`
/** A document that speaks the port wire by itself, from the moment that it is told to. */
const flood = (body: string) => `
  const heard = []; let calls;
  const hello = () => { const a = new MessageChannel(), b = new MessageChannel(); calls = a.port1;
    calls.onmessage = ({ data }) => heard.push(data);
    parent.postMessage({ svc: 'hello', version: 1 }, '*', [a.port2, b.port2]) };
  globalThis.ready = true;
  globalThis.go = () => { ${body} }`

/** A call of the window beside the flood is served; documents of one site may share the page's thread, so not at once. */
async function neighbourIsServed() {
  const frame = at.page.frames()[1]
  if (!frame) throw new Error('the neighbour is gone')
  expect(await frame.evaluate('call()')).toBeLessThan(5_000)
}

/** Opens the neighbour and the flood, and lets the flood go. */
async function start(body: string) {
  at = await openRealPage(browser, { neighbour, flood: flood(body) })
  await at.mount('neighbour')
  await at.shown()
  await at.mountSilent('flood')
  await at.frame().waitForFunction(() => 'ready' in globalThis)
  await at.frame().evaluate('go()')
}

verifies(
  ['wall.iframe.new_epoch', 'wall.iframe.welcome'],
  'two thousand hellos of one document leave one epoch, its last',
  async () => {
    await start(`for (let n = 0; n < 2000; n++) hello();
      const last = calls; last.postMessage([1, 'window', 'heartbeat', '{}']);
      last.addEventListener('message', () => heard.length > 2000 && show(heard.slice(-2)))`)
    await neighbourIsServed()
    expect(await at.shown()).toEqual([
      { svc: 'welcome', epoch: 2_000 },
      [1, '{"id":"1","ok":true,"result":{}}'],
    ])
    expect(await at.page.evaluate(() => globalThis.noted)).toEqual([])
  },
)

verifies(
  ['wall.in_flight.waiting', 'wall.in_flight.bridge', 'wall.iframe.guard'],
  'a hundred thousand calls of one document are each answered once, and its neighbour is served',
  async () => {
    await start(`hello(); let id = 0;
      for (let n = 0; n < 100; n++) { const list = [];
        for (let m = 0; m < 1000; m++) list.push(++id, 'window', 'heartbeat', '{}');
        calls.postMessage(list) }
      const counts = {}; let answers = 0;
      calls.onmessage = ({ data }) => { if (!Array.isArray(data)) return;
        for (let at = 1; at < data.length; at += 2) { answers++;
          const { error } = JSON.parse(data[at]); const code = error ? error.code : 'ok'; counts[code] = (counts[code] ?? 0) + 1 }
        if (answers === id) show([answers, counts.ok, Object.keys(counts).sort()]) }`)
    await neighbourIsServed()
    const [answers, served, codes] = (await at.shown()) as [number, number, string[]]
    expect(answers).toBe(100_000)
    expect(served).toBeGreaterThanOrEqual(256)
    expect(codes).toEqual(['ok', 'rate_limited'])
    await neighbourIsServed()
  },
)

verifies(
  ['wall.iframe.text_cap', 'wall.iframe.guard'],
  'arguments over 6 MiB do not leave the page, and junk of every kind is dropped',
  async () => {
    await start(`hello();
      const big = '{"x":"' + 'x'.repeat(6291456) + '"}';
      for (const junk of [null, 1, 'x', [], [[]], {}, [1], [1, 'a', 'b'], new Map([[1, 2]]), new Error('x'), new ArrayBuffer(8),
        { svc: 'drop', id: {} }, { svc: 'drop', id: 1e99 }, { svc: 'welcome', epoch: 9 }, { svc: 'reset' }, { svc: 'events', events: ['x'] },
        [NaN, 'window', 'heartbeat', '{}'], [-1, 'window', 'heartbeat', '{}'], [1.5, 'window', 'heartbeat', '{}']]) calls.postMessage(junk);
      calls.postMessage([1, 'storage', 'set', big, 2, 'window', '', '{}', 3, 'window', 'x'.repeat(65), '{}', 4, 'window', 'heartbeat', 'null',
        5, 'window', 'heartbeat', '{}', 5, 'window', 'heartbeat', '{}', 6, 'window', '__proto__', '{}', 7, 'constructor', 'constructor', '{}']);
      setTimeout(() => show(heard.slice(1).flat().filter((one) => typeof one === 'string')
        .map((one) => { const { id, ok, error } = JSON.parse(one); return id + ' ' + (ok ? 'ok' : error.code) }).sort()), 600)`)
    expect(await at.shown()).toEqual([
      '1 invalid_arg',
      '2 invalid_arg',
      '3 invalid_arg',
      '4 invalid_arg',
      '5 ok',
      '6 not_implemented',
      '7 permission_denied',
    ])
    expect(await at.page.evaluate(() => globalThis.noted)).toEqual([])
    await neighbourIsServed()
  },
)

verifies(
  ['wall.iframe.hello_source'],
  'fifty thousand messages to the page itself change nothing',
  async () => {
    await start(`hello();
    for (let n = 0; n < 50000; n++) parent.postMessage(n % 3 ? { svc: 'hello', version: 2 } : { svc: 'hello', version: 1 }, '*');
    calls.postMessage([1, 'window', 'heartbeat', '{}']);
    setTimeout(() => show(heard.length), 1500)`)
    await neighbourIsServed()
    expect(await at.shown()).toBe(2)
  },
)
