import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from '@svc/conformance/bundle'
import { launchChromium } from '@svc/conformance/chromium'
import { build } from 'esbuild'
import type { Browser, Frame } from 'playwright-core'
import { type Contender, compare, type Outcome, spread } from './lib/pairs.ts'
import { startServer } from './lib/server.ts'
import { rawChild } from './stdio/raw-child.ts'

const TRIPS = 100
const CALLS = 600
const IN_FLIGHT = 64
const STDIO_TRIPS = 200

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const manifest = {
  schema: 3,
  name: 'Bench',
  ui: { bundle: { entry: 'index.html' }, views: [{ name: 'main' }] },
  required_plugs: ['bench'],
}

/** Puts everything that is served into one folder. */
async function prepare(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'))
  await mkdir(join(folder, 'app'))
  const script = async (name: string, to: string, format: 'iife' | 'esm') =>
    writeFile(join(folder, to), await bundle(here(`./path/${name}.ts`), { minify: true, format }))
  await Promise.all([
    script('bare-page', 'bare-page.js', 'iife'),
    script('bare-frame', 'bare-frame.js', 'iife'),
    script('svc-page', 'svc-page.js', 'esm'),
    script('svc-frame', 'app/frame.js', 'esm'),
    script('svc-worker', 'app/worker.js', 'esm'),
    writeFile(join(folder, 'app/manifest.json'), JSON.stringify(manifest)),
    writeFile(
      join(folder, 'app/index.html'),
      '<!doctype html><script type="module" crossorigin src="frame.js"></script>',
    ),
    build({
      entryPoints: [here('./stdio/svc-plugin.ts')],
      outfile: join(folder, 'plugin.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'silent',
    }),
  ])
  return folder
}

/** The app's frame, once its script has run. The bundle's CSP refuses `eval`, so nothing waits inside it. */
async function frameOf(browser: Browser, url: string): Promise<Frame> {
  const tab = await browser.newPage()
  await tab.goto(url)
  for (;;) {
    const inner = tab.frames()[1]
    if (await inner?.evaluate<boolean>("'bench' in globalThis").catch(() => false)) return inner as Frame
    await tab.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)))
  }
}

/** The whole path, app to plugin and back, beside the sum of its raw legs; and 64 in flight beside one POST a call. */
export async function benchPath(): Promise<Outcome[]> {
  const folder = await prepare()
  const bare = await startServer(new URL('./path/bare-server.ts', import.meta.url), folder)
  const svc = await startServer(
    new URL('./path/svc-server.ts', import.meta.url),
    folder,
    join(folder, 'plugin.mjs'),
  )
  const browser = await launchChromium()
  const child = rawChild()
  try {
    const rawFrame = await frameOf(browser, `http://127.0.0.1:${bare.port}/`)
    const svcFrame = await frameOf(browser, `http://127.0.0.1:${svc.port}/`)
    const stdioTrip = async () => {
      const times: number[] = []
      for (let at = 0; at < STDIO_TRIPS; at++) {
        const start = performance.now()
        await child.ask('call', { name: 'echo', args: { city: 'Turin', days: 3, units: 'metric' } })
        times.push(performance.now() - start)
      }
      return spread(times).median * 1_000
    }
    const legs = async () => {
      const port = await rawFrame.evaluate<number>(`bench.portTrip(${TRIPS})`)
      const post = await rawFrame.page().evaluate<number>(`bench.fetchTrip(${TRIPS})`)
      return port + post + (await stdioTrip())
    }
    const inFrame =
      (frame: Frame, what: string): Contender['block'] =>
      () =>
        frame.evaluate<number>(`bench.${what}`)
    const onePost = inFrame(rawFrame, `throughput(${CALLS}, ${IN_FLIGHT})`)
    return [
      await compare({
        title: 'whole path, app → plugin → app',
        unit: 'µs',
        better: 'less',
        base: { name: 'raw port + bare fetch + raw stdio', block: legs },
        twin: { name: 'raw', block: legs },
        others: [
          { name: 'the raw legs in one chain', block: inFrame(rawFrame, `callTrip(${TRIPS})`) },
          { name: 'svc tools.invoke', block: inFrame(svcFrame, `trip(${TRIPS})`) },
          { name: 'svc window.heartbeat', block: inFrame(svcFrame, `beatTrip(${TRIPS})`) },
        ],
      }),
      await compare({
        title: 'whole path at 64 in flight',
        unit: 'calls/s',
        better: 'more',
        aaWithin: 0.1,
        base: { name: 'raw port, one POST a call, raw stdio', block: onePost },
        twin: { name: 'raw', block: onePost },
        others: [
          { name: 'svc tools.invoke', block: inFrame(svcFrame, `throughput(${CALLS}, ${IN_FLIGHT})`) },
          { name: 'svc window.heartbeat', block: inFrame(svcFrame, `beats(${CALLS * 4}, ${IN_FLIGHT})`) },
        ],
      }),
      await compare({
        title: 'start of a worker and its first call',
        unit: 'ms',
        better: 'less',
        base: { name: 'a worker of a blob, one message', block: inFrame(rawFrame, 'startWorker()') },
        twin: { name: 'raw', block: inFrame(rawFrame, 'startWorker()') },
        others: [
          { name: '@svc/sdk/worker', block: inFrame(svcFrame, `startWorker('add')`) },
          { name: '@svc/sdk/worker, a call to the host', block: inFrame(svcFrame, `startWorker('beat')`) },
        ],
      }),
    ]
  } finally {
    await browser.close()
    await Promise.all([child.close(), bare.close(), svc.close()])
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) await benchPath()
