import { closePages, sharedChromium } from '@svc/conformance/chromium'
import { type BridgePage, openBridgePage, show } from '@svc/conformance/testing/bridge-page'
import { verifies } from '@svc/conformance/verifies'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'

let browser: Browser
let at: BridgePage

beforeAll(async () => {
  browser = await sharedChromium()
})
afterAll(() => closePages(browser))
beforeEach(async () => {
  at = await openBridgePage(browser)
})
afterEach(() => at.close())

const never = () => new Promise(() => undefined)
const app = (body: string) => ({ script: `import { svc } from '@svc/sdk'; ${show} ${body}` })
/** A document that speaks the port wire by itself. */
const raw = (body: string) => ({
  html: `<!doctype html><script>${show}
    const calls = new MessageChannel(), face = new MessageChannel();
    const hello = () => parent.postMessage({ svc: 'hello', version: 1 }, '*', [calls.port2, face.port2]);
    ${body}</script>`,
})

verifies.each('wall.iframe.welcome')([
  ['before its load', `svc.ready.then((hello) => show(hello))`],
  ['after its load', `addEventListener('load', () => setTimeout(() => svc.ready.then(show), 50))`],
])('takes a hello %s', async (_, script) => {
  at.host.onCall = () => ({ app_id: 'a' })
  await at.host.addApp('hello', app(script))
  await at.mount('hello')
  expect(await at.shown()).toEqual({ app_id: 'a' })
})

verifies('wall.iframe.new_epoch', 'takes a document that navigated itself for a new one', async () => {
  at.host.onCall = ({ method }) => (method === 'get' ? never() : {})
  await at.host.addApp(
    'first',
    app(
      `svc.ready; globalThis.leave = () => { svc.storage.get({ key: 'k' }); location.href = '../second/index.html' }`,
    ),
  )
  await at.host.addApp('second', app(`svc.window.ready().then(() => show('second'))`))
  await at.mount('first')
  await at.page.evaluate(() => {
    globalThis.win.on('connected', (epoch) => globalThis.noted.push(epoch))
    globalThis.win.on('disconnected', () => globalThis.noted.push('disconnected'))
  })
  await at.frame().evaluate('void leave()')
  expect(await at.notes(2)).toEqual(['disconnected', 2])
  expect(await at.shown()).toBe('second')
})

verifies('wall.frame.ended', 'tells of a document that left at once for one that is no app', async () => {
  await at.host.addApp(
    'app',
    app(`svc.ready; globalThis.leave = () => { location.href = '../mute/index.html' }`),
  )
  await at.host.addApp('mute', { html: '<!doctype html>' })
  await at.mount('app')
  await at.page.evaluate(() => {
    globalThis.win.on('ended', () => globalThis.noted.push('ended'))
    globalThis.win.on('connected', () => globalThis.noted.push('connected'))
  })
  await at.frame().evaluate('void leave()')
  expect(await at.notes(1)).toEqual(['ended'])
  await at.page.evaluate(() => globalThis.win.reload())
  expect(await at.notes(2)).toEqual(['ended', 'connected'])
})

verifies(
  'wall.iframe.new_epoch',
  'ends the epoch of a document that left for one without a hello',
  async () => {
    await at.host.addApp(
      'first',
      app(`svc.ready; globalThis.leave = () => { location.href = '../mute/index.html' }`),
    )
    await at.host.addApp('mute', { html: '<!doctype html>mute' })
    await at.mount('first')
    await at.frame().evaluate('void leave()')
    await expect.poll(() => at.page.evaluate(() => globalThis.win.connected)).toBe(false)
  },
)

verifies(
  'wall.iframe.new_epoch',
  'answers the old ports with bridge_reset when one document says hello twice',
  async () => {
    at.host.onCall = never
    await at.host.addApp(
      'twice',
      raw(`hello(); const got = [];
      calls.port1.onmessage = ({ data }) => { if (Array.isArray(data)) show(JSON.parse(data[1]).error.code) };
      calls.port1.postMessage([1, 'storage', 'get', '{}']);
      setTimeout(() => { const a = new MessageChannel(), b = new MessageChannel();
        parent.postMessage({ svc: 'hello', version: 1 }, '*', [a.port2, b.port2]) }, 100)`),
    )
    await at.mount('twice')
    expect(await at.shown()).toBe('bridge_reset')
  },
)

