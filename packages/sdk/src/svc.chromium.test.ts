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

const app = (body: string) => ({ script: `import * as sdk from '@svc/sdk'; ${show} ${body}` })
/** Shows what it knows, after how long, and whether a timer of a second was sooner. */
const asks =
  app(`const start = performance.now(); let isLate = false; setTimeout(() => { isLate = true }, 1_000);
  Promise.all([sdk.isHosted(), sdk.connect().catch((e) => e.code)]).then((said) => show([...said, performance.now() - start, isLate]))`)

it('knows at once that a tab of its own is not a host', async () => {
  await at.host.addApp('alone', asks)
  const tab = await browser.newPage()
  await tab.goto(`${at.host.url}/bundles/alone/index.html`)
  const shows = await tab.waitForFunction(() => document.documentElement.dataset.shown)
  const [hosted, code, , isLate] = JSON.parse(String(await shows.jsonValue()))
  expect([hosted, code, isLate]).toEqual([false, 'not_hosted', false])
  await tab.close()
})

it('knows after 2 s that the page around it is not a host', async () => {
  await at.host.addApp('strange', asks)
  await at.page.evaluate(() => {
    globalThis.bridge.dispose()
    const iframe = document.createElement('iframe')
    iframe.src = '/bundles/strange/index.html'
    document.body.append(iframe)
  })
  const [hosted, code, ms] = (await at.shown()) as [boolean, string, number]
  expect([hosted, code]).toEqual([false, 'not_hosted'])
  expect(ms).toBeGreaterThan(1_900)
})

verifies.each('design.sdk.last_calls')([
  ['goes to another page', `location.href = 'about:blank'`],
  ['is loaded anew', `location.reload()`],
  ['loses its iframe', `parent.postMessage('remove', '*')`],
])('sends what the last listeners save when the document %s', async (_, leave) => {
  await at.host.addApp(
    'saves',
    app(`const { svc } = sdk; const save = (key) => svc.storage.set({ key, value: 1 });
      addEventListener('pagehide', () => save('before'));
      globalThis.go = async () => { await svc.ready;
        addEventListener('pagehide', () => save('after'));
        addEventListener('visibilitychange', () => save('visibilitychange'));
        addEventListener('unload', () => save('unload'));
        ${leave} }`),
  )
  await at.mountSilent('saves')
  await at.page.evaluate(() =>
    addEventListener('message', ({ data }) => data === 'remove' && globalThis.win.iframe.remove()),
  )
  await at.frame().evaluate('void go()')
  const saved = () => at.host.calls.filter(({ method }) => method === 'set').map(({ args }) => args.key)
  await expect.poll(saved, { timeout: 5_000 }).toEqual(['before', 'after', 'visibilitychange', 'unload'])
})

verifies('design.sdk.no_probes', 'can be printed and copied without a call', async () => {
  await at.host.addApp(
    'prints',
    app(`const { svc } = sdk; const failed = []; addEventListener('unhandledrejection', ({ reason }) => failed.push(reason));
      const parts = [svc, svc.tools, svc.storage, svc.storage.get, svc.agent.session];
      for (const part of parts) { console.log(part, String(part), JSON.stringify({ part })); Object.entries(part); part.toJSON; part.nodeType }
      setTimeout(() => show([failed.map(String), JSON.stringify(svc)]), 200)`),
  )
  await at.mountSilent('prints')
  expect(await at.shown()).toEqual([[], '{"window":{},"tools":{},"agent":{},"llm":{}}'])
  expect(at.host.calls).toEqual([])
})

it('is loaded twice in one document with one connection', async () => {
  at.host.onCall = ({ method, args }) => ({ method, args })
  const copy = `import * as sdk from '@svc/sdk'; (globalThis.copies ??= []).push(sdk);`
  await at.host.addApp('copy', { script: copy })
  const script = /<script>([\s\S]*)<\/script>/.exec(
    await (await fetch(`${at.host.url}/bundles/copy/index.html`)).text(),
  )?.[1]
  await at.host.addApp('twice', {
    html: `<!doctype html><script>${script}</script><script>${script}</script><script>${show}
      const [a, b] = copies; let heard = [];
      a.svc.on('title_changed', () => heard.push('a')); b.svc.on('title_changed', () => heard.push('b'));
      Promise.all([a.connect(), b.connect(), a.svc.storage.get({ key: 'a' }), b.svc.storage.get({ key: 'b' })]).then(() => show(a === b));
      globalThis.heard = heard</script>`,
  })
  await at.mount('twice')
  expect(await at.shown()).toBe(false)
  expect(at.host.calls.map(({ method }) => method).sort()).toEqual(['get', 'get', 'hello'])
  expect(at.host.calls.map(({ id }) => id).sort()).toEqual(['1', '2', '3'])
  expect(await at.page.evaluate(() => globalThis.win.connected)).toBe(true)
  await expect.poll(() => at.host.openStreams()).toBe(1)
  at.host.emit({ type: 'title_changed', window_uuid: 'window-1', title: 't' })
  await expect.poll(() => at.frame().evaluate('heard')).toEqual(['a', 'b'])
})

it('reports uncaught errors and rejections, each once, and never its own', async () => {
  const reports: unknown[] = []
  at.host.onCall = ({ method, args }) => {
    if (method === 'report_error') {
      reports.push(args)
      throw new Error('refused without a body')
    }
  }
  await at.host.addApp(
    'faulty',
    app(`sdk.connect({ clientInfo: { app: 'faulty' } }).then(() => {
      const fail = () => { throw new TypeError('mine') };
      for (let n = 0; n < 5; n++) setTimeout(fail);
      for (let n = 0; n < 5; n++) Promise.reject('a text');
      setTimeout(() => show(1), 200);
    })`),
  )
  await at.mount('faulty')
  await at.shown()
  expect(reports).toHaveLength(2)
  expect(reports).toContainEqual({ message: 'a text', context: { source: 'unhandledrejection' } })
  expect(reports).toContainEqual({
    message: 'TypeError: mine',
    stack: expect.any(String),
    context: { source: 'error' },
  })
  expect(at.host.calls[0]?.args).toEqual({ client_info: { app: 'faulty' } })
})

it('is small in its core: calls, errors, the same connection', async () => {
  at.host.onCall = ({ method }) => ({ method })
  await at.host.addApp('core', {
    script: `import { connect, isHosted } from '@svc/sdk/core'; ${show}
      connect({ clientInfo: { tiny: true } }).then(async (client) => show([await client.storage.get({ key: 'k' }), await isHosted()]))`,
  })
  await at.mount('core')
  expect(await at.shown()).toEqual([{ method: 'get' }, true])
})

verifies('design.sdk.supports', 'knows what an old host lacks, and hints at it', async () => {
  at.host.onCall = ({ ns, method }) => {
    if (method === 'hello') return { capabilities: { methods: ['storage.get'], dispatcher: '0.18.0' } }
    if (ns === 'tools') throw new Refused({ code: 'not_implemented', message: 'too old' })
  }
  await at.host.addApp(
    'modern',
    app(`const { svc } = sdk; const hint = (error) => error.code + ': ' + error.hint;
      (async () => show([
        await svc.supports('storage.get'), await svc.supports('tools.invokeAsync'),
        await svc.tools.invokeAsyncAwait({ tool_id: 'a.b' }).catch(hint),
        await svc.tools.invokeAsync({ tool_id: 'a.b' }).catch(hint),
      ]))()`),
  )
  await at.mount('modern')
  const said = 'not_implemented: Check with svc.supports(name).'
  expect(await at.shown()).toEqual([true, false, said, said])
})
