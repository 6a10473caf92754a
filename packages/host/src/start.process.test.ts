import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { loadedPackages } from '@svc/conformance/testing/loaded-packages'
import { expect, test } from 'vitest'

/** What is loaded with the first request, run, upload or question that needs it. */
const later = [
  '@hono/node-server',
  '@opentelemetry/api',
  'ai',
  'hono',
  'jose',
  'prom-client',
  'tar',
  'undici',
  'ws',
  'yauzl',
  'node:internal/deps/undici/undici',
]

test('a host that listens has loaded nothing that only some requests need', async () => {
  const host = import.meta.resolve('@svc/conformance/testing/listening-host')
  const loaded = await loadedPackages([fileURLToPath(host)])
  expect(loaded).toContain('zod')
  expect(loaded).toContain('node:http')
  expect(loaded.filter((name) => later.includes(name) || name.startsWith('@ai-sdk/'))).toEqual([])
})

test('a notice is given to its end where nothing else keeps the process', async () => {
  const program = `
    import { createHost } from ${JSON.stringify(import.meta.resolve('./index.ts'))}
    await createHost({ runner: null, limits: { LEAVE_NOTICE_MS: 50 } }).close()
    console.log('closed')`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  expect(stdout).toBe('closed\n')
})
