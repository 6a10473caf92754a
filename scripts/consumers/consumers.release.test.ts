import path from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium } from '../../packages/conformance/src/chromium.ts'
import { driveHost, whole } from './drive-host.ts'
import { pageServer, SHOWN, sources } from './page-parts.ts'
import { pages } from './pages.ts'
import { openSvc, plainPackages, probeApp } from './parts.ts'
import { type OpenPlace, openPlace } from './place.ts'
import { openProject } from './project.ts'
import { servers } from './servers.ts'
import { tests } from './tests.ts'

/** Packs and publishes everything; and one row, which installs and builds a framework. */
const SLOW_MS = 600_000
/** How long a window may take to show its app, on a busy machine. */
const SHOWN_MS = 30_000

let place: OpenPlace
let browser: Browser
let server: ReturnType<typeof openProject>
beforeAll(async () => {
  place = await openPlace()
  browser = await launchChromium()
  server = openProject(place, 'page-server', { name: 'page-server', packages: plainPackages })
  await server.make({ 'page-server.mjs': pageServer })
}, SLOW_MS)
afterAll(async () => {
  await browser.close()
  await place.close()
}, SLOW_MS)

describe.each(servers)('a server: $name', { timeout: SLOW_MS }, (row) => {
  it('serves a window, long bodies, a data folder, a plugin and events', async () => {
    const project = openProject(place, `server ${row.name}`, row)
    await project.make({ 'svc.mjs': openSvc, ...probeApp })
    const started = await project.start(row.start, row.moved ? project.moved(row.moved) : project.dir)
    try {
      expect(await driveHost(started.url)).toEqual(whole)
    } finally {
      await started.stop()
    }
  })
})

describe.each(pages)('a page: $name', { timeout: SLOW_MS }, (row) => {
  it('shows in a window what an app kept', async () => {
    const project = openProject(place, `page ${row.name}`, row)
    await project.make(sources)
    const [page, app] = [path.join(project.dir, row.page), path.join(project.dir, row.app)]
    const started = await server.start(['node', 'page-server.mjs', page, app], server.dir)
    const tab = await browser.newPage()
    const wrong: string[] = []
    tab.on('pageerror', (error) => wrong.push(String(error)))
    try {
      await tab.goto(started.url)
      const shown = tab.frameLocator('iframe').getByText(SHOWN)
      await shown.waitFor({ timeout: SHOWN_MS }).catch(async (error: Error) => {
        throw new Error(`${error.message}\n${wrong.join('\n')}\n${await tab.content()}`)
      })
      expect(wrong).toEqual([])
    } finally {
      await tab.close()
      await started.stop()
    }
  })
})

describe.each(tests)('tests: $name', { timeout: SLOW_MS }, (row) => {
  it('pass with a host of @svc/testing', async () => {
    const project = openProject(place, `tests ${row.name}`, row)
    await project.make({})
    // It rejects with all that was printed where a test fails.
    await project.run(row.start)
  })
})
