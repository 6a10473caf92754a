import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startHarness } from '@svc/cli/harness'
import { bundle } from '@svc/conformance/bundle'
import { launchChromium } from '@svc/conformance/chromium'
import type { CDPSession, Frame, Page } from 'playwright-core'
import { grown, openSamples, type Sample, seriesTable } from './soak/series.ts'

const WINDOWS = 1_000
const FRAMES = 100_000
/** So many samples of each. */
const SAMPLES = 48
const WORDS_A_RUN = 1_000
const MANY = 1_000_000_000

const manifest = {
  schema: 3,
  name: 'Soak',
  ui: {
    bundle: { entry: 'index.html' },
    views: [{ name: 'main', default: true }],
    host_api: { agent: { session: { auto: true } } },
  },
}

async function writeApp(dir: string): Promise<void> {
  const script = await bundle(fileURLToPath(new URL('./soak/tab-app.ts', import.meta.url)), {
    minify: true,
    format: 'esm',
  })
  await mkdir(dir)
  await writeFile(join(dir, 'manifest.json'), JSON.stringify(manifest))
  await writeFile(join(dir, 'app.js'), script)
  const tag = '<script type="module" crossorigin src="app.js"></script>'
  await writeFile(join(dir, 'index.html'), `<!doctype html><title>loading</title>${tag}`)
}

/** What the tab of the shell holds after a collection. */
async function tabCensus(devtools: CDPSession): Promise<Sample> {
  await devtools.send('HeapProfiler.collectGarbage')
  await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  const { metrics } = await devtools.send('Performance.getMetrics')
  const counted = ['Nodes', 'JSEventListeners', 'Documents', 'Frames', 'ArrayBufferContents', 'Resources']
  const figures = metrics
    .filter(({ name }) => counted.includes(name))
    .map(({ name, value }) => [name, value] as const)
  return { 'bytes heap': usedSize, ...Object.fromEntries(figures) }
}

/** The frame of the window that was opened last, once its app is connected. */
async function openWindow(page: Page): Promise<Frame> {
  await page.getByRole('navigation', { name: 'Apps' }).getByTitle('Open Soak').press('Enter')
  const iframe = await page.locator('[data-window] iframe').last().elementHandle()
  const frame = await iframe?.contentFrame()
  // It would keep the element.
  await iframe?.dispose()
  if (!frame) throw new Error('the window has no frame')
  await frame.waitForFunction(() => document.title === 'ready')
  return frame
}

async function closeWindow(page: Page): Promise<void> {
  const window = page.locator('[data-window]').last()
  await window.getByRole('button', { name: /^Close / }).click()
  await window.waitFor({ state: 'detached' })
}

/**
 * The shell's page in Chromium: 1 000 windows that are opened and closed, and 100 000 pieces of streams through a window.
 * What the tab holds must not grow. `--windows 100 --frames 10000` for fewer.
 */
export async function benchSoakTab(): Promise<void> {
  const { values } = parseArgs({
    strict: false,
    allowPositionals: true,
    options: {
      windows: { type: 'string', default: String(WINDOWS) },
      frames: { type: 'string', default: String(FRAMES) },
    },
  })
  const [windows, frames] = [Number(values.windows), Number(values.frames)]
  if (!(windows > 0 && frames > 0)) throw new Error('--windows and --frames must be numbers above 0')
  const folder = await mkdtemp(join(tmpdir(), 'svc-soak-'))
  await writeApp(join(folder, 'app'))
  const harness = await startHarness({
    dirs: [join(folder, 'app')],
    writeLog: () => {},
    host: {
      quotas: { runs_per_day: MANY, completions_per_day: MANY, tokens_per_day: MANY },
      limits: { RATE_OPEN_BURST: MANY, RATE_OPEN_PER_SECOND: MANY },
    },
  })
  const browser = await launchChromium()
  try {
    const page = await browser.newPage()
    await page.goto(harness.startUrl)
    await page.getByRole('button', { name: 'Sign in' }).click()
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Performance.enable')

    /** Does `work` until it has come to `total`, with a sample each so often. */
    const soak = async (title: string, total: number, work: () => Promise<number>) => {
      const samples = openSamples()
      for (let done = 0, due = 0; done < total; ) {
        done += await work()
        if (done < due) continue
        due = done + total / SAMPLES
        samples.add((done * 100) / total, await tabCensus(devtools))
      }
      const series = samples.series()
      console.log(`\n${title}\n${seriesTable(series, 'a percent of it')}`)
      if (grown(series).length > 0) process.exitCode = 1
    }
    await soak(`the tab of the shell: ${windows} windows opened and closed`, windows, async () => {
      await openWindow(page)
      await closeWindow(page)
      return 1
    })
    const frame = await openWindow(page)
    await soak(`the tab of the shell: ${frames} frames of streams through a window`, frames, () =>
      frame.evaluate<number>(`soak.stream(${Math.min(WORDS_A_RUN, frames)})`),
    )
  } finally {
    await browser.close()
    await harness.close()
    await rm(folder, { recursive: true, force: true })
  }
}
