import type { Bridge } from '@svc/bridge'
import type { SvcWindowElement } from '@svc/bridge/element'
import { bundle } from '@svc/conformance/bundle'
import { closePages, sharedChromium } from '@svc/conformance/chromium'
import { type BridgePage, openBridgePage, show } from '@svc/conformance/testing/bridge-page'
import { verifies } from '@svc/conformance/verifies'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'

declare global {
  var element: SvcWindowElement
  var defineSvcWindow: (options?: { bridge?: Bridge; name?: string }) => void
}

let browser: Browser
let script: string
let at: BridgePage

beforeAll(async () => {
  browser = await sharedChromium()
  const contents = `import { defineSvcWindow } from '@svc/bridge/element'; globalThis.defineSvcWindow = defineSvcWindow`
  script = await bundle({ contents, resolveDir: import.meta.dirname }, { format: 'iife' })
})
afterAll(() => closePages(browser))
beforeEach(async () => {
  at = await openBridgePage(browser)
  await at.host.addApp('app', {
    script: `import { svc } from '@svc/sdk'; ${show}
      svc.on('context', ({ theme }) => { document.title = theme });
      svc.ready.then(() => show(performance.timeOrigin))`,
  })
  await at.page.evaluate(script)
  await at.page.evaluate(() => {
    globalThis.defineSvcWindow({ bridge: globalThis.bridge })
    globalThis.defineSvcWindow({ bridge: globalThis.bridge })
    globalThis.element = document.createElement('svc-window') as SvcWindowElement
    for (const type of ['open', 'title', 'close', 'lost', 'error'])
      globalThis.element.addEventListener(type, (event) => {
        const { title, reason, error } = (event as CustomEvent).detail
        globalThis.noted.push([type, title ?? reason ?? error?.code ?? null])
      })
  })
})
afterEach(() => at.close())

/** Puts the element of an app into the page, and waits for its window. */
async function open(appId = 'app'): Promise<string> {
  await at.page.evaluate((id) => {
    globalThis.element.setAttribute('app-id', id)
    document.body.append(globalThis.element)
  }, appId)
  expect(await at.notes(1)).toEqual([['open', null]])
  await at.shown()
  return String(await at.page.evaluate(() => globalThis.element.window?.windowUuid))
}
verifies.each('bindings.element.agrees')<[string, { name?: string; bridge?: boolean }, string | null]>([
  ['no bridge', {}, null],
  ['its own name', { name: 'own-window' }, null],
  ['another bridge', { bridge: true }, '<svc-window> is defined with another bridge already'],
  ['the name of another element', { name: 'other-element' }, '<other-element> is another element already'],
])('is defined again with %s', async (_, { name, bridge }, error) => {
  const said = await at.page.evaluate(
    ({ name, bridge }) => {
      if (!customElements.get('other-element'))
        customElements.define('other-element', class extends HTMLElement {})
      const given = bridge && globalThis.bridgeApi.createBridge()
      try {
        globalThis.defineSvcWindow({ ...(name && { name }), ...(given && { bridge: given }) })
        return null
      } catch (error) {
        return (error as Error).message
      }
    },
    { name, bridge },
  )
  expect(said).toBe(error)
})

const windowsAtHost = () => [...at.host.windows.keys()]

verifies('bindings.element', 'opens a window while it is in the page, and closes it with it', async () => {
  const uuid = await open()
  expect(windowsAtHost()).toEqual([uuid])
  expect(await at.page.evaluate(() => document.querySelector('svc-window > iframe') !== null)).toBe(true)
  await at.page.evaluate(() => globalThis.element.remove())
  await expect.poll(windowsAtHost).toEqual([])
  const left = () => [globalThis.bridge.windows.length, globalThis.element.window]
  await expect.poll(() => at.page.evaluate(left)).toEqual([0, undefined])
  expect(await at.notes(1)).toHaveLength(1)
})

verifies('bindings.element', 'opens one window where it comes, goes and comes in one tick', async () => {
  await at.page.evaluate(() => {
    const { element } = globalThis
    element.setAttribute('app-id', 'none')
    document.body.append(element)
    element.remove()
    document.body.append(element)
    element.setAttribute('app-id', 'app')
  })
  await at.notes(1)
  expect(windowsAtHost()).toHaveLength(1)
  expect(at.host.windows.values().next().value?.app_id).toBe('app')
})

verifies('bindings.element', 'keeps its window where its own uuid is written down', async () => {
  await at.page.evaluate(() => {
    globalThis.element.addEventListener('open', (event) => {
      globalThis.element.windowUuid = (event as CustomEvent).detail.window.windowUuid
    })
  })
  const uuid = await open()
  await at.page.evaluate(() => {
    globalThis.element.title = 'later'
  })
  expect(windowsAtHost()).toEqual([uuid])
  expect(await at.page.evaluate(() => globalThis.noted)).toEqual([['open', null]])
})

verifies.each('bindings.element')([
  ['closes its window with its page', false, 0],
  ['leaves its window open where it is to be kept', true, 1],
])('%s', async (_, keep, left) => {
  await open()
  await at.page.evaluate((keep) => {
    globalThis.element.keep = keep
  }, keep)
  await at.page.goto('about:blank')
  await expect.poll(() => windowsAtHost().length).toBe(left)
})

verifies(
  'bindings.element',
  'is loaded anew where it is moved, and stays as it is with moveBefore',
  async () => {
    const uuid = await open()
    const first = await at.shown()
    await at.page.evaluate(() => {
      document.body.moveBefore(globalThis.element, document.body.firstChild)
    })
    expect(await at.shown()).toBe(first)
    await at.page.evaluate(() => document.body.append(globalThis.element))
    await expect.poll(() => at.shown()).not.toBe(first)
    expect(windowsAtHost()).toEqual([uuid])
  },
)

