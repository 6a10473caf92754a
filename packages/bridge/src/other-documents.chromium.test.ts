import { closePages, sharedChromium } from '@svc/conformance/chromium'
import { type BridgePage, openBridgePage } from '@svc/conformance/testing/bridge-page'
import { slackMs } from '@svc/conformance/testing/processes'
import { verifies } from '@svc/conformance/verifies'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'

declare global {
  var documentPictureInPicture: { requestWindow(): Promise<Window> }
  var into: () => Promise<Window>
}

let browser: Browser
let at: BridgePage

beforeAll(async () => {
  browser = await sharedChromium()
})
afterAll(() => closePages(browser))
beforeEach(async () => {
  at = await openBridgePage(browser)
  await at.host.addApp('app', { script: `import { svc } from '@svc/sdk'; svc.ready` })
})
afterEach(() => at.close())

/** Windows that a page has beside its own. */
const places = {
  'a frame of the page': () => {
    const frame = document.body.appendChild(document.createElement('iframe'))
    return Promise.resolve(frame.contentWindow as Window)
  },
  'a popup': () => Promise.resolve(window.open('', '', 'popup,width=300,height=300') as Window),
  'a picture in picture': () => globalThis.documentPictureInPicture.requestWindow(),
} satisfies Record<string, () => Promise<Window>>

/** Runs in the page, as what its user pressed, where to put a window. */
async function press(place: () => Promise<Window>, run: string): Promise<void> {
  await at.page.evaluate(
    ([open, then]) => {
      const button = document.body.appendChild(document.createElement('button'))
      button.textContent = 'press'
      // Trusted by this test alone.
      const [make, go] = [
        new Function(`return (${open})()`),
        new Function('view', `return (async () => { ${then} })()`),
      ]
      button.onclick = () =>
        make()
          .then(go)
          .then(
            (said: unknown) => globalThis.noted.push(said),
            (e: unknown) => globalThis.noted.push(String(e)),
          )
    },
    [String(place), run],
  )
  await at.page.getByRole('button', { name: 'press' }).click()
}

verifies.each('wall.frame.anywhere')(Object.entries(places))('a window works in %s', async (_, place) => {
  await press(
    place,
    `globalThis.win = await bridge.mountWindow({ into: view.document.body, appId: 'app', until: 'connected' })
     return [win.iframe.ownerDocument === view.document, win.connected]`,
  )
  expect(await at.notes(1)).toEqual([[true, true]])
})

verifies.each('wall.frame.anywhere')(Object.entries(places))(
  'a window moved to %s is there',
  async (_, place) => {
    await at.mount('app')
    await press(
      place,
      `const again = new Promise((done) => win.on('connected', done))
     view.document.body.append(win.iframe)
     await again
     return [win.iframe.ownerDocument === view.document, win.connected]`,
    )
    expect(await at.notes(1)).toEqual([[true, true]])
  },
)

verifies('wall.frame.anywhere', 'a window works in a page that was written anew', async () => {
  await at.page.evaluate(() => {
    document.open()
    document.write('<!doctype html><main></main>')
    document.close()
  })
  await at.mount('app')
  expect(await at.page.evaluate(() => globalThis.win.connected)).toBe(true)
})

verifies.each('wall.frame.closed')([
  ['its frame is there', 'setTimeout(() => view.close())'],
  [
    'its app is there',
    'while (!view.document.querySelector("iframe")) await new Promise((done) => setTimeout(done)); view.close()',
  ],
])('a popup that its user closes before %s is the reason', async (_, close) => {
  await at.host.addApp('mute', { script: '' })
  await press(
    places['a popup'],
    `const mounted = bridge.mountWindow({ into: view.document.body, appId: 'mute', until: 'connected' })
     const said = mounted.then(() => 'mounted', ({ code, details }) => [code, details.reason])
     ${close}
     return said`,
  )
  // The first is that of onError.
  expect((await at.notes(2)).at(-1)).toEqual(['load_failed', 'closed'])
})

verifies('wall.frame.closed', 'a popup that its user closes ends the app in it', async () => {
  await press(
    places['a popup'],
    `const win = await bridge.mountWindow({ into: view.document.body, appId: 'app', until: 'connected' })
     const told = []
     for (const type of ['disconnected', 'ended']) win.on(type, () => told.push(type))
     const ended = new Promise((done) => win.on('ended', done))
     view.close()
     const since = performance.now()
     await ended
     return [...told, performance.now() - since]`,
  )
  const [[first, second, ms]] = (await at.notes(1)) as unknown as [[string, string, number]]
  expect([first, second]).toEqual(['disconnected', 'ended'])
  expect(ms).toBeLessThan(4_000 + (await slackMs()))
})
