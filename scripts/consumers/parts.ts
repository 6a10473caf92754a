/** The app of the servers: it may keep values and files, and call one tool. */
export const probeApp: Readonly<Record<string, string>> = {
  'probe/app/manifest.json': JSON.stringify({
    schema: 3,
    name: 'Probe',
    version: '1.0.0',
    ui: {
      bundle: { entry: 'index.html' },
      views: [{ name: 'main' }],
      host_api: { storage: ['*'], upload: ['*'], window: ['*'], tools: ['required:sums'] },
    },
    required_plugs: [{ handle: 'sums' }],
  }),
  'probe/app/index.html': '<!doctype html><html lang="en"><title>Probe</title></html>\n',
  'probe/plugin.mjs': `import { createInterface } from 'node:readline'
const described = { name: 'sums', tools: [{ name: 'add', description: 'Adds.' }] }
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  const result = method === 'describe' ? described : { output: { sum: params.args.a + params.args.b } }
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
})
`,
}

/** Opens a host with a data folder, an app and a plugin, all in the folder `PROBE_DIR`. */
export const openSvc = `import path from 'node:path'
import { createHost } from '@svc/host'
import { openFolder } from '@svc/state-sqlite'

export async function openSvc() {
  const dir = process.env.PROBE_DIR
  const { store, bus, blobs, secret } = await openFolder(path.join(dir, 'data'))
  const host = createHost({
    store,
    bus,
    blobs,
    secret,
    upgrades: process.env.UPGRADES === 'true',
    authenticate: () => ({ id: 'ada' }),
    isolation: 'none',
    apps: [{ dir: path.join(dir, 'app'), grants: { upload_grant: true } }],
    plugins: [{ slug: 'sums', command: ['node', path.join(dir, 'plugin.mjs')] }],
  })
  await host.apps.ready()
  return host
}
`

/** A server of node:http, without \`await\` at the top: bundles of CommonJS have none. */
export const plainServer = `import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { openSvc } from './svc.mjs'

openSvc().then((host) => {
  createServer(getRequestListener(host.fetch)).listen(Number(process.env.PORT), '127.0.0.1')
})
`
/** What the plain server imports. */
export const plainPackages = ['@svc/host', '@svc/state-sqlite', '@hono/node-server', 'hono'] as const

/** A server of Express and others passes on what is for the host. */
const isOurs = '/^\\/(api|plugs)\\//.test'

/** A server that takes requests of node:http, with its own lines before and after. */
export const serverWith = (
  before: string,
  pass: string,
) => `import { getRequestListener } from '@hono/node-server'
import { openSvc } from './svc.mjs'
${before}
const isOurs = (path) => ${isOurs}(path)
const host = await openSvc()
const svc = getRequestListener(host.fetch)
${pass}
`
