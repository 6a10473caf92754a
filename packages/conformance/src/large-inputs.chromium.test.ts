import { freemem } from 'node:os'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { closePages, sharedChromium } from './chromium.ts'
import type { SmallApp } from './testing/app-folder.ts'
import { font } from './testing/font.ts'
import { openRealPage, type RealPage } from './testing/real-page.ts'
import { verifies } from './verifies.ts'

const MB = 1_048_576
/** What of the machine must be free, for a memory that is filled and all else that runs. */
const FREE_BYTES = 6_144 * MB
/** What an app tries, the body of an async function. */
const tries = {
  font: `const own = await (await fetch('own.woff2')).arrayBuffer()
    const large = new Uint8Array(104_857_600); large.set(new Uint8Array(own))
    const load = (bytes) => new FontFace('own', bytes).load().then(() => 'loaded', ({ name }) => name)
    return [await load(large.buffer), await load(own)]`,
  filled: `const { buffer } = new WebAssembly.Memory({ initial: 32768 }); const bytes = new Uint8Array(buffer).fill(1)
    return [bytes.length, bytes.at(-1)]`,
  download: `const data = new Blob(Array(1024).fill(new Uint8Array(1_048_576)))
    return svc.window.download({ name: 'large', data }).then(() => 'saved', ({ code, message }) => code + ': ' + message)`,
  other: `return (await svc.ready).view_meta.name`,
}

let browser: Browser
let at: RealPage
beforeAll(async () => {
  browser = await sharedChromium()
  const apps = Object.entries(tries).map(([name, body]) => {
    const script = `import { svc } from '@svc/sdk'; (async () => { ${body} })().catch(String).then(show)`
    return [name, { script, browser: ['download'], files: { 'own.woff2': font } }] satisfies [
      string,
      SmallApp,
    ]
  })
  at = await openRealPage(browser, Object.fromEntries(apps))
}, 120_000)
afterAll(async () => {
  await at.close()
  await closePages(browser)
})

beforeEach(({ skip }) => skip(freemem() < FREE_BYTES, `fewer than ${FREE_BYTES / MB} MB of memory are free`))

verifies.each(['wall.bundle.platform', 'window.download'])<[string, keyof typeof tries, unknown]>([
  ['a font of 100 MB', 'font', ['SyntaxError', 'loaded']],
  ['2 GiB of WebAssembly, all written,', 'filled', [2_048 * MB, 1]],
  ['a download of 1 GiB', 'download', 'invalid_arg: size_bytes must be at most 268435456, got 1073741824'],
])(
  '%s is bounded or told, and another app goes on',
  async (_, name, shown) => {
    await at.mountSilent(name)
    await at.mountSilent('other')
    expect(await at.shown(30_000)).toBe('main')
    await at.page.evaluate(() => globalThis.win.close('', { force: true }))
    await expect
      .poll(() => at.frame().evaluate('document.documentElement.dataset.shown'), { timeout: 120_000 })
      .toBeDefined()
    expect(await at.shown()).toEqual(shown)
    await at.page.evaluate(() => globalThis.bridge.windows[0]?.close('', { force: true }))
  },
  180_000,
)
