import { readFileSync } from 'node:fs'
import { createHost } from '@svc/host'
import { serveFigures } from '../lib/server.ts'

/** The real host with one app and one plugin. Arguments: the folder of the scripts, the plugin's file. */
const [folder = '.', plugin = ''] = process.argv.slice(2)
const host = createHost({
  harness: true,
  startToken: 'bench'.repeat(8),
  apps: [{ dir: `${folder}/app` }],
  plugins: [{ slug: 'bench', command: [process.execPath, plugin] }],
  page: (path) =>
    path === '/'
      ? {
          bytes: Buffer.from('<!doctype html><body><script type="module" src="/svc-page.js"></script>'),
          type: 'text/html',
        }
      : path === '/svc-page.js'
        ? { bytes: readFileSync(`${folder}/svc-page.js`), type: 'text/javascript' }
        : null,
})
await host.plugins.ready()
const { port } = await host.listen(0)
serveFigures({ port })
process.on('SIGTERM', () => host.close().then(() => process.exit()))
