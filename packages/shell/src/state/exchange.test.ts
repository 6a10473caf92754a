import { expect, it } from 'vitest'
import { createExchange, DESCRIBE_MS } from './exchange.ts'

/** Settles when its signal aborts, and no sooner. */
const silent: typeof fetch = (_, init) =>
  new Promise((_resolve, reject) => {
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
  })

/** Answers the head of an answer at once, and its body never. */
const headOnly: typeof fetch = async (_, init) =>
  new Response(
    new ReadableStream({
      start: (body) => init?.signal?.addEventListener('abort', () => body.error(init.signal?.reason)),
    }),
  )

it.each([
  ['nothing', silent, 'GET /api/v1/svc-apps/installs', 10_000],
  ['no body', headOnly, 'GET /api/v1/svc-apps/installs', 10_000],
  ['nothing where a plugin is to be installed first', silent, 'POST /plugs/my/describe', DESCRIBE_MS],
] as const)('gives a host up that answers %s', async (_, fetch, route, ms) => {
  const up = new AbortController()
  const asked: number[] = []
  const exchange = createExchange(fetch, (patienceMs) => {
    asked.push(patienceMs)
    return up.signal
  })
  const distribution = { type: 'local', path: '/opt/w' } as const
  const asking = route.startsWith('GET')
    ? exchange('GET /api/v1/svc-apps/installs')
    : exchange('POST /plugs/my/describe', { body: { distribution } })
  queueMicrotask(() => up.abort())
  await expect(asking).rejects.toMatchObject({
    code: 'host_unreachable',
    message: `the host could not be reached: no answer within ${ms} ms`,
  })
  expect(asked).toEqual([ms])
})

it.each([
  ['a refusal as it is', 400, '{"error":{"code":"invalid_arg","message":"no"}}', 'invalid_arg', 'no'],
  ['a page of a proxy', 502, '<h1>Bad gateway</h1>', 'host_unreachable', 'without JSON'],
  ['an answer of another shape', 500, '{}', 'host_unreachable', 'HTTP 500'],
])('says %s', async (_, status, text, code, sentence) => {
  const exchange = createExchange(async () => new Response(text, { status }))
  const asking = exchange('POST /api/v1/auth/dev-login', { body: { user: 'eva' } })
  await expect(asking).rejects.toMatchObject({ code, message: expect.stringContaining(sentence) })
})

const answering = (body: unknown, headers = {}) => {
  const asked: [string | undefined, string, unknown][] = []
  const fetch: typeof globalThis.fetch = async (url, init) => {
    asked.push([init?.method, String(url), init?.body])
    return Response.json(body, { headers })
  }
  return { asked, exchange: createExchange(fetch) }
}

it.each([
  ['a date', { date: 'Thu, 01 Jan 2026 12:00:00 GMT' }, Date.UTC(2026, 0, 1, 12)],
  ['no date', {}, null],
  ['a date that is none', { date: 'soon' }, null],
])('says when it was answered, by a host with %s', async (_, headers, date) => {
  const { exchange, asked } = answering({ jobs: [], truncated: true }, headers)
  const query = { limit: 100, state: 'queued,running' }
  expect(await exchange('GET /api/v1/svc-apps/jobs', { query })).toEqual({
    value: { jobs: [], truncated: true },
    date,
  })
  expect(asked).toEqual([['GET', '/api/v1/svc-apps/jobs?limit=100&state=queued%2Crunning', undefined]])
})

it('sends what is in a body as JSON, and what is in a path in its place', async () => {
  const { exchange, asked } = answering({ jobId: 'a/b', state: 'cancelled', cancelled: true })
  const params = { job_id: 'a/b' }
  await exchange('POST /api/v1/svc-apps/jobs/{job_id}/cancel', { params, body: { reason: 'why' } })
  expect(asked).toEqual([['POST', '/api/v1/svc-apps/jobs/a%2Fb/cancel', '{"reason":"why"}']])
})
