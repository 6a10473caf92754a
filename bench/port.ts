import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { bundle } from '@svc/conformance/bundle'
import { launchChromium } from '@svc/conformance/chromium'
import { type Contender, compare, type Outcome } from './lib/pairs.ts'

type Measure = 'roundTrip' | 'throughput'

const HIGH_RESOLUTION = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
}

/** The port between a sandboxed document and its page, in one Chromium page, beside a raw port, comlink and penpal. */
export async function benchPort(): Promise<Outcome[]> {
  const script = (name: string) =>
    bundle(fileURLToPath(new URL(`./port/${name}.ts`, import.meta.url)), { minify: true, format: 'iife' })
  const [page, frame] = await Promise.all([script('page'), script('frame')])
  const files = new Map([
    [
      '/',
      `<!doctype html><script src="/page.js"></script><iframe sandbox="allow-scripts" allow="cross-origin-isolated *" src="/frame"></iframe>`,
    ],
    ['/frame', `<!doctype html><script src="/frame.js"></script>`],
    ['/page.js', page],
    ['/frame.js', frame],
  ])
  const server = createServer((req, res) => {
    const path = req.url ?? '/'
    res.writeHead(files.has(path) ? 200 : 404, {
      'content-type': path.endsWith('.js') ? 'text/javascript' : 'text/html',
      'cross-origin-resource-policy': 'cross-origin',
      ...HIGH_RESOLUTION,
    })
    res.end(files.get(path))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const browser = await launchChromium()
  try {
    const tab = await browser.newPage()
    await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    const inner = tab.frames()[1] ?? (await tab.waitForEvent('frameattached'))
    await inner.waitForFunction('globalThis.bench && bench.ready()')
    const contender = (
      way: string,
      name: string,
      measure: Measure,
      ...rest: (string | number)[]
    ): Contender => ({
      name,
      block: () => inner.evaluate(`bench.${measure}(${JSON.stringify([way, ...rest]).slice(1, -1)})`),
    })
    const run = (title: string, measure: Measure, ...rest: (string | number)[]) =>
      compare({
        title,
        unit: measure === 'roundTrip' ? 'µs' : 'calls/s',
        better: measure === 'roundTrip' ? 'less' : 'more',
        aaWithin: measure === 'roundTrip' ? 0.05 : 0.1,
        base: contender('raw', 'raw MessagePort', measure, ...rest),
        twin: contender('raw twin', 'raw', measure, ...rest),
        others: ['svc', 'comlink', 'penpal'].map((way) => contender(way, way, measure, ...rest)),
      })
    return [
      await run('port round trip, 200 B', 'roundTrip', 'small', 300),
      await run('port round trip, 64 KB object', 'roundTrip', 'large', 40),
      await run('port throughput, 200 B, 64 in flight', 'throughput', 'small', 4_000, 64),
      await run('port throughput, 64 KB object, 64 in flight', 'throughput', 'large', 200, 64),
    ]
  } finally {
    await browser.close()
    await new Promise((resolve) => server.close(resolve))
  }
}

if (import.meta.main) await benchPort()
