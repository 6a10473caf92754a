import { fileURLToPath } from 'node:url'
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
