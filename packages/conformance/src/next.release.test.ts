import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { createBendingFront } from '@svc/testing'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { closePages, sharedChromium } from './chromium.ts'
import { writeApps } from './testing/app-folder.ts'
import { bentApp, playStraight } from './testing/bent-page.ts'
import { bridgeScript } from './testing/bridge-script.ts'
import { freePort } from './testing/free-port.ts'
import { guideBlock } from './testing/guide-block.ts'
import { startPageHost } from './testing/page-host.ts'
import { slackMs } from './testing/processes.ts'
import { startBridge } from './testing/tab-page.ts'

const INSTALL_MS = 300_000
const START_MS = 120_000
/** A version that is there, so that a release does not wait for one of today. */
const VERSIONS = ['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1']
const PAGE = `export default () => <main><script src="/bridge-page.js" async /></main>`

const run = promisify(execFile)
let browser: Browser
let site: string
beforeAll(async () => {
  browser = await sharedChromium()
  site = mkdtempSync(path.join(tmpdir(), 'svc-next-'))
  writeFileSync(path.join(site, 'package.json'), '{ "private": true }')
  for (const dir of ['pages', 'public']) mkdirSync(path.join(site, dir))
  writeFileSync(path.join(site, 'pages/index.js'), PAGE)
  writeFileSync(path.join(site, 'public/bridge-page.js'), await bridgeScript())
  await run('npm', ['install', '--no-audit', '--no-fund', ...VERSIONS], { cwd: site })
}, INSTALL_MS)
afterAll(async () => {
  rmSync(site, { recursive: true, force: true })
  await closePages(browser)
})

/** A call that takes longer than Next waits by itself. */
const slow = { does: 'Takes its time.', on: /\?slow/, delayMs: 33_000 }
const next = path.join('node_modules', 'next', 'dist', 'bin', 'next')
const quiet = Object.assign({}, process.env, { NEXT_TELEMETRY_DISABLED: '1' })

it.each(['start', 'dev'])('next %s', { timeout: INSTALL_MS }, async (command) => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const apps = await writeApps({ bent: bentApp })
  onTestFinished(apps.remove)
  const host = await startPageHost({ dir: apps.dir, shared: { origins: [url] } })
  onTestFinished(host.close)
  const front = await createBendingFront({ target: host.url, bends: [slow] })
  onTestFinished(front.close)
  const config = guideBlock('behind-a-proxy.md', '## Next', 'js').replace('http://127.0.0.1:8787', front.url)
  writeFileSync(path.join(site, 'next.config.mjs'), config)
  if (command === 'start') await run(process.execPath, [next, 'build'], { cwd: site, env: quiet })
  const server = spawn(process.execPath, [next, command, '--hostname', '127.0.0.1', '--port', String(port)], {
    cwd: site,
    env: quiet,
    stdio: 'inherit',
  })
  onTestFinished(async () => {
    if (server.kill()) await once(server, 'exit')
  })
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  await expect.poll(() => page.goto(url).then(() => true, String), { timeout: START_MS }).toBe(true)
  const inPage = (body: string) => page.evaluate(`(async () => { ${body} })()`)
  await inPage(startBridge)
  const late = fetch(`${url}/api/v1/svc-apps/installs?slow`)
  expect(await playStraight({ run: inPage }, await slackMs())).toBe('works')
  // The host's own answer: who asks has no cookie.
  expect((await late).status).toBe(401)
})
