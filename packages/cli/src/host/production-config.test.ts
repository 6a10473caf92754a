import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createHost } from '@svc/host'
import { expect, it, onTestFinished, vi } from 'vitest'
import { readServeConfig } from './serve-config.ts'

const guide = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/guides/operating.md'), 'utf8')
const [, config = ''] = /^```js\n(export default \{.*?\n\}\n)```$/ms.exec(guide) ?? []

it('the config for production of the guide is one that svc serve takes', async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-production-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  vi.stubEnv('SVC_OPERATOR_TOKEN', 'o'.repeat(32))
  vi.stubEnv('SVC_METRICS_TOKEN', 'm'.repeat(32))
  onTestFinished(() => void vi.unstubAllEnvs())
  const userOf = 'const userOf = async ({ headers }) => ({ id: headers.get("cookie"), at: 0 })\n'
  writeFileSync(path.join(dir, 'svc.config.js'), userOf + config)
  const { port, address, data, durability, backup, ...options } = await readServeConfig(undefined, dir)
  expect({ port, address, data, durability, backup }).toEqual({
    port: 8787,
    address: '127.0.0.1',
    data: path.join(dir, 'svc-data'),
    durability: { records: 'power', journals: 'process' },
    backup: { dir: path.join(dir, 'backups'), at: '03:00', keep: 7 },
  })
  expect(options.apps).toMatchObject([{ dir: path.join(dir, 'bundles/notes') }])
  const host = createHost({ ...options, apps: [], isolation: 'none' })
  onTestFinished(() => host.close())
  const signedIn = new Request('http://host.test/', { headers: { cookie: 'ada' } })
  expect(await options.authenticate?.(signedIn)).toEqual({ id: 'ada', at: 0 })
})
