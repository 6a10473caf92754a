import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { launchChromium } from './chromium.ts'
import { writeApps } from './testing/app-folder.ts'
import { show } from './testing/bridge-page.ts'
import { startPageHosts } from './testing/page-hosts.ts'
import { openPageAt } from './testing/real-page.ts'
import { verifies } from './verifies.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())

/** Reads, writes, counts under a condition, and calls a tool, each as fast as it is answered, until it is told to stop. */
const script = `${show}
  import { svc } from '@svc/sdk';
  const done = { get: 0, set: 0, add: 0, echo: 0 }, failed = [];
  globalThis.isOver = false;
  const loop = async (name, call) => {
    while (!globalThis.isOver)
      await call().then(() => done[name]++, ({ code, message }) => failed.push(name + ': ' + code + ' ' + message));
  };
  const add = async () => {
    const { value, etag } = await svc.storage.get({ key: 'count' });
    await svc.storage.set({ key: 'count', value: value + 1, if_match: etag });
  };
  globalThis.done = done;
  (async () => {
    await svc.storage.set({ key: 'count', value: 0 });
    await Promise.all([
      loop('get', () => svc.storage.list({})),
      loop('set', () => svc.storage.set({ key: 'last', value: done.set })),
      loop('add', add),
      loop('echo', () => svc.tools.invoke({ tool_id: 'odd.echo', args: {} })),
    ]);
    const { value } = await svc.storage.get({ key: 'count' });
    show({ done, failed, count: value });
  })().catch((error) => show({ error: String(error) }))`

verifies(
  ['leave.restart', 'leave.ready', 'leave.events'],
  'three hosts are restarted one after the other under the calls of a page, and none of them fails',
  async () => {
    const folder = await writeApps({ app: { script } })
    onTestFinished(folder.remove)
    const hosts = await startPageHosts(folder.dir, { limits: { LEAVE_NOTICE_MS: 500 } })
    onTestFinished(() => hosts.close())
    const at = await openPageAt(browser, hosts.url)
    onTestFinished(() => at.context.close())
    await at.mount('app')
    type Done = Record<'get' | 'set' | 'add' | 'echo', number>
    const done = () => at.frame().evaluate<Done>('globalThis.done')
    await expect.poll(async () => Object.values(await done()).every((count) => count > 3)).toBe(true)
    await hosts.restartAll()
    const before = await done()
    await expect.poll(async () => (await done()).echo).toBeGreaterThan(before.echo + 3)
    await at.frame().evaluate('globalThis.isOver = true')
    const shown = (await at.shown()) as { done: Done; failed: string[]; count: number }
    expect(shown.failed).toEqual([])
    // None was lost, and none was done twice.
    expect(shown.count).toBe(shown.done.add)
    expect(hosts.balancer.counts.size).toBe(3)
    expect(await at.page.evaluate(() => globalThis.noted)).toEqual([])
  },
)
