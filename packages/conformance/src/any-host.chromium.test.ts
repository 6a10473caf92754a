import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { closePages, sharedChromium } from './chromium.ts'
import { writeApps } from './testing/app-folder.ts'
import { show } from './testing/bridge-page.ts'
import { type PageHosts, startPageHosts } from './testing/page-hosts.ts'
import { openPageAt } from './testing/real-page.ts'
import { openReciter } from './testing/reciter.ts'
import { verifies } from './verifies.ts'

let browser: Browser
beforeAll(async () => {
  browser = await sharedChromium()
})
afterAll(() => closePages(browser))

/** Each host got about as much as the others. */
function sharedAlike({ balancer }: PageHosts): void {
  const counts = [...balancer.counts.values()]
  expect(counts).toHaveLength(3)
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
}

const WAYS = [
  ['over a call socket', true],
  ['by POST, each to another host', false],
] as const

/** Stores, uploads and shows what it uploaded, follows a job by its events, and renames its window. */
const script = `${show}
  import { svc } from '@svc/sdk';
  (async () => {
    for (let n = 0; n < 9; n++) await svc.storage.set({ key: 'k', value: n });
    const keys = (await svc.storage.list({})).items.map(({ key }) => key);
    const canvas = document.createElement('canvas');
    canvas.getContext('2d').fillRect(0, 0, 6, 4);
    const blob = await new Promise((done) => canvas.toBlob(done, 'image/png'));
    const { upload_url, file_ref } = await svc.upload.negotiate({ mime: blob.type, purpose: 'test', size_bytes: blob.size });
    const put = (await fetch(upload_url, { method: 'PUT', body: blob })).status;
    const { url } = await svc.upload.confirm({ file_ref });
    const image = new Image();
    image.src = url;
    await image.decode();
    const seqs = [];
    const { told } = await svc.tools.invokeAsyncAwait({ tool_id: 'odd', method: 'tell', args: { steps: 9, everyMs: 20 } },
      { onProgress: ({ seq }) => seqs.push(seq) });
    await svc.window.set_title({ title: 'Renamed' });
    show({ keys, put, width: image.naturalWidth, told, seqs });
  })().catch((error) => show({ error: String(error), code: error.code }))`

verifies.each('hosts.page')(WAYS)(
  'an app works %s, whichever host a request goes to',
  async (_way, upgrades) => {
    const folder = await writeApps({ app: { host_api: { storage: ['*'], upload: ['*'] }, script } })
    onTestFinished(folder.remove)
    const hosts = await startPageHosts(folder.dir, { upgrades })
    onTestFinished(() => hosts.close())
    const at = await openPageAt(browser, hosts.url)
    onTestFinished(() => at.context.close())
    await at.mount('app')
    expect(await at.shown(30_000)).toEqual({
      keys: ['k'],
      put: 200,
      width: 300,
      told: 9,
      seqs: [1, 2, 3, 4, 5, 6, 7, 8, 9],
    })
    await expect.poll(() => at.page.evaluate(() => globalThis.win.title)).toBe('Renamed')
    expect(await at.page.evaluate(() => globalThis.noted)).toEqual([])
    sharedAlike(hosts)
  },
)

verifies.each('hosts.page')(WAYS)('a run loses nothing over reloads %s', async (_way, upgrades) => {
  const started: PageHosts[] = []
  const at = await openReciter(await browser.newContext(), {}, async ({ dir, limits }) => {
    const hosts = await startPageHosts(dir, { upgrades, ...(limits && { limits }) })
    started.push(hosts)
    return hosts
  })
  onTestFinished(() => at.close())
  await at.midway(60)
  await at.frame().evaluate('globalThis.isOld = true; location.reload()')
  await at.midway(160)
  await at.reload()
  await at.isWhole()
  for (const hosts of started) sharedAlike(hosts)
})
