import type { PageFile } from '@svc/host'
import { openPageModules } from './page-modules.ts'

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>An app under test</title>
    <link rel="icon" href="data:," />
    <style>html, body, main { height: 100%; margin: 0 }</style>
    <script type="module" src="/page.js"></script>
  </head>
  <body><main></main></body>
</html>
`

/** What a test calls in the page: it mounts the app, from another address where one is given. */
const script = (bridge: string) => `
import { createBridge } from ${JSON.stringify(bridge)}

let entryUrl
const bridge = createBridge({
  async fetch(url, init) {
    const response = await fetch(url, init)
    if (!entryUrl || init.method !== 'POST' || !url.endsWith('/windows') || !response.ok) return response
    return Response.json({ ...(await response.json()), entry_url: entryUrl })
  },
})
globalThis.svcTest = {
  bridge,
  async mount({ url, ...options }) {
    entryUrl = url
    const win = await bridge.mountWindow({ into: document.querySelector('main'), ...options })
    return { win, iframe: win.iframe }
  },
}
`

/** Makes the files of the page on which a test with a browser has its app. */
export function openPageFiles(): (path: string) => Promise<PageFile | null> {
  let opened: ReturnType<typeof openPageModules> | undefined
  // Tests without a browser run in Bun, which does not know where packages are.
  const modules = () => (opened ??= openPageModules())
  const javascript = (text: string): PageFile => ({
    bytes: Buffer.from(text),
    type: 'text/javascript; charset=utf-8',
  })
  return async (path) => {
    if (path === '/') return { bytes: Buffer.from(PAGE), type: 'text/html; charset=utf-8' }
    if (path === '/page.js') return javascript(script(modules().pathOf('@svc/bridge')))
    const text = await modules().read(path)
    return text === null ? null : javascript(text)
  }
}
