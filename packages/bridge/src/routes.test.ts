import { frozenClock } from '@svc/conformance/testing/frozen-clock'
import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { createRoutes } from './routes.ts'

verifies.each('bridge.foreign')([
  [200, 'host_unreachable', { retriable: false }],
  [302, 'host_unreachable', { retriable: false }],
  [401, 'invalid_token', {}],
  [403, 'host_unreachable', { retriable: false }],
  [404, 'host_unreachable', { retriable: false }],
  [413, 'frame_too_large', {}],
  [429, 'rate_limited', { retriable: true, retry_after_ms: 7_000 }],
  [431, 'host_unreachable', { retriable: false }],
  [502, 'host_unreachable', { retriable: true }],
])('names the address where something else than a host answers: %d', async (status, code, details) => {
  const { list } = createRoutes({
    base: '/nohost',
    fetch: async () =>
      new Response('<html>', { status, headers: { 'content-type': 'text/html', 'retry-after': '7' } }),
    clock: frozenClock(),
    signal: new AbortController().signal,
  })
  const url = '/nohost/api/v1/svc-apps/windows'
  await expect(list()).rejects.toMatchObject({
    code,
    message: expect.stringContaining(`what answered at ${url} is not the host: HTTP ${status}`),
    details: { http_status: status, url, ...details },
  })
})

verifies.each('bridge.late')<[string, (bed: ReturnType<typeof opening>) => void, object]>([
  ['after its time', ({ clock }) => void clock.advance(30_000), { code: 'host_unreachable' }],
  ['when nobody waits', ({ wanted }) => wanted.abort(new Error('enough')), { message: 'enough' }],
])('closes a window that is answered %s', async (_, leave, error) => {
  const bed = opening()
  leave(bed)
  await expect(bed.opened).rejects.toMatchObject(error)
  bed.answer(Response.json({ window_uuid: 'w1' }))
  await expect.poll(() => bed.asked).toEqual(['POST', 'DELETE w1'])
})

verifies('bridge.late', 'waits for a slow host as long as the page says', async () => {
  const bed = opening()
  bed.clock.advance(29_999)
  bed.answer(Response.json({ window_uuid: 'w1' }))
  expect(await bed.opened).toEqual({ window_uuid: 'w1' })
  expect(bed.asked).toEqual(['POST'])
})

/** A window that is being opened, by a page that waits for 30 s. */
function opening() {
  const clock = frozenClock()
  const wanted = new AbortController()
  const asked: string[] = []
  const { promise, resolve: answer } = Promise.withResolvers<Response>()
  const routes = createRoutes({
    base: '/',
    async fetch(url, init) {
      if (init?.method === 'POST') {
        asked.push('POST')
        return promise
      }
      asked.push(`${init?.method} ${String(url).split(/[/?]/).at(-1)}`)
      return Response.json({})
    },
    clock,
    signal: new AbortController().signal,
  })
  const opened = routes.open({ app_id: 'app', view: undefined, payload: undefined }, 30_000, wanted.signal)
  return { clock, wanted, asked, answer, opened }
}
