import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type BrowserFeature, browserFeatures } from '@svc/contract/browser-features'
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest'
import {
  type Engine,
  engineProblem,
  mount,
  openTabOf,
  read,
  shown,
  startBridge,
  type Tab,
} from './browsers.ts'
import { writeApps } from './testing/app-folder.ts'
import { featuresApp } from './testing/feature-probes.ts'
import { startPageHost } from './testing/page-host.ts'
import { verifies } from './verifies.ts'

type Tried = Readonly<Record<string, unknown>>
const rows = Object.entries<BrowserFeature>(browserFeatures)
/** What would lead an ordinary page away. */
const leading = ['links']

/** A server of another origin: ordinary pages, and an answer to everything else. */
async function openOther() {
  const server = createServer(({ url = '' }, answer) => {
    const text = files[url.slice(1).replace(/[?#].*/, '')] ?? '1'
    const type = /\.(html|svg|css|json|wav)$/.exec(url)?.[1] ?? 'js'
    answer.writeHead(200, {
      'content-type': types[type] ?? 'text/javascript',
      'access-control-allow-origin': '*',
    })
    answer.end(text)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const working = rows.filter(([id, { instead, notIn }]) => (!instead || notIn) && !leading.includes(id))
  const files: Readonly<Record<string, string | Uint8Array>> = {
    ...featuresApp(
      url,
      working.map(([id]) => id),
    ).files,
    'index.html': '<!doctype html><body><script type="module" src="try.js"></script>',
  }
  return { url, close: () => server.close() }
}
const types: Readonly<Record<string, string>> = {
  html: 'text/html',
  svg: 'image/svg+xml',
  css: 'text/css',
  json: 'application/json',
  wav: 'audio/wav',
}

let other: Awaited<ReturnType<typeof openOther>>
let host: Awaited<ReturnType<typeof startPageHost>>
let apps: Awaited<ReturnType<typeof writeApps>>
beforeAll(async () => {
  other = await openOther()
  apps = await writeApps({
    features: featuresApp(
      other.url,
      rows.map(([id]) => id),
    ),
  })
  host = await startPageHost({ dir: apps.dir })
}, 60_000)
afterAll(async () => {
  await host.close()
  apps.remove()
  other.close()
})

describe.each<Engine>(['chromium', 'firefox', 'webkit'])('in %s', (engine) => {
  const problem = engineProblem(engine)
  let tab: Tab | undefined
  let inPage: Tried
  let inWindow: Tried
  beforeEach(({ skip }) => skip(problem !== null, `${engine}: ${problem}; npm run tools`))
  beforeAll(async () => {
    if (problem !== null) return
    tab = await openTabOf(engine)
    await tab.goto(`${other.url}index.html`)
    inPage = JSON.parse(String(await tab.run(read('shown'))))
    await tab.goto(host.url)
    await tab.run(startBridge)
    await tab.run('globalThis.confirm = () => false')
    await tab.run(mount('features'))
    inWindow = (await shown(tab)) as Tried
  }, 180_000)
  afterAll(() => tab?.close())

  verifies.each('wall.bundle.features')(rows)('an app has what is said of %s', (id, { instead, notIn }) => {
    const works = instead === undefined || (notIn !== undefined && notIn !== engine)
    if (!works) return expect(inWindow[id]).not.toBe(true)
    // What a browser lacks, an app lacks as well; Chromium lacks none of it.
    if (engine === 'chromium' || inPage[id] === true || leading.includes(id)) expect(inWindow[id]).toBe(true)
    else expect(inPage[id]).not.toBe(true)
  })
})
