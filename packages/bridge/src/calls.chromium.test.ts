import { closePages, sharedChromium } from '@svc/conformance/chromium'
import { type BridgePage, openBridgePage, show } from '@svc/conformance/testing/bridge-page'
import { Refused } from '@svc/conformance/testing/fake-host'
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
const idle = app('svc.ready.then(() => 0)')

verifies(
  'call.bridge',
  'carries calls and answers, and gives the iframe scripts and nothing else',
  async () => {
    at.host.onCall = ({ ns, method, args }) => ({ was: `${ns}.${method}`, args })
    await at.host.addApp('echo', app(`svc.storage.get({ key: 'k' }).then(show, show)`))
    await at.mount('echo')
    expect(await at.shown()).toEqual({ was: 'storage.get', args: { key: 'k' } })
    expect(at.host.calls.map(({ method }) => method)).toEqual(['hello', 'get'])
    const attributes = await at.page.evaluate(() => {
      const { iframe } = globalThis.win
      return [
        iframe.getAttribute('sandbox'),
        iframe.getAttribute('allow'),
        iframe.referrerPolicy,
        iframe.title,
      ]
    })
    expect(attributes).toEqual(['allow-scripts allow-forms', '', 'no-referrer', 'Window of echo'])
  },
)

it('makes an error of a refusal again, and shows it to the page', async () => {
  at.host.onCall = ({ method }) => {
    if (method === 'get')
      throw new Refused({
        code: 'permission_denied',
        message: 'not declared',
        details: { hint: 'Declare it.' },
      })
  }
  await at.host.addApp(
    'denied',
    app(`svc.ready; globalThis.go = () => svc.storage.get({ key: 'k' }).catch((e) =>
      show([e.name, e.code, e.message, e.hint, e.retryable, e.isHostRpcError]))`),
  )
  await at.mount('denied')
  await at.page.evaluate(() => {
    globalThis.win.on('refused', (call) => globalThis.noted.push(call))
  })
  await at.frame().evaluate('void go()')
  expect(await at.shown()).toEqual([
    'HostRpcError',
    'permission_denied',
    'not declared',
    'Declare it.',
    false,
    true,
  ])
  expect(await at.notes(1)).toEqual([
    {
      ns: 'storage',
      method: 'get',
      code: 'permission_denied',
      message: 'not declared',
      hint: 'Declare it.',
      details: { hint: 'Declare it.' },
    },
  ])
})

it('sends the calls of one tick as one POST', async () => {
  await at.host.addApp(
    'many',
    app(`svc.ready.then(() => Promise.all(Array.from({ length: 64 }, (_, key) =>
      svc.storage.get({ key: String(key) })))).then((all) => show(all.length))`),
  )
  await at.mount('many')
  expect(await at.shown()).toBe(64)
  expect(at.host.posts).toEqual([1, 64])
  expect(at.host.calls.slice(1).map(({ args }) => args.key)).toEqual(
    Array.from({ length: 64 }, (_, key) => String(key)),
  )
})

verifies(
  'wall.in_flight.waiting',
  'answers 320 calls of one tick in order, and those past them with rate_limited',
  async () => {
    await at.host.addApp(
      'flood',
      app(`svc.ready.then(() => Promise.all(Array.from({ length: 364 }, (_, key) =>
      svc.storage.get({ key: String(key) }).then(() => 'ok', (e) => e.code + e.retryable)))).then(show)`),
    )
    await at.mount('flood')
    const answers = (await at.shown()) as string[]
    expect(answers).toEqual([...Array(320).fill('ok'), ...Array(44).fill('rate_limitedtrue')])
    const keys = at.host.calls.slice(1).map(({ args }) => Number(args.key))
    expect(keys).toEqual(Array.from({ length: 320 }, (_, key) => key))
    expect(Math.max(...at.host.posts)).toBe(64)
  },
)

verifies('design.lanes.quick', 'keeps quick calls quick while five slow ones hang', async () => {
  at.host.onCall = ({ ns }) => (ns === 'tools' ? never() : {})
  await at.host.addApp(
    'hang',
    app(`let ended = 0;
      for (let n = 0; n < 5; n++) setTimeout(() => svc.tools.invoke({ tool_id: 'a.b' }).catch(() => { ended++ }), n);
      svc.ready.then(() => setTimeout(async () => {
        for (let n = 0; n < 3; n++) await svc.window.heartbeat();
        show(ended)
      }, 100))`),
  )
  await at.mount('hang')
  // What waited behind the slow ones would come once they have ended, which is after their time.
  expect(await at.shown()).toBe(0)
  expect(at.host.calls.filter(({ ns }) => ns === 'tools').length).toBeGreaterThan(0)
})

