import { verifies } from '@svc/conformance/verifies'
import { routeRows } from '@svc/contract/routes'
import { pino } from 'pino'
import { afterAll, expect } from 'vitest'
import { createHost } from '../../create-host.ts'

const ORIGIN = 'http://127.0.0.1:8787'
const host = createHost({
  basePath: '/svc',
  signIn: 'dev',
  runner: null,
  logger: pino({ level: 'silent' }),
})
afterAll(() => host.close())

async function send(path: string, method: string) {
  const hasBody = method !== 'GET' && method !== 'DELETE'
  const response = await host.fetch(
    new Request(ORIGIN + path, {
      method,
      headers: { origin: ORIGIN, ...(hasBody && { 'content-type': 'application/json' }) },
      ...(hasBody && { body: '{}' }),
    }),
  )
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return { status: response.status, text, error: isJson ? JSON.parse(text).error : null }
}

const rows = routeRows().flatMap(([name, { method, path, status }]) =>
  status === 101 ? [] : [{ name, method, path: path.replaceAll(/\{\w+\}|\*/g, 'x') }],
)

// The server of the host is asked in `base-path-host.process.test.ts`.
verifies.each('host.config.base_path')(rows)('has $name under it', async ({ method, path }) => {
  const [under, stripped, beside] = [
    await send(`/svc${path}`, method),
    await send(path, method),
    await send(`/svcs${path}`, method),
  ]
  expect(under.text).not.toContain('there is no such route')
  expect([under.status, under.error]).toEqual([stripped.status, stripped.error])
  expect([beside.status, beside.error.message]).toEqual([404, 'there is no such route'])
})
