import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { expect, it, onTestFinished } from 'vitest'
import { embedThread } from './testing/embed-thread.ts'

/** A server of somebody in one file: it reads a body in another thread, keeps a folder, and asks for what cannot be. */
const server = `
import { createHost, hostLimits } from '@svc/host'
import { spoken } from '@svc/runner'
import { openFolder } from '@svc/state-sqlite'

async function main() {
  const { close, ...folder } = await openFolder(process.argv[2])
  const host = createHost({ store: folder.store, bus: folder.bus, blobs: folder.blobs, secret: folder.secret, authenticate: () => ({ id: 'ada' }), runner: null, logger: { ...console, info() {} } })
  const body = JSON.stringify({ manifest: {}, files: { 'index.html': 'a'.repeat(2 * hostLimits.BODY_APART_BYTES) } })
  const headers = { 'content-type': 'application/json', host: '127.0.0.1', origin: 'http://127.0.0.1' }
  const ask = (path, init) => host.fetch(new Request('http://127.0.0.1/api/v1/svc-apps' + path, { headers, ...init }))
  const { app_id } = await (await ask('/apps', { method: 'POST', body: '{"slug":"x","name":"X"}' })).json()
  const pushed = await ask('/apps/' + app_id + '/draft', { method: 'PUT', body })
  const { error } = await pushed.json()
  await host.close()
  await close()
  const says = async (act) => { try { await act(); return 'nothing' } catch (reason) { return reason.message } }
  const others = [await says(() => spoken({ protocol: 'mcp', command: ['x'] }))]
  const again = await openFolder(process.argv[2])
  const host2 = createHost({ store: again.store, bus: again.bus, blobs: again.blobs, secret: again.secret, runner: null,
    authenticate: () => ({ id: 'ada' }), logger: { ...console, info() {} } })
  const { apps } = await (await host2.fetch(new Request('http://127.0.0.1/api/v1/svc-apps/apps', { headers }))).json()
  await host2.close()
  await again.close()
  console.log(JSON.stringify([error.code, error.details, ...others, apps.map(({ slug }) => slug)]))
}
main()
`

it.each(['esm', 'cjs'] as const)(
  'a host in one file (%s) reads long bodies and keeps a folder, and names what it cannot do',
  async (format) => {
    const dir = mkdtempSync(path.join(tmpdir(), 'svc-one-file-'))
    onTestFinished(() => rmSync(dir, { recursive: true }))
    const outfile = path.join(dir, format === 'esm' ? 'server.mjs' : 'server.cjs')
    await build({
      stdin: { contents: server, resolveDir: path.resolve('packages/conformance') },
      outfile,
      format,
      bundle: true,
      platform: 'node',
      plugins: [embedThread],
      logLevel: 'error',
      banner:
        format === 'esm'
          ? {
              js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)`,
            }
          : {},
    })
    const { stdout } = await promisify(execFile)(process.execPath, [outfile, path.join(dir, 'data')], {
      cwd: dir,
    })
    expect(JSON.parse(stdout)).toEqual([
      'invalid_arg',
      { path: expect.stringContaining('manifest') },
      'no MCP server can be run from a bundle: keep @svc/mcp out of it, as an external package',
      ['x'],
    ])
  },
)