verifies('bindings.element', 'tells title and close, and opens another app', async () => {
  const uuid = await open()
  await expect.poll(() => at.host.openStreams()).toBe(1)
  at.host.emit({ type: 'title_changed', window_uuid: uuid, title: 'Mine' })
  at.host.emit({ type: 'close_view', window_uuid: uuid, reason: 'done' })
  expect((await at.notes(3)).slice(1)).toEqual([
    ['title', 'Mine'],
    ['close', 'done'],
  ])
  await at.host.addApp('other', { html: '<!doctype html>other' })
  await at.page.evaluate(() => {
    globalThis.element.appId = 'other'
  })
  expect((await at.notes(4))[3]).toEqual(['open', null])
})

it('tells the app the context, and what is set later', async () => {
  await at.page.evaluate(() => {
    globalThis.element.context = { theme: 'dark', locale: 'en', focused: true }
  })
  await open()
  const theme = () => at.frame().evaluate('document.title')
  await expect.poll(theme).toBe('dark')
  await at.page.evaluate(() => {
    globalThis.element.context = { theme: 'light', locale: 'en', focused: true }
  })
  await expect.poll(theme).toBe('light')
})

it('keeps a window at the host, and shows it again', async () => {
  const uuid = await open()
  await at.page.evaluate(() => {
    globalThis.element.keep = true
    globalThis.element.remove()
  })
  await expect.poll(() => at.page.evaluate(() => globalThis.bridge.windows.length)).toBe(0)
  expect(windowsAtHost()).toEqual([uuid])
  await at.page.evaluate((windowUuid) => {
    Object.assign(globalThis.element, { appId: null, windowUuid })
    document.body.append(globalThis.element)
  }, uuid)
  expect((await at.notes(2))[1]).toEqual(['open', null])
  expect(await at.page.evaluate(() => globalThis.element.window?.windowUuid)).toBe(uuid)
})

it('tells why a window could not be opened', async () => {
  await at.page.evaluate(() => {
    globalThis.element.windowUuid = 'unknown'
    document.body.append(globalThis.element)
  })
  expect(await at.notes(1)).toEqual([['error', 'not_found']])
})

/** What the element says, and does not when it shows its app. */
const says = () =>
  at.page.evaluate(() => document.querySelector('svc-window > [role=alert]')?.textContent ?? null)
const press = (name: string) => at.page.getByRole('button', { name }).click()

verifies('bindings.element', 'says that its app has stopped, and loads or closes it', async () => {
  await open()
  await at.host.addApp('mute', { html: '<!doctype html>' })
  const leave = () => at.frame().evaluate(`location.href = '../mute/index.html'`)
  await leave()
  await expect.poll(says, { timeout: 20_000 }).toBe('This app has stopped. Reload Close')
  await press('Reload')
  await at.shown()
  expect(await says()).toBe(null)
  await leave()
  await expect.poll(says, { timeout: 20_000 }).toMatch(/has stopped/)
  await press('Close')
  await expect.poll(windowsAtHost).toEqual([])
  expect([await says(), (await at.notes(2))[1]]).toEqual([null, ['close', null]])
})

verifies('bindings.element', 'says that it could not open a window, and opens it again or not', async () => {
  await at.page.evaluate(() => {
    Object.assign(globalThis.element, { appId: 'none', style: 'display: block; height: 200px' })
    document.body.append(globalThis.element)
  })
  await expect.poll(says).toBe('This app could not be loaded. Reload Close')
  await at.host.addApp('none', { html: '<!doctype html>other' })
  await press('Reload')
  expect((await at.notes(2))[1]).toEqual(['open', null])
  expect(await says()).toBe(null)
})

verifies('bindings.element', 'leaves the words to a page that prevents them', async () => {
  await at.page.evaluate(() => {
    globalThis.element.addEventListener('trouble', (event) => {
      event.preventDefault()
      globalThis.noted.push(event.detail.trouble)
    })
    globalThis.element.windowUuid = 'unknown'
    document.body.append(globalThis.element)
  })
  expect([await at.notes(2), await says()]).toEqual([[['error', 'not_found'], 'failed'], null])
})

/** How many windows are open, at the host and on the page, and the iframes of each element. */
const counted = () =>
  at.page.evaluate(() => [
    globalThis.bridge.windows.filter(({ connected }) => connected).length,
    [...document.querySelectorAll('svc-window')].map((one) => one.querySelectorAll('iframe').length),
  ])

verifies.each('bindings.element')<[string, () => void, number]>([
  [
    'innerHTML +=',
    () => {
      document.body.innerHTML += ' '
    },
    1,
  ],
  ['a deep clone', () => document.body.append(document.body.lastElementChild?.cloneNode(true) ?? ''), 2],
  [
    'document.write, with what is shown until then',
    () => {
      document.open()
      document.write('<svc-window app-id="app"><iframe></iframe><p>loading</svc-window>')
      document.close()
    },
    1,
  ],
])('shows one window in each element: %s', async (_, change, count) => {
  await open()
  await at.page.evaluate(change)
  await expect.poll(counted).toEqual([count, Array(count).fill(1)])
  await expect.poll(() => windowsAtHost().length).toBe(count)
})

verifies(
  'bindings.element',
  'says that its app has stopped where it was emptied, and brings it back',
  async () => {
    const uuid = await open()
    await at.page.evaluate(() => {
      globalThis.element.style.cssText = 'display: block; height: 200px'
      globalThis.element.replaceChildren()
    })
    await expect.poll(says, { timeout: 20_000 }).toBe('This app has stopped. Reload Close')
    await press('Reload')
    await expect.poll(counted).toEqual([1, [1]])
    expect([windowsAtHost(), await says()]).toEqual([[uuid], null])
  },
)