it('gives up a slow POST that nobody waits for', async () => {
  at.host.onCall = ({ ns }) => (ns === 'tools' ? never() : {})
  await at.host.addApp(
    'give-up',
    app(`const stop = new AbortController();
      const lists = ['signal', 'timeout'];
      svc.ready.then(() => Promise.all([
        svc.tools.invoke({ tool_id: 'a.b' }, { signal: stop.signal }).catch((e) => e.code),
        svc.tools.invoke({ tool_id: 'a.b' }, { timeoutMs: 80 }).catch((e) => e.code),
        new Promise((done) => setTimeout(() => { stop.abort(); done() }, 50)),
      ])).then(show)`),
  )
  await at.mount('give-up')
  expect(await at.shown()).toEqual(['cancelled', 'timeout', null])
  await expect.poll(() => at.host.aborted.count).toBe(1)
})

it('renews a token that the host refuses, once for all, and repeats the call', async () => {
  at.host.onCall = () => ({ fine: true })
  await at.host.addApp(
    'renew',
    app(`globalThis.go = () => Promise.all(['a', 'b', 'c'].map((key) => svc.storage.get({ key }))).then(show)
      svc.ready`),
  )
  await at.mount('renew')
  const window = at.host.windows.get('window-1')
  if (window) window.token = 'another'
  await at.frame().evaluate('go()')
  expect(await at.shown()).toEqual([{ fine: true }, { fine: true }, { fine: true }])
  expect(at.host.renewals.count).toBe(1)
})

it('lives on tokens of one second without a failed call', async () => {
  at.host.tokenLife = 1
  await at.host.addApp(
    'short',
    app(`globalThis.seen = { failed: 0, calls: 0 };
      const next = () => svc.storage.get({ key: 'k' })
        .catch(() => { seen.failed++ }).then(() => { seen.calls++; setTimeout(next, 20) });
      next()`),
  )
  await at.mount('short')
  await expect.poll(() => at.host.renewals.count).toBeGreaterThan(3)
  await expect.poll(() => at.frame().evaluate('seen.calls')).toBeGreaterThan(50)
  expect(await at.frame().evaluate('seen.failed')).toBe(0)
})

it('answers host_unreachable while the host is away, and tells the shell', async () => {
  await at.host.addApp(
    'away',
    app(
      `globalThis.go = () => svc.storage.get({ key: 'k' }).catch((e) => show([e.code, e.retryable])); svc.ready`,
    ),
  )
  await at.mount('away')
  await at.page.evaluate(() => {
    for (const type of ['host_lost', 'host_back', 'window_lost'] as const)
      globalThis.bridge.on(type, () => globalThis.noted.push(type))
  })
  await expect.poll(() => at.host.streams.length).toBeGreaterThan(0)
  await at.host.pause()
  await at.frame().evaluate('go()')
  expect(await at.shown()).toEqual(['host_unreachable', true])
  expect(await at.notes(1)).toEqual(['host_lost'])
  at.host.windows.clear()
  await at.host.resume()
  expect(await at.notes(3)).toEqual(['host_lost', 'host_back', 'window_lost'])
})

verifies('design.events.back', 'tells that the host is back to a page that has no window left', async () => {
  await at.host.addApp('away', app('svc.ready.then(() => show(1))'))
  await at.mount('away')
  await at.page.evaluate(() => {
    for (const type of ['host_lost', 'host_back'] as const)
      globalThis.bridge.on(type, () => globalThis.noted.push(type))
  })
  await expect.poll(() => at.host.openStreams()).toBeGreaterThan(0)
  await at.host.pause()
  expect(await at.notes(1)).toEqual(['host_lost'])
  await at.page.evaluate(() => globalThis.win.detach())
  await at.host.resume()
  expect(await at.notes(2)).toEqual(['host_lost', 'host_back'])
  await expect.poll(() => at.host.openStreams()).toBe(0)
})

it('settles a call of the page that the host does not answer', async () => {
  at.host.onCall = ({ method }) => (method === 'resize' ? never() : {})
  await at.host.addApp('idle', idle)
  const settled = await at.page.evaluate(async () => {
    // Ten seconds pass in half a second.
    const clock = {
      now: Date.now,
      setTimeout: (run: () => void, ms: number) => setTimeout(run, ms === 10_000 ? 500 : ms),
      clearTimeout: (timer: unknown) => clearTimeout(timer as number),
    }
    const bridge = globalThis.bridgeApi.createBridge({ clock })
    const win = await bridge.mountWindow({ into: document.body, appId: 'idle' })
    return await win.resize({ w: 300, h: 300 }).catch(({ code, message }) => [code, message])
  })
  expect(settled).toEqual(['host_unreachable', 'the host could not be reached: no answer within 10000 ms'])
  await expect.poll(() => at.host.aborted.count).toBe(1)
})

it('keeps nothing of a call of the page that was answered', async () => {
  await at.host.addApp('idle', app('svc.ready.then(() => show(1))'))
  await at.mount('idle')
  // Behind hello it would wait, and its POST would get a signal of its own later.
  await at.shown()
  const signals = await at.page.evaluate(async () => {
    const made: AbortSignal[] = []
    const { any } = AbortSignal
    AbortSignal.any = (given) => {
      const signal = any.call(AbortSignal, given)
      made.push(signal)
      return signal
    }
    await globalThis.win.focus()
    AbortSignal.any = any
    return { made: made.length, heard: made.filter(({ onabort }) => onabort).length }
  })
  expect(signals.made).toBeGreaterThanOrEqual(2)
  expect(signals.heard).toBe(0)
})