verifies(
  ['wall.iframe.sibling', 'wall.iframe.hello_source', 'wall.iframe.port_names_window'],
  'lets no iframe speak for another',
  async () => {
    await at.host.addApp('victim', app('svc.ready'))
    await at.mount('victim')
    await at.host.addApp(
      'sibling',
      raw(`const heard = []; calls.port1.onmessage = ({ data }) => heard.push(data);
      for (let n = 0; n < parent.frames.length; n++) try { parent.frames[n].postMessage({ svc: 'hello', version: 1 }, '*') } catch {}
      hello(); calls.port1.postMessage([1, 'storage', 'get', '{"window_uuid":"window-1"},"window_uuid":"window-1","id":"9"']);
      calls.port1.postMessage([2, 'storage', 'get', '{"window_uuid":"window-1"}']);
      const ids = () => heard.flat().filter((item) => typeof item === 'string').map((t) => JSON.parse(t).id);
      const look = () => ids().length < 2 ? setTimeout(look, 20) : setTimeout(() => show(ids()), 200); look()`),
    )
    await at.mount('sibling')
    expect(await at.shown()).toEqual(['1', '2'])
    const fromSibling = at.host.calls.filter(({ method }) => method === 'get')
    expect(fromSibling.map(({ window_uuid }) => window_uuid)).toEqual(['window-2'])

    const stranger = await at.page.evaluate(
      () =>
        new Promise((done) => {
          const iframe = document.createElement('iframe')
          iframe.setAttribute('sandbox', 'allow-scripts')
          iframe.srcdoc = `<script>const a = new MessageChannel(), b = new MessageChannel();
          a.port1.onmessage = () => parent.postMessage('welcomed', '*');
          parent.postMessage({ svc: 'hello', version: 1 }, '*', [a.port2, b.port2]);
          setTimeout(() => parent.postMessage('ignored', '*'), 200)</script>`
          addEventListener('message', ({ data, source }) => {
            if (source === iframe.contentWindow && typeof data === 'string') done(data)
          })
          document.body.append(iframe)
        }),
    )
    expect(stranger).toBe('ignored')
  },
)

verifies('wall.iframe.guard', 'runs nothing of what a document posts as comlink messages', async () => {
  await at.host.addApp(
    'attack',
    raw(`const heard = [];
      calls.port1.onmessage = face.port1.onmessage = ({ data }) => heard.push(data);
      hello();
      const code = { type: 'RAW', value: 'globalThis.pwned = true' };
      for (const type of ['CONSTRUCT', 'APPLY', 'GET', 'SET', 'ENDPOINT', 'RELEASE'])
        for (const path of [['call', 'constructor'], ['constructor', 'constructor'], []]) {
          const message = { id: type, type, path, argumentList: [code], value: code };
          calls.port1.postMessage(message); face.port1.postMessage(message); parent.postMessage(message, '*');
        }
      calls.port1.postMessage([1, 'storage', 'get', '{}']);
      const look = () => heard.length < 2 ? setTimeout(look, 20) : setTimeout(() => show(heard.length), 200);
      look()`),
  )
  await at.mount('attack')
  // The welcome and the one answer.
  expect(await at.shown()).toBe(2)
  expect(await at.page.evaluate(() => 'pwned' in globalThis)).toBe(false)
})

