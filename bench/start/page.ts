import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { bundle } from '@svc/conformance/bundle'
import { launchChromium } from '@svc/conformance/chromium'
import { type Contender, compare, spread } from '../lib/pairs.ts'
import { type Result, resultOf } from '../lib/result.ts'
import { type ServerProcess, startServer } from '../lib/server.ts'
import { buildShell } from './packed.ts'
import { figuresOf, freshTab, lateFrames, openWindow, paintsOf, signIn } from './windows.ts'

const PAINTS = 10
const ROUNDS = 8
const TENTH = 10
const WINDOWS = 64
const STREAMS = 10
const FRAMES_MS = 10_000

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const shell = here('../../packages/shell/dist')
const manifest = {
  schema: 3,
  name: 'Bench',
  ui: {
    bundle: { entry: 'index.html' },
    views: [{ name: 'main' }],
    host_api: { agent: { session: { auto: true } } },
  },
}

/** Writes the app of the windows into a folder. */
async function writeApp(folder: string): Promise<void> {
  await mkdir(folder)
  const script = await bundle(here('./app.ts'), { minify: true, format: 'esm' })
  await writeFile(join(folder, 'app.js'), script)
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest))
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><body><script type="module" crossorigin src="app.js"></script>',
  )
}

/** Bytes of brotli of the scripts that the page loads at once, and of all. */
async function scriptBytes(): Promise<Result> {
  const compress = promisify(brotliCompress)
  const html = await readFile(join(shell, 'index.html'), 'utf8')
  const figures = { 'at once': 0, 'with what is loaded later': 0 }
  for (const name of await readdir(join(shell, 'assets'))) {
    if (!name.endsWith('.js')) continue
    const { length } = await compress(await readFile(join(shell, 'assets', name)))
    figures['with what is loaded later'] += length
    if (html.includes(name)) figures['at once'] += length
  }
  return told(resultOf({ title: 'scripts of the page', unit: 'B brotli', better: 'less', noise: 0, figures }))
}

/** From a fresh profile to the first paint of the page, beside a page with nothing. */
async function firstPaint({ port, ready }: ServerProcess): Promise<Result> {
  const contender = (name: string, url: string, which: 'first' | 'contentful'): Contender => ({
    name,
    async block() {
      const browser = await launchChromium()
      try {
        return (await paintsOf(await freshTab(browser), url))[which]
      } finally {
        await browser.close()
      }
    },
  })
  const empty = `http://127.0.0.1:${port}/empty`
  const page = ready.startUrl ?? ''
  return compare({
    title: 'first paint of the page, cold',
    unit: 'ms',
    better: 'less',
    blocks: PAINTS,
    warmUp: 1,
    aaWithin: 0.1,
    base: contender('a page with one word', empty, 'contentful'),
    twin: contender('a page with one word', empty, 'contentful'),
    others: [
      contender('svc shell, first paint', page, 'first'),
      contender('svc shell, first contentful paint', page, 'contentful'),
    ],
  })
}

/** Ten windows, opened one after the other by eight users: the tenth of each. */
async function tenthWindow({ ready }: ServerProcess): Promise<Result> {
  const browser = await launchChromium()
  const tenth: { visible: number; ready: number }[] = []
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const page = await freshTab(browser)
      await signIn(page, ready.startUrl ?? '', `user-${round}`)
      for (let count = 1; count < TENTH; count += 1) await openWindow(page, count)
      tenth.push(await openWindow(page, TENTH))
      await page.context().close()
    }
  } finally {
    await browser.close()
  }
  const figures = {
    'its frame is painted': spread(tenth.map(({ visible }) => visible)),
    'its app is connected and painted': spread(tenth.map(({ ready }) => ready)),
  }
  return told(
    resultOf({ title: 'the tenth window, from the click', unit: 'ms', better: 'less', noise: 0.2, figures }),
  )
}

/** 64 windows, ten of which read a run of 50 tokens a second; beside them a page with nothing in the same browser. */
async function manyWindows({ port, ready }: ServerProcess): Promise<Result> {
  const browser = await launchChromium()
  try {
    const empty = await freshTab(browser)
    await empty.goto(`http://127.0.0.1:${port}/empty`)
    const before = await lateFrames(empty, FRAMES_MS)
    const page = await freshTab(browser)
    await signIn(page, ready.startUrl ?? '', 'many')
    for (let count = 1; count <= WINDOWS; count += 1) await openWindow(page, count)
    const idle = await lateFrames(page, FRAMES_MS)
    for (let count = 1; count <= STREAMS; count += 1)
      await page.frames()[WINDOWS - count + 1]?.evaluate('bench.stream()')
    await page.waitForTimeout(1_000)
    const streaming = await lateFrames(page, FRAMES_MS)
    const apps = await Promise.all(Array.from({ length: STREAMS }, (_, at) => figuresOf(page, WINDOWS - at)))
    const tokens = apps.map((app) => app?.tokens ?? 0)
    if (Math.min(...tokens) === 0)
      throw new Error(
        `not all of ${STREAMS} apps stream: ${tokens.join(' ')} ${apps[0]?.troubles.join('; ')}`,
      )
    const figures = {
      'a page with one word': before,
      [`${WINDOWS} windows`]: idle,
      [`${WINDOWS} windows, ${STREAMS} of them stream`]: streaming,
    }
    return told(
      resultOf({
        title: 'frames of the page that come after 17.5 ms, over 10 s',
        unit: '%',
        better: 'less',
        noise: 0.5,
        figures,
      }),
    )
  } finally {
    await browser.close()
  }
}

/** Prints a table and returns it. */
function told(result: Result): Result {
  console.log(`\n${result.title} (${result.unit}, ${result.better} is better)`)
  for (const { name, figure } of result.rows)
    console.log(
      `  ${name.padEnd(36)} ${figure.median.toFixed(1).padStart(9)} [${figure.q1.toFixed(1)} – ${figure.q3.toFixed(1)}]`,
    )
  return result
}

/** The page of windows in a real Chromium: its scripts, its first paint, its tenth window, and 64 of them. */
export async function benchPage(): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-page-'))
  await buildShell()
  const app = join(folder, 'app')
  await writeApp(app)
  const host = await startServer(new URL('./shell-host.ts', import.meta.url), app, shell)
  try {
    return [await scriptBytes(), await firstPaint(host), await tenthWindow(host), await manyWindows(host)]
  } finally {
    await host.close()
    await rm(folder, { recursive: true, force: true })
  }
}