it('closes all it opened when it is disposed, and settles what waits', async () => {
  at.host.onCall = ({ method }) => (method === 'resize' ? never() : {})
  await at.host.addApp('idle', app('svc.ready.then(() => show(1))'))
  await at.mount('idle')
  // A quick call waits for the one before it, here for hello.
  await at.shown()
  await at.page.evaluate(() => {
    globalThis.noted.push(globalThis.win.resize({ w: 300, h: 300 }).catch((error) => error.code))
  })
  await expect.poll(() => at.host.calls.at(-1)?.method).toBe('resize')
  const code = await at.page.evaluate(() => {
    globalThis.bridge.dispose()
    globalThis.bridge.dispose()
    return globalThis.noted[0]
  })
  expect(code).toBe('bridge_reset')
  expect(await at.page.locator('iframe').count()).toBe(0)
  await expect.poll(() => at.host.openStreams()).toBe(0)
  await expect.poll(() => at.host.aborted.count).toBe(1)
  const again = await at.page.evaluate(() =>
    globalThis.bridge.mountWindow({ into: document.body, appId: 'idle' }).catch((error) => error.code),
  )
  expect(again).toBe('bridge_reset')
})

it('tells once that a window is gone, and answers its calls without asking again', async () => {
  await at.host.addApp(
    'gone',
    app(`globalThis.go = () => svc.storage.get({ key: 'k' }).catch((e) => e.code); svc.ready`),
  )
  await at.mount('gone')
  await at.page.evaluate(() => {
    globalThis.win.on('lost', () => globalThis.noted.push('lost'))
    globalThis.bridge.on('window_lost', (lost) => globalThis.noted.push(lost === globalThis.win))
  })
  at.host.windows.clear()
  expect(await at.frame().evaluate('go()')).toBe('not_found')
  let asked = 0
  at.page.on('request', () => asked++)
  expect(await at.frame().evaluate('go()')).toBe('not_found')
  expect([asked, await at.notes(2)]).toEqual([0, ['lost', true]])
  // While it is on the page, the page is told of the host.
  expect(at.host.openStreams()).toBe(1)
  await at.page.evaluate(() => globalThis.win.detach())
  await expect.poll(() => at.host.openStreams()).toBe(0)
})

it('tells once that the user is signed out, and again after a return', async () => {
  await at.host.addApp('idle', idle)
  const told = await at.page.evaluate(async () => {
    let refused = /^$/
    const refusal = JSON.stringify({ id: '', ok: false, error: { code: 'invalid_token', message: 'no' } })
    const bridge = globalThis.bridgeApi.createBridge({
      fetch: async (url, init) =>
        refused.test(String(url)) ? new Response(refusal, { status: 401 }) : fetch(url, init),
    })
    const told: unknown[] = []
    bridge.on('signed_out', () => told.push('signed out'))
    const win = await bridge.mountWindow({ into: document.body, appId: 'idle' })
    // Signed out, twice; then only the token is too old, and renewed; then signed out again.
    for (refused of [/./, /./, /rpc$/, /./]) await win.focus().catch(({ code }) => told.push(code))
    return told
  })
  expect(told).toEqual(['signed out', ...Array(3).fill('invalid_token'), 'signed out', 'invalid_token'])
})

it('follows 64 windows and no more, and closes at the host what has no place on the page', async () => {
  await at.host.addApp('mute', { html: '<!doctype html>mute' })
  const codes = await at.page.evaluate(async () => {
    const mount = () =>
      globalThis.bridge
        .mountWindow({ into: document.body, appId: 'mute' })
        .then(() => 'ok')
        .catch(({ code }) => code)
    return await Promise.all(Array.from({ length: 66 }, mount))
  })
  expect(codes.filter((code) => code !== 'ok')).toEqual(['rate_limited', 'rate_limited'])
  await expect.poll(() => at.host.windows.size).toBe(64)
  // Of two connections that follow each other closely the later may reach the host first.
  const followed = () => Math.max(...at.host.streams.map(({ query }) => query.split(',').length))
  await expect.poll(followed).toBe(64)
  const nowhere = await at.page.evaluate(async () => {
    globalThis.win = globalThis.bridge.windows[0] as typeof globalThis.win
    await globalThis.win.close()
    const into = document.querySelector('#nowhere') as Element
    return await globalThis.bridge.mountWindow({ into, appId: 'mute' }).catch(({ name }) => name)
  })
  expect([nowhere, at.host.windows.size]).toEqual(['TypeError', 63])
})

it('says what the host refused when a window cannot be opened', async () => {
  const refused = await at.page.evaluate(() =>
    globalThis.bridge
      .mountWindow({ into: document.body, appId: 'no-such-app' })
      .catch(({ name, code, message, hint }) => ({ name, code, message, hint })),
  )
  expect(refused).toEqual({
    name: 'BridgeError',
    code: 'not_found',
    message: 'no such app',
    hint: 'Install it.',
  })
})
