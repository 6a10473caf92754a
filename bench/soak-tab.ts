import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startHarness } from '@svc/cli/harness'
import { bundle } from '@svc/conformance/bundle'
import { launchChromium } from '@svc/conformance/chromium'
import type { CDPSession, Frame } from 'playwright-core'
import { grown, openSamples, type Sample, seriesTable } from './soak/series.ts'

const WINDOWS = 1_000
const FRAMES = 100_000
/** So many samples of each. */
const SAMPLES = 48
const WORDS_A_RUN = 1_000
const MANY = 1_000_000_000
/** What V8 compiles while it learns what is hot would be counted with what the page holds. */
const INTERPRETED = '--js-flags=--no-opt --no-maglev --no-sparkplug'

const manifest = {
  schema: 3,
  name: 'Soak',
  ui: {
    bundle: { entry: 'index.html' },
    views: [{ name: 'main', default: true }],
    host_api: { agent: { session: { auto: true } } },
  },
}

const scriptOf = (file: string, format: 'esm' | 'iife') =>
  bundle(fileURLToPath(new URL(file, import.meta.url)), { minify: true, format })

async function writeApp(dir: string): Promise<void> {
  const script = await scriptOf('./soak/tab-app.ts', 'esm')
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
  const browser = await launchChromium([INTERPRETED])
  try {
    const page = await browser.newPage()
    await page.goto(harness.startUrl)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('navigation', { name: 'Apps' }).waitFor()
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Performance.enable')

    /** Does `work` until it has come to `total`, with a sample each so often. */
    const soak = async (title: string, total: number, work: () => Promise<number>) => {
      const samples = openSamples()
      const begin = performance.now()
      for (let done = 0, due = 0; done < total; ) {
        done += await work()
        if (done < due) continue
        due = done + total / SAMPLES
        samples.add((done * 100) / total, await tabCensus(devtools))
      }
      const series = samples.series()
      console.log(
        `\n${title}, in ${((performance.now() - begin) / 1_000).toFixed(0)} s\n${seriesTable(series, 'a percent of it')}`,
      )
      if (grown(series).length > 0) process.exitCode = 1
    }
    await page.evaluate<void>(await scriptOf('./soak/tab-page.ts', 'iife'))
    const atOnce = Math.max(1, Math.floor(windows / SAMPLES))
    await soak(`the tab of the shell: ${windows} windows opened and closed`, windows, async () => {
      await page.evaluate<void>(`soakTab.openAndClose(${atOnce})`)
      return atOnce
    })
    await page.evaluate<void>('soakTab.open()')
    const frame = page.frames().at(-1) as Frame
    await soak(`the tab of the shell: ${frames} frames of streams through a window`, frames, () =>
      frame.evaluate<number>(`soak.stream(${Math.min(WORDS_A_RUN, frames)})`),
    )
  } finally {
    await browser.close()
    await harness.close()
    await rm(folder, { recursive: true, force: true })
  }
}
