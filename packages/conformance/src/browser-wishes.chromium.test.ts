import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest'
import { launchChromium } from './chromium.ts'
import { openRealPage, type RealPage } from './testing/real-page.ts'
import { link, made, onPress, savings, wishesApps } from './testing/wishes-app.ts'
import { verifies } from './verifies.ts'

let browser: Browser
let at: RealPage
beforeAll(async () => {
  // Its shell has no permissions to give.
  browser = await launchChromium([], true)
  at = await openRealPage(browser, wishesApps)
}, 60_000)
afterAll(async () => {
  await at.close()
  await browser.close()
})

/** Shows an app alone, and notes what it wants and what is refused. */
async function open(name: string) {
  await at.page.evaluate(() =>
    Promise.all(globalThis.bridge.windows.map((one) => one.close('', { force: true }))),
  )
  await at.mount(name)
  await at.shown()
  await at.page.evaluate(() => {
    globalThis.noted.length = 0
    globalThis.win.on('refused', ({ method, code }) => globalThis.noted.push(`${method} ${code}`))
    globalThis.win.on('download', ({ name, sizeBytes, save }) => {
      globalThis.noted.push(`${name} ${sizeBytes}`)
      save()
    })
  })
}

/** Runs the body of a function in the document. */
const run = (body: string) => at.frame().evaluate(`(async () => { ${body} })()`)
/** The same when its user clicks, so that the document has the focus as well. */
async function press(body: string) {
  await at.frame().evaluate(`${onPress(body)}; undefined`)
  await at.frame().click('button')
  return at.frame().evaluate('result')
}
const noted = () => at.page.evaluate(() => globalThis.noted)

describe('with what its manifest declares', () => {
  beforeEach(() => open('asks'))

  verifies.each(['window.download', 'window.download.link'])(savings)(
    '%s is saved',
    async (_, way, name, text) => {
      const saved = at.page.waitForEvent('download')
      await run(way)
      const file = await saved
      expect(file.suggestedFilename()).toBe(name)
      expect(readFileSync((await file.path()) as string, 'utf8')).toBe(text)
      expect(await at.frame().evaluate('typeof svc')).toBe('object')
    },
  )

  verifies('window.download', 'a listener that stops a click keeps the file', async () => {
    await run(link(made, `a.download = 'no.txt'; a.onclick = (event) => event.preventDefault();`))
    await run(`await svc.window.download({ name: 'then.txt', data: '' })`)
    expect(await noted()).toEqual(['then.txt 0'])
  })

  verifies.each('window.download')([
    [
      'more bytes than there may be',
      `{ name: 'a', data: new Blob(Array(257).fill(new Uint8Array(1_048_576))) }`,
      'invalid_arg size_bytes must be at most 268435456, got 269484032',
    ],
    ['no name', `{ name: '', data: 'x' }`, 'invalid_arg name must have at least 1 character, got ""'],
    [
      'an upload that is not there',
      `{ name: 'a', file_ref: 'nothing' }`,
      'not_found there is no file "nothing" of this app',
    ],
    ['nothing', `{ name: 'a' }`, 'invalid_arg args must have either data or file_ref'],
  ])('%s is refused', async (_, args, said) => {
    const answer = await run(
      `return svc.window.download(${args}).then(() => 'saved', ({ code, message }) => code + ' ' + message)`,
    )
    expect(answer).toEqual(expect.stringContaining(said))
  })

  verifies('window.browser', 'it writes to the clipboard, fills the screen and prints', async () => {
    expect(await press(`await navigator.clipboard.writeText('hello'); return 'written'`)).toBe('written')
    await press(`await document.documentElement.requestFullscreen()`)
    expect(await press('return document.fullscreenElement !== null')).toBe(true)
    await press('await document.exitFullscreen()')
    expect(await press(`let n = 0; addEventListener('beforeprint', () => { n++ }); print(); return n`)).toBe(
      1,
    )
  })
})

describe('without a word in its manifest', () => {
  beforeEach(() => open('silent'))

  verifies('window.download', 'no file is saved, and the app and its page are told', async () => {
    const refusal = `({ code, details: { denied_by, hint } }) => [code, denied_by, hint].join()`
    expect(
      await run(`return svc.window.download({ name: 'a', data: 'x' }).then(() => 'saved', ${refusal})`),
    ).toBe('permission_denied,manifest,Add "download" to ui.browser in the manifest.')
    await run(link(made, `a.download = 'a.txt';`))
    await expect.poll(noted).toEqual(Array(2).fill('download permission_denied'))
  })

  verifies('window.browser', 'it gets neither clipboard nor screen nor paper', async () => {
    expect(await press(`await navigator.clipboard.writeText('hello')`)).toMatch(
      /^NotAllowedError: .*clipboard-write/,
    )
    expect(await press('await document.documentElement.requestFullscreen()')).toMatch(/^TypeError: /)
    await press(`addEventListener('beforeprint', () => said.push('printed')); print()`)
    expect(await at.frame().evaluate('said')).toEqual([
      'svc: print() does nothing in a window: add "print" to ui.browser in the manifest',
    ])
  })

  verifies('window.browser', 'alert, confirm and prompt answer at once, and say what to use', async () => {
    expect(await press(`return [alert('x'), confirm('x'), prompt('x')]`)).toEqual([undefined, false, null])
    expect(await at.frame().evaluate('said')).toEqual(
      ['alert', 'confirm', 'prompt'].map(
        (name) => `svc: ${name}() does nothing in a window: show a <dialog> of your own`,
      ),
    )
  })
})
