import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { createHost } from '@svc/host'
import { serveFigures } from '../lib/server.ts'
import { dripModel } from './drip-model.ts'

/**
 * The real host with the page of windows and one app whose model drips. Arguments: the folder of the app, the built page.
 */
const [app = '', page = ''] = process.argv.slice(2)
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}
const MANY = 1e9
const host = createHost({
  harness: true,
  apps: [{ dir: app }],
  models: { default: { model: dripModel } },
  quotas: { runs_per_day: MANY, completions_per_day: MANY, tokens_per_day: MANY },
  async page(path) {
    // The control: a page of the same host with nothing in it.
    if (path === '/empty') return { bytes: Buffer.from('<!doctype html><p>Empty</p>'), type: 'text/html' }
    const name = path === '/' ? 'index.html' : path
    const bytes = await readFile(join(page, name)).catch(() => null)
    return bytes && { bytes, type: types[extname(name)] ?? 'application/octet-stream' }
  },
})
const { port, startUrl } = await host.listen(0)
serveFigures({ port, startUrl })
process.on('SIGTERM', () => host.close().then(() => process.exit()))