it('outlives bursts and lists of no form', async () => {
  await at.host.addApp(
    'flood',
    raw(`hello(); const answers = [];
      calls.port1.onmessage = ({ data }) => { if (!Array.isArray(data)) return; answers.push(...data);
        const ids = answers.filter((a) => typeof a === 'number').sort(); if (ids.length === 3) show(ids) };
      const port = calls.port1;
      for (let n = 0; n < 8000; n++) port.postMessage(n % 2 ? [n] : { svc: 'noise', n });
      const long = []; long.length = 4294967292; port.postMessage(long);
      for (const junk of [null, undefined, 1, 'x', {}, [], [[]], { svc: 'drop' }, new Map(), new ArrayBuffer(8)]) port.postMessage(junk);
      port.postMessage([7, 'storage', 'get', 'no object', 8, 'storage', 'get', '{}', 9, 1, 2, 3]);
`),
  )
  await at.mount('flood')
  expect(await at.shown()).toEqual([7, 8, 9])
  expect(at.host.calls.map(({ id }) => id)).toEqual(['8'])
  expect(await at.page.evaluate(() => globalThis.noted)).toEqual([])
})

it('hands events to the document, those that came too early too', async () => {
  await at.host.addApp('idle', app('svc.ready'))
  await at.host.addApp(
    'events',
    app(`globalThis.start = () => { const got = []; let reset = 0;
      svc.ready; svc.on('reset', () => { reset++ });
      svc.on('title_changed', ({ title }) => { got.push(title); if (got.length === 3) setTimeout(() => show([got, reset]), 50) }) }`),
  )
  await at.mountSilent('events')
  await expect.poll(() => at.host.streams.at(-1)?.query).toBe('?windows=window-1')
  await at.page.evaluate(() => {
    globalThis.win.on('error_reported', () => globalThis.noted.push('page only'))
  })
  const title = (text: string) => ({ type: 'title_changed', window_uuid: 'window-1', title: text })
  at.host.emit(title('one'))
  at.host.emit({ type: 'error_reported', window_uuid: 'window-1', message: 'm', fatal: false })
  await at.notes(1)
  await at.frame().evaluate('start()')
  await expect.poll(() => at.page.evaluate(() => globalThis.win.connected)).toBe(true)
  at.host.emit(title('two'))
  at.host.emitRaw('event: reset\ndata: {}\n\n')
  at.host.emit(title('three'))
  expect(await at.shown()).toEqual([['one', 'two', 'three'], 1])
  expect(await at.page.evaluate(() => [globalThis.win.title, globalThis.win.iframe.title])).toEqual([
    'three',
    'three',
  ])

  await at.mount('idle')
  await expect
    .poll(() => at.host.streams.at(-1))
    .toEqual({ query: '?windows=window-1,window-2', lastId: '4' })
})

it('routes frames of a run by their heads, and parses them for a listener of the page alone', async () => {
  await at.host.addApp('idle', app('svc.ready'))
  await at.host.addApp('run', app(`svc.ready; svc.on('title_changed', ({ title }) => show(title))`))
  await at.mount('run')
  await expect.poll(() => at.host.streams.at(-1)?.query).toBe('?windows=window-1')
  await at.page.evaluate(() => {
    const { parse } = JSON
    JSON.parse = (text, ...more) => {
      if (text.startsWith('{"type":"rpc.stream"')) globalThis.noted.push('parsed')
      return parse(text, ...more)
    }
  })
  const frame = (seq: number) => ({
    type: 'rpc.stream',
    window_uuid: 'window-1',
    stream_id: 'strm_1',
    seq,
    payload: { event: 'started' },
    done: false,
  })
  for (const seq of [1, 2, 3]) at.host.emit(frame(seq))
  at.host.emit({ type: 'title_changed', window_uuid: 'window-1', title: 'behind them' })
  expect(await at.shown()).toBe('behind them')
  expect(await at.page.evaluate(() => globalThis.noted)).toEqual([])

  await at.page.evaluate(() => globalThis.win.on('rpc.stream', ({ seq }) => globalThis.noted.push(seq)))
  at.host.emit(frame(4))
  expect(await at.notes(2)).toEqual(['parsed', 4])

  await at.mount('idle')
  await expect
    .poll(() => decodeURIComponent(String(at.host.streams.at(-1)?.query)))
    .toBe('?windows=window-1,window-2&streams=strm_1:4:window-1')
})

