import { frozenClock } from '@svc/conformance/testing/frozen-clock'
import { expect, it } from 'vitest'
import { createRoutes } from './routes.ts'

it('names the address that is not of a host', async () => {
  const { list } = createRoutes({
    base: '/nohost',
    fetch: async () => new Response('<html>', { status: 404 }),
    clock: frozenClock(),
    signal: new AbortController().signal,
  })
  await expect(list()).rejects.toMatchObject({
    code: 'host_unreachable',
    message: 'the host could not be reached: /nohost/api/v1/svc-apps/windows answered HTTP 404',
    details: { retriable: true, http_status: 404 },
  })
})
