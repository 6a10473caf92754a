/** What a window shows once its app has written a value and read it. */
export const SHOWN = 'kept: a value'

const html = (title: string, script: string) => `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>${title}</title></head>
  <body><main id="desk"></main><script type="module" src="${script}"></script></body>
</html>
`

/** The name of the first app of the user. */
export const firstApp = `const firstApp = async () => (await (await fetch('/api/v1/svc-apps/installs')).json()).installs[0].app_id
`

/** The sources of a page and of an app, without a framework. */
export const sources: Readonly<Record<string, string>> = {
  'page/index.html': html('A page', './main.js'),
  'page/main.js': `import { createBridge } from '@svc/bridge'
${firstApp}
async function main() {
  const into = document.getElementById('desk')
  await createBridge().mountWindow({ into, appId: await firstApp() })
}
main()
`,
  'app/index.html': html('An app', './main.js'),
  'app/main.js': `import { svc } from '@svc/sdk'
async function main() {
  await svc.storage.set({ key: 'a', value: 'a value' })
  const { value } = await svc.storage.get({ key: 'a' })
  document.body.textContent = 'kept: ' + value
  svc.window.ready()
}
main()
`,
  'manifest.json': JSON.stringify({
    schema: 3,
    name: 'App',
    version: '1.0.0',
    ui: {
      bundle: { entry: 'index.html' },
      views: [{ name: 'main', w: 400, h: 300 }],
      host_api: { storage: ['*'], window: ['*'] },
    },
  }),
  // Copies what a tool that knows scripts alone leaves.
  'finish.mjs': `import { copyFileSync } from 'node:fs'
for (const part of process.argv.slice(2)) copyFileSync(part + '/index.html', 'out/' + part + '/index.html')
copyFileSync('manifest.json', 'out/app/manifest.json')
`,
}

/** The server of a page and of the host beside it: \`node page-server.mjs <page> <app>\`. */
export const pageServer = `import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { createHost } from '@svc/host'
const [page, dir] = process.argv.slice(2)
const host = createHost({ upgrades: true, authenticate: () => ({ id: 'ada' }), runner: null, apps: [{ dir }] })
await host.apps.ready()
const svc = getRequestListener(host.fetch)
const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css' }
const server = createServer(async (req, res) => {
  if (/^\\/(api|plugs)\\//.test(req.url)) return svc(req, res)
  const { pathname } = new URL(req.url, 'http://page')
  const file = path.join(page, pathname === '/' ? 'index.html' : pathname)
  const bytes = await readFile(file).catch(() => null)
  res.writeHead(bytes ? 200 : 404, { 'content-type': types[path.extname(file)] ?? 'text/plain' }).end(bytes ?? '')
})
server.on('upgrade', host.upgrade)
server.listen(Number(process.env.PORT), '127.0.0.1')
`
