import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** An app for tests that calls a tool of a published plugin, and the script of that plugin, in a folder of their own. */
export interface PluginApp {
  readonly dir: string
  /** Where the plugin's script is: what a distribution of type `local` names. */
  readonly script: string
  /** Declares a plugin; the host is to read the folder again. */
  declare(toolId: string): void
  remove(): void
}

const manifest = (plugs: readonly string[]) => ({
  schema: 3,
  name: 'Sky',
  version: '1.0.0',
  ui: { bundle: { entry: 'index.html' }, views: [{ name: 'main', default: true, title: 'Sky' }] },
  required_plugs: plugs,
})

const page = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>Sky</title></head>
  <body>
    <main><h1>Sky</h1><button id="ask">Ask</button><p id="answer"></p></main>
    <script type="module" src="./main.js"></script>
  </body>
</html>`

const code = `import { svc } from './sdk.js'
import { toolId } from './tool.js'
const answer = document.querySelector('#answer')
document.querySelector('#ask').onclick = async () => {
  answer.textContent = ''
  try {
    answer.textContent = JSON.stringify(await svc.tools.invoke({ tool_id: toolId, method: 'forecast', args: { place: 'Zürich' } }))
  } catch (error) {
    answer.textContent = error.code + ' ' + error.message
  }
}
await svc.window.ready()
`

const pluginCode = (destructive: boolean) => `import { createInterface } from 'node:readline'
const write = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }))
const described = {
  name: 'weather',
  version: '1.0.0',
  tools: [{ name: 'forecast', description: 'Says how the weather will be', parameters: [], destructive: ${destructive} }],
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (method === 'describe') write({ id, result: described })
  if (method === 'call') write({ id, result: { output: { sky: 'clear' } } })
}).on('close', () => process.exit())
`

/** Writes them. `sdk` is a module that exports `svc`; `destructive`: what the plugin says of its tool. */
export function makePluginApp(sdk: string, { destructive = false } = {}): PluginApp {
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-sky-'))
  const home = mkdtempSync(path.join(tmpdir(), 'svc-sky-plugin-'))
  const script = path.join(home, 'weather.mjs')
  const put = (name: string, text: string) => writeFileSync(path.join(dir, name), text)
  function declare(...toolIds: readonly string[]): void {
    put('tool.js', `export const toolId = ${JSON.stringify(toolIds[0] ?? '')}\n`)
    put('manifest.json', JSON.stringify(manifest(toolIds)))
  }
  put('sdk.js', sdk)
  put('index.html', page)
  put('main.js', code)
  declare()
  writeFileSync(script, pluginCode(destructive))
  return {
    dir,
    script,
    declare,
    remove() {
      for (const one of [dir, home]) rmSync(one, { recursive: true, force: true })
    },
  }
}
