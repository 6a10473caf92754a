import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BridgeError, MountOptions } from '@svc/bridge'
import { launchChromium } from '@svc/conformance/chromium'
import { type BridgePage, openBridgePage, show } from '@svc/conformance/testing/bridge-page'
import { begins } from '@svc/conformance/testing/fake-host'
import { verifies } from '@svc/conformance/verifies'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'

let browser: Browser
let at: BridgePage

beforeAll(async () => {
  browser = await launchChromium([], true)
})
afterAll(() => browser.close())
beforeEach(async () => {
  at = await openBridgePage(browser)
})
afterEach(() => at.close())

const app = (body: string) => ({ script: `import { svc } from '@svc/sdk'; ${show} ${body}` })
const idle = app('svc.ready.then(() => 0)')
const mute = { html: '<!doctype html>mute' }

/** Another origin, whose answers a test gives by their path: `/404`, `/forbids`, `/hangs`, `/app`, `/timed`. */
async function otherOrigin() {
  const server = createServer(({ url }, response) => {
    if (url === '/hangs') return
    response
      .writeHead(url === '/404' ? 404 : 200, {
        'content-type': 'text/html',
        'access-control-allow-origin': '*',
        'access-control-expose-headers': '*',
        'content-security-policy': `sandbox allow-scripts${url === '/forbids' ? "; frame-ancestors 'none'" : ''}`,
        ...(url === '/timed' && { 'timing-allow-origin': '*' }),
      })
      .end(`<!doctype html>${url === '/404' ? '' : begins}app`)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}`, close }
}

/** Mounts an app from an entry that the host is made to name, and returns how that ended; the minute for it does not pass. */
const mountAt = (
  appId: string,
  entry: string | null,
  options: Pick<MountOptions, 'until' | 'timeoutMs'> = {},
) =>
  at.page.evaluate(
    async ([app, url, more]) => {
      const clock = {
        now: Date.now,
        setTimeout: (run: () => void, ms: number) => (ms === 60_000 ? undefined : setTimeout(run, ms)),
        clearTimeout: (timer: unknown) => clearTimeout(timer as number | undefined),
      }
      const bridge = globalThis.bridgeApi.createBridge({
        clock,
        onError: (error) => globalThis.noted.push((error as BridgeError).details.reason),
        async fetch(...request) {
          const response = await fetch(...request)
          if (url === null || !String(request[0]).endsWith('/windows')) return response
          return Response.json({ ...(await response.json()), entry_url: url })
        },
      })
      const { code, message, details } = await bridge
        .mountWindow({ into: document.body, appId: app, ...more })
        .then(() => ({ code: 'mounted', message: '', details: {} as BridgeError['details'] }))
        .catch((error: BridgeError) => error)
      return {
        ended: [code, details.reason ?? null],
        message,
        hint: details.hint,
        url: details.url,
        left: [bridge.windows.length, document.querySelectorAll('iframe').length],
        noted: globalThis.noted,
      }
    },
    [appId, entry, options] as const,
  )

/** What a window whose document did not come leaves behind. */
const undone = (reason: string) => ({ left: [0, 0], noted: [reason], ended: ['load_failed', reason] })

/** Gives the page a Content-Security-Policy. */
const police = (policy: string) =>
  at.page.evaluate((content) => {
    const meta = document.createElement('meta')
    Object.assign(meta, { httpEquiv: 'Content-Security-Policy', content })
    document.head.append(meta)
  }, policy)

verifies.each(['wall.frame.arrives', 'wall.frame.undone'])([
  ['of its own origin', '/bundles/mute/index.html'],
  ['of another', 'other'],
])('rejects at once a frame %s that the page may not show', async (_, path) => {
  const other = await otherOrigin()
  await at.host.addApp('mute', mute)
  await police("frame-src 'none'")
  const entry = path === 'other' ? `${other.url}/app` : at.host.url + path
  const told = await mountAt('mute', entry)
  other.close()
  expect(told).toMatchObject(undone('csp'))
  expect(told.message).toBe('the document of the app is not in the frame-src of the page')
  expect(told.url).toBe(entry)
  expect(told.hint).toContain(`Content-Security-Policy: frame-src ${new URL(entry).origin}`)
  await expect.poll(() => at.host.windows.size).toBe(0)
})

verifies.each('wall.frame.undone')([
  ['in the query', '/bundles/gone/index.html?window=eyJ.secret-1', '/bundles/gone/index.html'],
  ['in the path', '/bundles/gone~eyJ.secret-1/a/index.html', '/bundles/gone/a/index.html'],
])('tells no ticket of a document that did not come, %s', async (_, path, plain) => {
  await at.host.addApp('mute', mute)
  const told = await mountAt('mute', at.host.url + path)
  expect(told.url).toBe(at.host.url + plain)
  expect(JSON.stringify(told)).not.toContain('secret')
})

verifies.each(['wall.frame.arrives', 'wall.frame.undone'])([
  ['is not there', '/bundles/gone/index.html', 'http', 'answered HTTP 404'],
  ['is not there at another origin', '/404', 'http', 'answered HTTP 404'],
  ['cannot be reached', 'http://127.0.0.1:9/', 'unreachable', 'cannot be reached at http://127.0.0.1:9'],
  ['forbids to be framed', '/forbids', 'framing', 'may not be framed by HOST'],
  ['never comes', '/hangs', 'timeout', 'showed no app within 5000 ms'],
])('rejects a frame whose document %s', async (_, path, reason, why) => {
  const other = await otherOrigin()
  await at.host.addApp('mute', mute)
  const entry = path.startsWith('/bundles') ? at.host.url + path : new URL(path, other.url).href
  const told = await mountAt('mute', entry, path === '/hangs' ? { timeoutMs: 5_000 } : {})
  other.close()
  expect(told).toMatchObject({
    ...undone(reason),
    message: `the document of the app ${why.replace('HOST', at.host.url)}`,
  })
  await expect.poll(() => at.host.windows.size).toBe(0)
})

verifies.each('wall.frame.arrives')([
  ['a document that uses the SDK', 'idle', null, 'mounted'],
  ['a document without the SDK', 'mute', null, 'mounted'],
  ['a document of another origin that lets itself be timed', 'mute', '/timed', 'mounted'],
])('resolves over %s', async (_, appId, path, ended) => {
  const other = await otherOrigin()
  await at.host.addApp('idle', idle)
  await at.host.addApp('mute', mute)
  const told = await mountAt(appId, path && other.url + path)
  other.close()
  expect(told).toMatchObject({ ended: [ended, null], left: [1, 1], noted: [] })
})

verifies('wall.frame.arrives', 'waits for a hello where that is asked for', async () => {
  await at.host.addApp('mute', mute)
  await at.host.addApp('late', app('setTimeout(() => svc.ready, 500)'))
  expect(await mountAt('late', null, { until: 'connected' })).toMatchObject({ ended: ['mounted', null] })
  const told = await mountAt('mute', null, { until: 'connected', timeoutMs: 5_000 })
  expect(told.ended).toEqual(['load_failed', 'timeout'])
})

verifies('wall.frame.arrives', 'waits longer than for a hello for a document that is only slow', async () => {
  await at.host.addApp('mute', mute)
  await at.page.route('**/bundles/mute/**', async (route) => {
    await new Promise((done) => setTimeout(done, 1_500))
    await route.continue()
  })
  const told = await mountAt('mute', null)
  expect(told).toMatchObject({ ended: ['mounted', null], noted: [] })
})

verifies(
  'wall.frame.undone',
  'gives up by its signal, and leaves a window open at the host that it only attached',
  async () => {
    await at.host.addApp('idle', idle)
    await at.mount('idle')
    const told = await at.page.evaluate(async () => {
      const { bridge, win } = globalThis
      const caught = ({ name, code }: { name: string; code: unknown }) => [name, code]
      const into = document.body
      const early = AbortSignal.abort()
      const none = await bridge.mountWindow({ into, appId: 'idle', signal: early }).catch(caught)
      win.detach()
      const late = new AbortController()
      const attached = bridge
        .attachWindow({ into, windowUuid: win.windowUuid, signal: late.signal })
        .catch(caught)
      await new Promise<void>((done) => {
        const look = () => (bridge.windows.length > 0 ? done() : setTimeout(look))
        look()
      })
      late.abort()
      return [none, await attached, bridge.windows.length]
    })
    expect(told).toEqual([['AbortError', 20], ['AbortError', 20], 0])
    expect(at.host.windows.size).toBe(1)
  },
)

verifies('wall.frame.told', 'tells of the connection that came before the page had the window', async () => {
  await at.host.addApp('idle', idle)
  const heard = await at.page.evaluate(async () => {
    const win = await globalThis.bridge.mountWindow({
      into: document.body,
      appId: 'idle',
      until: 'connected',
    })
    const connected = win.connected
    return [connected, await new Promise((done) => win.on('connected', done))]
  })
  expect(heard).toEqual([true, 1])
})

verifies(
  'wall.frame.removed',
  'says disconnected when page code takes the iframe out, and connects one that is moved',
  async () => {
    await at.host.addApp('idle', idle)
    await at.mount('idle')
    const heard = await at.page.evaluate(async () => {
      const { win } = globalThis
      const heard: unknown[] = []
      win.on('disconnected', () => heard.push('disconnected'))
      let connect = () => {}
      win.on('connected', (epoch) => {
        heard.push(epoch)
        connect()
      })
      const connected = () =>
        new Promise<void>((done) => {
          connect = done
        })
      const moved = connected()
      document.querySelector('main')?.append(win.iframe)
      await moved
      const gone = new Promise<void>((done) => win.on('disconnected', () => done()))
      win.iframe.remove()
      const start = performance.now()
      await gone
      const ms = performance.now() - start
      const back = connected()
      document.body.append(win.iframe)
      await back
      return { heard, ms, listed: globalThis.bridge.windows.length }
    })
    expect(heard).toMatchObject({ heard: ['disconnected', 2, 'disconnected', 3], listed: 1 })
    expect(heard.ms).toBeLessThan(10_000)
  },
)
