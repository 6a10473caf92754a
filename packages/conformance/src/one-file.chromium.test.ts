import { createRequire } from 'node:module'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundleOneFile } from './bundle.ts'
import { closePages, sharedChromium } from './chromium.ts'
import { openRealPage, type RealPage } from './testing/real-page.ts'

const sdk = createRequire(import.meta.url).resolve('@svc/sdk')
let browser: Browser
let at: RealPage
let file = ''

/** A script of a page that nothing built: a module beside the file of the SDK. */
const plain = `import { isHostRpcError, svc } from './svc.js'
  const { value } = await svc.storage.set({ key: 'k', value: 1 }).then(() => svc.storage.get({ key: 'k' }))
  const refused = await svc.files.read({ path: 'a' }).catch((error) => [isHostRpcError(error), error.code])
  const again = await import('./svc.js')
  document.documentElement.dataset.shown = JSON.stringify([value, refused, again.svc === svc])`

beforeAll(async () => {
  browser = await sharedChromium()
  file = await bundleOneFile(path.resolve(sdk))
  const files = {
    'index.html': '<!doctype html><title>plain</title><script type="module" src="./plain.js"></script>',
    'plain.js': plain,
    'svc.js': file,
  }
  at = await openRealPage(browser, { plain: { script: '', files } })
})
afterAll(async () => {
  await at.close()
  await closePages(browser)
})

it("has no import, and nobody else's work inside, whose licence it would keep", () => {
  expect(file).not.toMatch(/\bimport\s*[("'{*]|\bfrom\s*["']/)
  expect(file).not.toMatch(/copyright|@license/i)
})

it('calls the host from a module script of a page in the sandbox that nothing built', async () => {
  await at.mount('plain')
  expect(await at.shown()).toEqual([1, [true, 'permission_denied'], true])
})
