import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bundle } from '@svc/conformance/bundle'

/** What the app does wrong, by the `fault` of its payload; without one it does all well. */
export type AppFault =
  | 'rejects'
  | 'prints'
  | 'loads'
  | 'leaves'
  | 'closes'
  | 'forgets'
  | 'trusts_start'
  | 'trusts_calls'
  | 'gives_up'
  | 'blank'
  | 'hangs'
  | 'stays'
  | 'wide'
  | 'cuts'
  | 'dim'
  | 'div'
  | 'unseen'
  | 'trap'
  | 'unnamed'

const manifest = {
  schema: 3,
  name: 'Faulty',
  version: '1.0.0',
  ui: {
    bundle: { entry: 'index.html' },
    views: [{ name: 'main', default: true }],
    host_api: { tools: ['required:odd'], storage: ['get', 'set'] },
  },
  required_plugs: ['odd'],
}

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Faulty</title>
    <style>
      :root { color-scheme: light dark }
      [data-theme=light] { color-scheme: light }
      [data-theme=dark] { color-scheme: dark }
      .dim[data-theme=dark] p { color: #444 }
      .wide p { width: 600px }
      .cuts p { width: 10rem; overflow: hidden; white-space: nowrap; font-size: 1rem }
      .unseen :focus-visible { outline: none }
    </style>
  </head>
  <body>
    <main>
      <h1>Adds numbers</h1>
      <p>It adds the numbers.</p>
      <label>Name <input id="name" /></label>
      <button id="add">Add</button>
      <button id="save">Save</button>
      <p id="said" role="status"></p>
    </main>
    <script type="module" src="./app.js"></script>
  </body>
</html>`

const script = `
import { svc } from '@svc/sdk'
const byId = (id) => document.getElementById(id)
const say = (text) => { byId('said').textContent = text }
const { fault } = (await svc.ready).entry_payload ?? {}
document.documentElement.className = fault ?? ''
svc.on('context', ({ theme }) => { document.documentElement.dataset.theme = theme })

const add = () => svc.tools.invoke({ tool_id: 'odd', method: 'add', args: { a: 1, b: 2 } })
const save = () => svc.storage.set({ key: 'name', value: byId('name').value })
const attempt = async (work) => {
  try {
    await work()
    say('Done.')
  } catch (error) {
    if (fault === 'trusts_calls') throw error
    if (fault === 'gives_up' && error.code === 'host_unreachable') byId('add').disabled = byId('save').disabled = true
    say('It did not work: ' + error.message)
  }
}
byId('add').onclick = () => {
  const until = performance.now() + (fault === 'hangs' ? 1_500 : 0)
  while (performance.now() < until);
  return attempt(add)
}
byId('save').onclick = () => attempt(save)

const main = document.querySelector('main')
const make = (html) => main.insertAdjacentHTML('beforeend', html)
if (fault === 'rejects') Promise.reject(new Error('nobody waits for this'))
if (fault === 'prints') console.error('it went wrong')
if (fault === 'loads') make('<img alt="" src="https://site.org/picture.png">')
if (fault === 'leaves') svc.on('context', () => svc.window.close())
if (fault === 'closes') {
  make('<button id="close">Close</button><button id="more">More</button>')
  byId('close').onclick = () => svc.window.close()
  byId('more').onclick = () => Promise.reject(new Error('nobody waits for this'))
}
if (fault === 'stays') svc.onBeforeClose(() => false)
if (fault === 'unnamed') make('<button></button>')
if (fault === 'div') {
  make('<div id="more">More</div>')
  byId('more').onclick = () => say('More.')
}
if (fault === 'trap') byId('name').onkeydown = (event) => event.preventDefault()
if (fault === 'blank') main.hidden = true
const loads = async () => {
  const isAgain = await svc.storage.get({ key: 'loads' }).then(() => true, (error) => {
    if (error.code !== 'not_found') throw error
    return false
  })
  main.hidden = fault === 'forgets' && isAgain
  await svc.storage.set({ key: 'loads', value: 1 })
}
if (fault === 'trusts_start') await loads()
else await attempt(loads)
`

/** A call that does not wait for hello. */
const early = `import { svc } from '@svc/sdk'
svc.storage.get({ key: 'name' }).catch(() => null)
`

/** Writes the built app into a folder of its own; with `asksEarly` it makes its first call beside its hello. */
export async function makeFaultyApp({ asksEarly = false } = {}) {
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-faulty-'))
  const put = (name: string, text: string) => writeFileSync(path.join(dir, name), text)
  put('manifest.json', JSON.stringify(manifest))
  put('index.html', page)
  put(
    'app.js',
    await bundle(
      {
        contents: asksEarly ? early + script.replace(/^import .*$/m, '') : script,
        resolveDir: import.meta.dirname,
      },
      { minify: true },
    ),
  )
  return { dir, put, remove: () => rmSync(dir, { recursive: true, force: true }) }
}