it('asks the bundle before it closes, and tells it its surroundings', async () => {
  await at.host.addApp(
    'ask',
    app(`let keep = true; const contexts = [];
      svc.on('context', (context) => { contexts.push(context.theme); if (contexts.length === 2) show([contexts, svc.context.locale, svc.context.styles]) });
      svc.onBeforeClose((reason) => { parent.postMessage(reason, '*'); const answer = !keep; keep = false; return answer }); svc.ready`),
  )
  await at.mountSilent('ask')
  await at.page.evaluate(() => globalThis.win.setContext({ theme: 'dark', locale: 'de', focused: true }))
  await expect.poll(() => at.page.evaluate(() => globalThis.win.connected)).toBe(true)
  await at.page.evaluate(() =>
    globalThis.win.setContext({
      theme: 'light',
      locale: 'fr',
      focused: true,
      styles: { variables: { '--a': 'red' } },
    }),
  )
  expect(await at.shown()).toEqual([['dark', 'light'], 'fr', { variables: { '--a': 'red' } }])
  const answers = await at.page.evaluate(async () => {
    const { win } = globalThis
    win.on('closed', (close) => globalThis.noted.push(close))
    return [await win.close('bye'), win.iframe.isConnected, await win.close(), win.iframe.isConnected]
  })
  expect(answers).toEqual([false, true, true, false])
  expect(await at.notes(1)).toEqual([{ reason: null }])
  expect(at.host.windows.size).toBe(0)
})

it('waits a second at most for a bundle that does not say whether it may be closed', async () => {
  await at.host.addApp('hang', app(`svc.onBeforeClose(() => new Promise(() => 0)); svc.ready`))
  await at.mount('hang')
  const [ms, isLate] = await at.page.evaluate(async () => {
    const start = performance.now()
    let isLate = false
    setTimeout(() => {
      isLate = true
    }, 10_000)
    await globalThis.win.close()
    return [performance.now() - start, isLate]
  })
  expect(ms).toBeGreaterThan(900)
  // It closes at the host as well, which takes as long as it does.
  expect(isLate).toBe(false)
})

it('closes a window against the will of its bundle', async () => {
  await at.host.addApp('stay', app(`svc.onBeforeClose(() => false); svc.ready`))
  await at.mount('stay')
  await expect.poll(() => at.page.evaluate(() => globalThis.win.connected)).toBe(true)
  const answers = await at.page.evaluate(async () => {
    const { win } = globalThis
    return [await win.close('bye'), await win.close('bye', { force: true }), win.iframe.isConnected]
  })
  expect(answers).toEqual([false, true, false])
  expect(at.host.windows.size).toBe(0)
})

it('takes a window away when the bundle or another page closed it', async () => {
  await at.host.addApp('close', app('svc.ready'))
  await at.mount('close')
  await at.page.evaluate(() => globalThis.win.on('closed', (close) => globalThis.noted.push(close)))
  await expect.poll(() => at.host.openStreams()).toBe(1)
  at.host.emit({ type: 'close_view', window_uuid: 'window-1', reason: 'done' })
  expect(await at.notes(1)).toEqual([{ reason: 'done' }])
  expect(await at.page.locator('iframe').count()).toBe(0)
  await expect.poll(() => at.host.openStreams()).toBe(0)
})

it('puts a window back after a reload of the page', async () => {
  await at.host.addApp('back', app('svc.window.ready().then(() => show(1))'))
  await at.mount('back')
  at.host.windows.set('bare', { token: 'token', app_id: 'no document' })
  const again = await at.page.evaluate(async () => {
    const { bridge, win } = globalThis
    const twice = await bridge
      .attachWindow({ into: document.body, windowUuid: win.windowUuid })
      .catch(({ code }) => code)
    win.detach()
    const attached = await bridge.attachWindow({ into: document.body, windowUuid: win.windowUuid })
    const codeFor = (windowUuid: string) =>
      bridge.attachWindow({ into: document.body, windowUuid }).catch(({ code }) => code)
    return [twice, attached.title, attached.geometry.w, await codeFor('nobody'), await codeFor('bare')]
  })
  expect(again).toEqual(['conflict', 'Window of back', 640, 'not_found', 'bundle_not_ready'])
  expect(await at.shown()).toBe(1)
})
