// Alone: a fixed bound on the real clock, of a few seconds at most.

import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
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

/** A window that counts how long its calls take: what a flood beside it may not spoil. */
const neighbour = `import { svc } from '@svc/sdk';
  globalThis.call = async () => { const start = performance.now(); await svc.storage.list({}); return performance.now() - start };
  svc.ready.then(() => show(1))`
/** A document that speaks the port wire by itself, from the moment that it is told to. */
const flood = (body: string) => `
  const heard = []; let calls, face;
  const hello = () => { const a = new MessageChannel(), b = new MessageChannel(); calls = a.port1; face = b.port1;
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
      const texts = () => heard.slice(1).flat().filter((one) => typeof one === 'string');
      const look = () => texts().length < 7 ? setTimeout(look, 20) : setTimeout(() => show(texts()
        .map((one) => { const { id, ok, error } = JSON.parse(one); return id + ' ' + (ok ? 'ok' : error.code) }).sort()), 200);
      look()`)
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
  ['wall.iframe.hello_source', 'wall.frame.flood'],
  'two thousand messages to the page itself change nothing',
  async () => {
    await start(`hello();
    for (let n = 0; n < 2000; n++) parent.postMessage(n % 3 ? { svc: 'hello', version: 2 } : { svc: 'hello', version: 1 }, '*');
    calls.postMessage([1, 'window', 'heartbeat', '{}']);
    calls.onmessage = ({ data }) => { heard.push(data); if (heard.length === 2) show(heard.length) }`)
    await neighbourIsServed()
    expect(await at.shown()).toBe(2)
  },
)

verifies(
  'wall.frame.flood',
  'three hundred and twenty calls in one tick, long or short, are no flood',
  async () => {
    await start(`hello(); let answered = 0; const long = '{"key":"k","value":"' + 'x'.repeat(20000) + '"}';
    calls.onmessage = ({ data }) => { if (Array.isArray(data)) answered += data.length / 2; if (answered === 640) show(answered) };
    for (let id = 1; id <= 320; id++) calls.postMessage([id, 'window', 'heartbeat', '{}']);
    const drops = () => { for (let id = 1; id <= 320; id++) calls.postMessage({ svc: 'drop', id: 9999 });
      for (let id = 321; id <= 640; id++) calls.postMessage([id, 'storage', 'set', long]) };
    setTimeout(drops, 500)`)
    expect(await at.shown()).toBe(640)
    expect(await at.page.evaluate(() => globalThis.noted)).toEqual([])
  },
)

/** How long a page without a bridge takes for a hundred thousand messages of a frame, in ms, from a tenth of them. */
async function bareMs(): Promise<number> {
  const page = await browser.newPage()
  try {
    const tenth = await page.evaluate(
      (count) =>
        new Promise<number>((done) => {
          let heard = 0
          let begun = 0
          addEventListener('message', () => {
            begun ||= performance.now()
            heard += 1
            if (heard === count) done(performance.now() - begun)
          })
          const frame = document.createElement('iframe')
          frame.setAttribute('sandbox', 'allow-scripts')
          frame.srcdoc = `<script>for (let n = 0; n < ${count}; n++) parent.postMessage({ svc: 'noise', n }, '*')</script>`
          document.body.append(frame)
        }),
      10_000,
    )
    return 10 * tenth
  } finally {
    await page.close()
  }
}

verifies.each('wall.frame.flood')([
  ['to the page itself', `parent.postMessage({ svc: 'noise', n }, '*')`, '2500 posts'],
  ['on its port', `calls.postMessage([n + 1, 'window', 'heartbeat', '{}'])`, '10000 messages'],
  ['on the port for calls of the page', `face.postMessage({ id: n })`, '10000 messages'],
])(
  'a frame that sends a hundred thousand messages %s is closed, and its neighbour goes on',
  async (_, post, limit) => {
    const bare = await bareMs()
    at = await openRealPage(browser, {
      neighbour,
      flood: flood(`hello(); for (let n = 0; n < 100000; n++) ${post}`),
    })
    await at.mount('neighbour')
    await at.shown()
    await at.mountSilent('flood')
    await at.frame().waitForFunction(() => 'ready' in globalThis)
    await at.page.evaluate(() => {
      globalThis.win.on('closed', ({ reason }) => globalThis.noted.push(reason))
    })
    const beside = at.page.frames()[1]
    const slowest = beside?.evaluate(`new Promise(async (done) => {
    let most = 0;
    while (!globalThis.isEnough) most = Math.max(most, await call());
    done(most) })`)
    await at.frame().evaluate('void setTimeout(go)')
    const sentence = expect.stringContaining(`was closed: its frame sent more than ${limit} in a second`)
    expect(await at.notes(2)).toEqual([sentence, sentence])
    // One more begins after the close: it waits for what the frame had sent before.
    await beside?.evaluate('call().then(() => { globalThis.isEnough = true })')
    // The browser hands the page what the frame had sent before it was closed; how fast is the machine's.
    const took = Number(await slowest)
    const boundMs = (ms: number) => Math.max(5_000, 1_000 + 2 * ms)
    // It may have become busier since it was measured.
    const most = took < boundMs(bare) ? boundMs(bare) : boundMs(await bareMs())
    expect(took).toBeLessThan(most)
    expect(await at.page.evaluate(() => globalThis.bridge.windows.length)).toBe(1)
    expect((await at.host.windows.list('ada')).map(({ status }) => status)).toEqual(['open'])
    await neighbourIsServed()
  },
)
