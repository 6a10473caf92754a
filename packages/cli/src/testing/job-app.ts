import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** An app for tests that starts jobs and talks to an agent, in a folder of its own; its plugin goes as far as a test says. */
export interface JobApp {
  readonly dir: string
  /** The plugin, as the host's options name it. */
  readonly plugin: { readonly slug: string; readonly command: [string, ...string[]] }
  /** Lets the tool `walk` go to this step of its ten; at the tenth it has ended. */
  walkTo(step: number): void
  remove(): void
}

const manifest = {
  schema: 3,
  name: 'Walks',
  version: '1.0.0',
  ui: {
    bundle: { entry: 'index.html' },
    views: [{ name: 'main', default: true, title: 'Walks' }],
    host_api: { agent: { session: { auto: true } } },
  },
  required_plugs: ['steps'],
}

const page = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>Walks</title></head>
  <body><main><h1>Walks</h1></main><script type="module" src="./main.js"></script></body>
</html>`

const code = `import { svc } from './sdk.js'
const offer = (name, act) => {
  const button = document.createElement('button')
  button.textContent = name
  button.onclick = act
  document.querySelector('main').append(button)
}
for (const method of ['walk', 'trip'])
  offer(method, () => svc.tools.invokeAsync({ tool_id: 'steps', method, clientTag: 'by hand' }))
// The development model calls the tool that it is told to, and so works until the walk is over.
offer('talk', async () => {
  const session = await svc.agent.session({ submode: 'auto', label: 'a talk' })
  const walk = session.grantedTools.find((name) => name.endsWith('__walk'))
  await session.run('/call ' + walk + ' {}')
})
await svc.window.ready()
`

const pluginCode = `import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
const [, , steps] = process.argv
const write = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }))
const tools = {
  walk(id) {
    let told = 0
    setInterval(() => {
      const step = existsSync(steps) ? Number(readFileSync(steps, 'utf8')) : 0
      if (step === told) return
      told = step
      const data = { done: step, of: 10, message: 'at step ' + step }
      write({ method: 'progress', params: { id, type: 'progress', data } })
      if (step === 10) write({ id, result: { output: { walked: step } } })
    }, 5)
  },
  trip: (id) => write({ id, result: { success: false, error: 'the rope broke' } }),
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  const named = Object.keys(tools).map((name) => ({ name, parameters: [] }))
  if (method === 'describe') write({ id, result: { name: 'steps', tools: named } })
  if (method === 'call') tools[params.name](id)
}).on('close', () => process.exit())
`

/** Writes the app. `sdk` is a module that exports `svc`. */
export function makeJobApp(sdk: string): JobApp {
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-jobs-'))
  const put = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true })
    writeFileSync(path.join(dir, name), text)
  }
  put('sdk.js', sdk)
  put('index.html', page)
  put('main.js', code)
  put('public/manifest.json', JSON.stringify(manifest))
  put('plugin.mjs', pluginCode)
  const steps = path.join(dir, 'steps')
  return {
    dir,
    plugin: { slug: 'steps', command: [process.execPath, path.join(dir, 'plugin.mjs'), steps] },
    walkTo: (step) => writeFileSync(steps, String(step)),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  }
}
