import path from 'node:path'
import type { Bridge } from '@svc/bridge'
import { bundle } from '@svc/conformance/bundle'
import { closePages, sharedChromium } from '@svc/conformance/chromium'
import { type BridgePage, openBridgePage, show } from '@svc/conformance/testing/bridge-page'
import { verifies } from '@svc/conformance/verifies'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest'
import type { SvcWindowProps } from './svc-window.ts'

declare global {
  /** Shows a window with these properties in StrictMode; nothing where there are none. */
  var render: (props?: SvcWindowProps) => void
  var bridge: Bridge
}

const page = `
import { SvcWindow } from '@svc/react/window'
import { createElement, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
const root = createRoot(document.body.appendChild(document.createElement('main')))
globalThis.render = (props) =>
  root.render(createElement(StrictMode, null, props && createElement(SvcWindow, { bridge: globalThis.bridge, ...props })))`

const oldest = path.resolve(import.meta.dirname, '../oldest/node_modules')
/** Each React by what stands for its packages. */
const reacts = [
  ['18.0', { react: `${oldest}/react`, 'react-dom': `${oldest}/react-dom` }],
  ['of today', {}],
] as const

let browser: Browser
beforeAll(async () => {
  browser = await sharedChromium()
})
afterAll(() => closePages(browser))

describe.each(reacts)('React %s', (_, alias) => {
  let script: string
  let at: BridgePage
  beforeAll(async () => {
    script = await bundle({ contents: page, resolveDir: import.meta.dirname }, { format: 'iife', alias })
  })
  beforeEach(async () => {
    at = await openBridgePage(browser)
    await at.host.addApp('app', {
      script: `import { svc } from '@svc/sdk'; ${show}
      svc.on('context', ({ theme }) => { document.title = theme });
      svc.ready.then(() => show(performance.timeOrigin))`,
    })
    await at.page.evaluate(script)
  })
  afterEach(() => at.close())

  const opens = () => at.host.windows.size

  verifies(
    'bindings.element',
    'SvcWindow opens one window in StrictMode, and an unmount closes it',
    async () => {
      await at.page.evaluate(() =>
        globalThis.render({
          appId: 'app',
          className: 'mine',
          context: { theme: 'dark', locale: 'en', focused: true },
          onOpen: ({ appId }) => globalThis.noted.push(appId),
        }),
      )
      expect(await at.notes(1)).toEqual(['app'])
      const loaded = await at.shown()
      await expect.poll(() => at.frame().evaluate('document.title')).toBe('dark')
      expect(await at.page.evaluate(() => document.querySelectorAll('svc-window.mine > iframe').length)).toBe(
        1,
      )
      expect(opens()).toBe(1)
      await at.page.evaluate(() =>
        globalThis.render({
          appId: 'app',
          className: 'mine',
          onTitle: (title) => globalThis.noted.push(title),
        }),
      )
      await expect.poll(() => at.host.openStreams()).toBe(1)
      const [uuid] = at.host.windows.keys()
      at.host.emit({ type: 'title_changed', window_uuid: uuid, title: 'Mine' })
      expect(await at.notes(2)).toEqual(['app', 'Mine'])
      expect(await at.shown()).toBe(loaded)
      await at.page.evaluate(() => globalThis.render())
      await expect.poll(opens).toBe(0)
    },
  )

  verifies('bindings.element', 'SvcWindow tells what it could not open, and opens another app', async () => {
    await at.page.evaluate(() =>
      globalThis.render({
        windowUuid: 'unknown',
        onError: (error) => globalThis.noted.push((error as { code: string }).code),
        onTrouble: (trouble) => globalThis.noted.push(trouble),
      }),
    )
    expect(await at.notes(2)).toEqual(['not_found', 'failed'])
    expect(await at.page.locator('[role=alert]').count()).toBe(0)
    await at.page.evaluate(() =>
      globalThis.render({
        appId: 'app',
        onOpen: () => globalThis.noted.push('open'),
        onClose: (reason) => globalThis.noted.push(reason),
      }),
    )
    expect(await at.notes(3)).toEqual(['not_found', 'failed', 'open'])
    await expect.poll(() => at.host.openStreams()).toBe(1)
    const [uuid] = at.host.windows.keys()
    at.host.emit({ type: 'close_view', window_uuid: uuid, reason: 'done' })
    expect(await at.notes(4)).toEqual(['not_found', 'failed', 'open', 'done'])
  })
})
