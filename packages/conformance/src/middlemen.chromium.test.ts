import { type Bend, createBendingFront } from '@svc/testing'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { closePages, sharedChromium } from './chromium.ts'
import { writeApps } from './testing/app-folder.ts'
import { bentApp, playGap, playStraight } from './testing/bent-page.ts'
import { startPageHost } from './testing/page-host.ts'
import { slackMs } from './testing/processes.ts'
import { startBridge } from './testing/tab-page.ts'
import { verifies } from './verifies.ts'

let browser: Browser
beforeAll(async () => {
  browser = await sharedChromium()
})
afterAll(() => closePages(browser))

/** Keeps all that is fetched, and answers with what it has. */
const worker = `
  addEventListener('install', () => skipWaiting())
  addEventListener('activate', (event) => event.waitUntil(clients.claim()))
  addEventListener('fetch', (event) => event.respondWith((async () => {
    const cache = await caches.open('all')
    const kept = event.request.method === 'GET' && await cache.match(event.request)
    if (kept) return kept
    const answer = await fetch(event.request)
    if (event.request.method === 'GET') cache.put(event.request, answer.clone()).catch(() => {})
    return answer
  })()))`

const controlled = `
  const { serviceWorker } = navigator
  await serviceWorker.register('/worker.js')
  while (!serviceWorker.controller) await new Promise((done) => setTimeout(done, 20))`

const monitored = `
  const plain = globalThis.fetch
  globalThis.fetch = async (...request) => {
    const answer = await plain(...request)
    answer.clone().text().catch(() => {})
    return answer
  }`

/** A page behind a front, and what runs in it. */
async function open(bends: readonly Bend[] = []) {
  const folder = await writeApps({ bent: bentApp })
  const host = await startPageHost({ dir: folder.dir })
  const front = await createBendingFront({ target: host.url, bends })
  const page = await browser.newPage()
  onTestFinished(async () => {
    await page.close()
    await front.close()
    await host.close()
    folder.remove()
  })
  const run = (body: string) => page.evaluate(`(async () => { ${body} })()`)
  await page.goto(front.url)
  return { front, run }
}

verifies.each('bridge.bent')([
  ['a service worker that keeps everything', controlled],
  ['a script that reads a copy of each answer', monitored],
])('a page with %s has its calls and events', async (_, script) => {
  const headers = { 'content-type': 'text/javascript' }
  const file = {
    does: 'Serves a worker.',
    on: /^\/worker\.js/,
    answer: { status: 200, headers, body: worker },
  }
  const { run } = await open([file])
  await run(script)
  await run(startBridge)
  expect(await playStraight({ run }, 2_000 + (await slackMs()))).toBe('works')
})

verifies(
  'bridge.place',
  'no event is lost behind what takes the place in the stream out of headers',
  async () => {
    const { front, run } = await open()
    await run(startBridge)
    expect(await playGap({ run }, front, ['drops_last_event_id', 'no_sockets'])).toBe(true)
  },
)
