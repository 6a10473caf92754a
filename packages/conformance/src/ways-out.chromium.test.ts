import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext } from 'playwright-core'
import { beforeAll, describe, expect } from 'vitest'
import { launchProfile } from './chromium.ts'
import { type Attacker, namesIn, openAttacker, servePlainly } from './testing/attacker.ts'
import { startPageHost } from './testing/page-host.ts'
import { openTab } from './testing/real-page.ts'
import { leavers, plainWays, writeWays } from './testing/ways-apps.ts'
import { keptWays, untoldWays, waysOut } from './testing/ways-out.ts'
import { verifies } from './verifies.ts'

const BUNDLE = 'bundle.test'
const CONTROL = 'control.test'

/** What a run of all ways came to. */
interface Outcome {
  readonly bundle: Attacker
  readonly control: Attacker
  readonly tried: Readonly<Record<string, string>>
  /** What was looked up or connected to, by the page without a policy and by the bundle. */
  readonly controlNames: Set<string>
  readonly bundleNames: Set<string>
}

/** Takes every way out of bundles on a real host, then of a page without a policy, whose arrivals end the wait. */
async function takeAll(args: readonly string[]): Promise<Outcome> {
  const [bundle, control] = [await openAttacker(), await openAttacker()]
  const dir = mkdtempSync(join(tmpdir(), 'svc-out-'))
  mkdirSync(join(dir, 'apps'))
  writeWays(join(dir, 'apps'), BUNDLE, bundle.stun)
  const { url, close } = await startPageHost({ dir: join(dir, 'apps') })
  const plain = await servePlainly(plainWays(CONTROL, control.stun))
  const log = join(dir, 'net.json')
  const rules = `MAP *.${BUNDLE} 127.0.0.1:${bundle.tcpPort}, MAP *.${CONTROL} 127.0.0.1:${control.tcpPort}`
  const context = await launchProfile(join(dir, 'profile'), [
    `--host-resolver-rules=${rules}`,
    `--log-net-log=${log}`,
    ...args,
  ])
  const tried = await takeFromBundles(context, url)
  await takePlainly(context, plain.url, control)
  await context.close()
  const text = readFileSync(log, 'utf8')
  plain.server.close()
  bundle.close()
  control.close()
  await close()
  rmSync(dir, { recursive: true, force: true })
  return { bundle, control, tried, bundleNames: namesIn(text, BUNDLE), controlNames: namesIn(text, CONTROL) }
}

async function takeFromBundles(context: BrowserContext, url: string) {
  const { page, mountSilent, frame } = await openTab(context, url, undefined, 'ada')
  await mountSilent('out')
  const tried = await frame().waitForFunction(() => document.documentElement.dataset.tried)
  for (const [way] of leavers) {
    const refused = page.evaluate(
      () =>
        // Refused by the policy of the page, or kept by the prelude and told to the bridge, which asks.
        new Promise((done) => {
          globalThis.confirm = () => {
            done(true)
            return false
          }
          addEventListener('securitypolicyviolation', () => done(true), { once: true })
        }),
    )
    await mountSilent(`leave ${way}`)
    await (untoldWays.includes(way)
      ? frame().waitForFunction(() => document.documentElement.dataset.tried)
      : refused)
    await page.evaluate(() => globalThis.win.detach())
  }
  return JSON.parse(String(await tried.jsonValue())) as Record<string, string>
}

async function takePlainly(context: BrowserContext, url: string, control: Attacker) {
  const page = await context.newPage()
  await page.goto(`${url}/`, { waitUntil: 'commit' })
  await page.waitForFunction(() => document.documentElement.dataset.tried)
  await control.packet()
  for (const [way] of leavers) {
    const name = `//${way.replaceAll(' ', '-')}.${CONTROL}`
    const asked = page.waitForEvent('request', { predicate: (one) => one.url().includes(name) })
    await page.goto(`${url}/${way}/`, { waitUntil: 'commit' })
    // What is asked for and not yet connected to would end with the next page.
    await (await asked).response()
  }
}

let walled: Outcome
let older: Outcome
beforeAll(async () => {
  walled = await takeAll([])
  older = await takeAll(['--disable-features=ConnectionAllowlists'])
}, 180_000)

describe('ways out of a bundle', () => {
  verifies('wall.bundle.out', 'would lead out of a page without a policy', () => {
    expect(walled.control.udp.packets).toBeGreaterThan(0)
    expect(walled.control.tcp.text).toContain(`fetch.${CONTROL}`)
    expect([...walled.controlNames]).toEqual(expect.arrayContaining(['preconnect', 'frame', 'location']))
  })

  verifies('wall.bundle.out', 'lead nowhere: no connection, no byte, no packet, no look-up', () => {
    expect(Object.keys(walled.tried)).toEqual(Object.keys(waysOut))
    expect({ ...walled.bundle.tcp, ...walled.bundle.udp }).toEqual({ connections: 0, text: '', packets: 0 })
    expect([...walled.bundleNames]).toEqual([])
  })

  verifies('wall.bundle.prelude', 'send no packet without Connection-Allowlist either', () => {
    expect(older.bundle.udp.packets).toBe(0)
    // What a page can do itself to be looked up and connected to, which SECURITY.md does not promise to stop there. Not each
    // is seen in each run: what leaves a document ends with it, sometimes before the look-up.
    const known = leavers.map(([way]) => way).filter((way) => !keptWays.includes(way))
    const seen = [...older.bundleNames]
    expect(seen).toContain('preconnect')
    expect(['preconnect', 'preconnect from a script', ...known]).toEqual(expect.arrayContaining(seen))
    expect(older.bundle.tcp.text).not.toContain('HTTP/1.1')
  })
})
