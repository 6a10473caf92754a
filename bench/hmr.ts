import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { startHarness } from '@svc/cli/harness'
import { launchChromium } from '@svc/conformance/chromium'
import type { Browser, Page } from 'playwright-core'
import { createServer } from 'vite'
import { type Contender, compare, type Outcome } from './lib/pairs.ts'

const manifest = {
  schema: 3,
  name: 'Bench',
  version: '1.0.0',
  ui: { bundle: { entry: 'index.html' }, views: [{ name: 'main', default: true, title: 'Bench' }] },
}
const SETTLED_MS = 120
const main = `import { label } from './label.js'
const show = (text) => {
  document.body.textContent = text
  requestAnimationFrame(() => console.log('shown ' + text))
}
show(label)
import.meta.hot.accept('./label.js', (next) => show(next.label))
`

/** A small app in a folder of its own; `save` writes the label that it shows. */
async function makeApp() {
  const dir = await mkdtemp(join(tmpdir(), 'svc-bench-hmr-'))
  const save = (label: string) => writeFile(join(dir, 'label.js'), `export const label = '${label}'\n`)
  await mkdir(join(dir, 'public'))
  await writeFile(join(dir, 'public/manifest.json'), JSON.stringify(manifest))
  await writeFile(
    join(dir, 'index.html'),
    '<!doctype html><body><script type="module" src="./main.js"></script>',
  )
  await writeFile(join(dir, 'main.js'), main)
  await save('first')
  return { dir, save }
}

type App = Awaited<ReturnType<typeof makeApp>>

const shown = (page: Page, label: string) =>
  page.waitForEvent('console', { predicate: (line) => line.text() === `shown ${label}` })

/** The ms from a save until the next frame of the page has what was saved. */
function savesOf(name: string, page: Page, { save }: App): Contender {
  let count = 0
  return {
    name,
    async block() {
      const label = `${name} ${++count}`
      // A page in the background draws no frames.
      await page.bringToFront()
      // The watcher of Vite passes over a save that comes within 50 ms of the one before.
      await setTimeout(SETTLED_MS)
      const seen = shown(page, label)
      const from = performance.now()
      await save(label)
      await seen
      return performance.now() - from
    },
  }
}

async function openPlain(browser: Browser) {
  const app = await makeApp()
  const server = await createServer({
    root: app.dir,
    logLevel: 'silent',
    server: { host: '127.0.0.1', port: 0 },
  })
  await server.listen()
  const page = await browser.newPage()
  const first = shown(page, 'first')
  await page.goto(server.resolvedUrls?.local[0] ?? '')
  await first
  return { app, page, close: () => server.close() }
}

async function openSvc(browser: Browser) {
  const app = await makeApp()
  const harness = await startHarness({ dirs: [app.dir], watch: true })
  const page = await browser.newPage()
  const first = shown(page, 'first')
  await page.goto(harness.startUrl)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page
    .getByRole('navigation', { name: 'Apps' })
    .getByRole('button', { name: /^Bench/ })
    .click()
  await first
  return { app, page, close: () => harness.close() }
}

/** A saved module until it is visible: in a window of `svc dev`, and in a page of Vite itself. */
export async function benchHmr(): Promise<Outcome> {
  const browser = await launchChromium()
  const plain = await openPlain(browser)
  const svc = await openSvc(browser)
  try {
    return await compare({
      title: 'a saved module, until it is visible',
      unit: 'ms',
      aaWithin: 0.1,
      better: 'less',
      base: savesOf('vite', plain.page, plain.app),
      twin: savesOf('vite again', plain.page, plain.app),
      others: [savesOf('svc dev', svc.page, svc.app)],
    })
  } finally {
    await browser.close()
    for (const { app, close } of [plain, svc]) {
      await close()
      await rm(app.dir, { recursive: true, force: true })
    }
  }
}
