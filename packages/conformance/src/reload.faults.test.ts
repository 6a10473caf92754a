import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { launchChromium } from './chromium.ts'
import { rounds } from './rounds.ts'
import type { Way } from './testing/page-host.ts'
import { openRealPage, type RealPage } from './testing/real-page.ts'
import { verifies } from './verifies.ts'

declare global {
  /** What the page holds open now; see `count`. */
  var held: () => { ports: number; timers: number; listeners: number }
}

const ROUNDS = rounds(100, 25)
let browser: Browser
let at: RealPage

beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())
afterEach(() => at.close())

/** Runs before anything else in the page: counts ports that came and were not closed, timers, and listeners. */
function count() {
  if (top !== self) return
  const ports = new Set<MessagePort>()
  addEventListener('message', (event) => {
    for (const port of event.ports) ports.add(port)
  })
  const shut = MessagePort.prototype.close
  MessagePort.prototype.close = function () {
    ports.delete(this)
    shut.call(this)
  }
  const timers = new Set<unknown>()
  const { setTimeout: set, clearTimeout: clear } = globalThis
  globalThis.setTimeout = ((run: () => void, ms?: number) => {
    const timer = set(() => {
      timers.delete(timer)
      run()
    }, ms)
    timers.add(timer)
    return timer
  }) as typeof setTimeout
  globalThis.clearTimeout = ((timer?: number) => {
    timers.delete(timer)
    clear(timer)
  }) as typeof clearTimeout
  let listeners = 0
  const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype
  EventTarget.prototype.addEventListener = function (...given: Parameters<typeof add>) {
    if (!(this instanceof MessagePort) && !(this instanceof AbortSignal)) {
      listeners++
      const [, , options] = given
      // A listener that a signal takes away is never removed by name.
      if (typeof options === 'object') options.signal?.addEventListener('abort', () => listeners--)
    }
    add.apply(this, given)
  }
  EventTarget.prototype.removeEventListener = function (...given: Parameters<typeof remove>) {
    if (!(this instanceof MessagePort) && !(this instanceof AbortSignal)) listeners--
    remove.apply(this, given)
  }
  globalThis.held = () => ({ ports: ports.size, timers: timers.size, listeners })
}

verifies.each([
  'design.sdk.settles',
  'design.sdk.bridge_reset',
  'wall.iframe.new_epoch',
  'wall.plugin.tree',
])<Way>(['socket', 'post'])(
  `a document reloaded ${ROUNDS} times in mid-call settles every call and leaves nothing over, by %s`,
  async (way) => {
    at = await openRealPage(
      browser,
      {
        reload: `let hidden = 0; addEventListener('pagehide', () => { hidden = Date.now() });
          import { svc } from '@svc/sdk';
          const tell = (e) => parent.postMessage({ code: e.code, ms: hidden && Date.now() - hidden }, '*');
          svc.ready.then(() => {
            svc.tools.invoke({ tool_id: 'odd.hang', args: { grandchild: true } }).catch(tell);
            svc.tools.invoke({ tool_id: 'odd.hang' }).catch(tell);
            parent.postMessage({ calling: true }, '*');
          })`,
      },
      { limits: { POOL_IDLE_MS: 100 }, way, init: count },
    )
    const seen = await at.page.evaluate(async (rounds) => {
      let calling: (() => void) | undefined
      const settled: { code: string; ms: number }[] = []
      const onMessage = ({ data }: MessageEvent) => {
        if (data.calling) calling?.()
        else if (data.code) settled.push(data)
      }
      addEventListener('message', onMessage)
      const called = () =>
        new Promise<void>((done) => {
          calling = done
        })
      const before = globalThis.held()
      const { installs } = await (await fetch('/api/v1/svc-apps/installs')).json()
      const first = called()
      const win = await globalThis.bridge.mountWindow({ into: document.body, appId: installs[0].app_id })
      let epoch = 0
      const deaf = win.on('connected', (now) => {
        epoch = now
      })
      await first
      const standing = globalThis.held()
      for (let round = 0; round < rounds; round++) {
        const next = called()
        win.reload()
        await next
      }
      const after = globalThis.held()
      deaf()
      win.detach()
      const late = Date.now() + 2_000
      do await new Promise((done) => setTimeout(done, 50))
      while (settled.length < 2 * (rounds + 1) && Date.now() < late)
      const left = globalThis.held()
      removeEventListener('message', onMessage)
      const codes = [...new Set(settled.map(({ code }) => code))]
      const slowest = Math.max(...settled.map(({ ms }) => ms))
      return { before, standing, after, left, count: settled.length, codes, slowest, epoch }
    }, ROUNDS)
    expect(seen).toMatchObject({ count: 2 * (ROUNDS + 1), codes: ['bridge_reset'], epoch: ROUNDS + 1 })
    expect(seen.slowest).toBeLessThan(100)
    // Those of calls, of the page's questions, and of what is said when a document goes.
    expect(seen.standing.ports).toBe(3)
    expect(seen.after.ports).toBe(3)
    expect(seen.after.listeners).toBe(seen.standing.listeners)
    expect(seen.after.timers).toBeLessThanOrEqual(seen.standing.timers + 2)
    expect(seen.left.ports).toBe(0)
    // From its first window on a page listens for what documents say.
    expect(seen.left.listeners).toBe(seen.before.listeners + 1)
    expect(seen.left.timers).toBeLessThanOrEqual(seen.before.timers)
    // The tools that nobody waits for any more are cancelled, and the host holds no call of the window.
    await expect.poll(() => at.processes(), { timeout: 5_000, interval: 50 }).toEqual([])
    expect(at.traffic.bodies.socket > 2 * ROUNDS - 10).toBe(way === 'socket')
  },
)
