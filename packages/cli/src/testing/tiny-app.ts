import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** An app for tests, in a folder of its own: a button for each thing that a window can do. */
export interface TinyApp {
  readonly dir: string
  /** Writes another greeting into its source. */
  greet(text: string): void
  /** Writes any file of it. */
  put(name: string, text: string): void
  remove(): void
}

const manifest = {
  schema: 3,
  name: 'Tiny',
  version: '1.0.0',
  ui: {
    bundle: { entry: 'index.html' },
    views: [
      {
        name: 'main',
        default: true,
        title: 'Tiny',
        w: 420,
        h: 300,
        min_w: 240,
        min_h: 200,
        max_w: 600,
        max_h: 440,
      },
      { name: 'second', title: 'Second', w: 300, h: 220 },
    ],
    host_api: { chat: ['append_artifact'] },
  },
}

const page = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>Tiny</title></head>
  <body>
    <main><h1 id="greeting"></h1><p id="context"></p></main>
    <script type="module" src="./main.js"></script>
  </body>
</html>`

const code = `import { svc } from './sdk.js'
import { greeting } from './greeting.js'
const say = (id, text) => { document.getElementById(id).textContent = text }
const acts = {
  title: () => svc.window.set_title({ title: 'Renamed' }),
  grow: () => svc.window.resize({ w: 500, h: 360 }),
  second: () => svc.window.open_view({ view: 'second' }),
  refused: () => svc.storage.list().catch(() => undefined),
  report: () => svc.window.report_error({ message: 'a lamp broke', context: { fatal: true } }),
  card: () => svc.chat.append_artifact({ artifact: { kind: 'text', summary: '<b>bold</b>' } }),
  stay: () => svc.onBeforeClose(() => false),
  leave: () => svc.window.close({ reason: 'done' }),
  hidden: () => svc.window.set_title({ title: 'Sign\\u202e in\\u2800 again:' }),
}
globalThis.raise = () => svc.window.focus()
globalThis.grab = () => {
  window.focus()
  document.querySelector('button').focus()
  void svc.window.set_title({ title: 'Grabbed' })
}
for (const [name, act] of Object.entries(acts)) {
  const button = document.createElement('button')
  button.textContent = name
  button.onclick = () => void act()
  document.querySelector('main').append(button)
}
svc.on('context', ({ theme, focused }) => say('context', theme + (focused ? ' focused' : '')))
say('greeting', greeting)
await svc.ready
await svc.window.ready()
`

/** Writes the app. `sdk` is a module that exports `svc`. */
export function makeTinyApp(sdk: string): TinyApp {
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-tiny-'))
  const put = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true })
    writeFileSync(path.join(dir, name), text)
  }
  const greet = (text: string) => put('greeting.js', `export const greeting = ${JSON.stringify(text)}\n`)
  put('sdk.js', sdk)
  put('index.html', page)
  put('main.js', code)
  put('public/manifest.json', JSON.stringify(manifest))
  greet('Hello')
  return { dir, greet, put, remove: () => rmSync(dir, { recursive: true, force: true }) }
}
