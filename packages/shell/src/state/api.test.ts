import { describe, expect, it } from 'vitest'
import { createApi } from './api.ts'

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
  ['nothing', silent],
  ['no body', headOnly],
])('gives a host up that answers %s', async (_, fetch) => {
  const up = new AbortController()
  const asked: number[] = []
  const api = createApi(fetch, (ms) => {
    asked.push(ms)
    return up.signal
  })
  const asking = api.installs()
  queueMicrotask(() => up.abort())
  await expect(asking).rejects.toMatchObject({
    code: 'host_unreachable',
    message: 'the host could not be reached: no answer within 10000 ms',
  })
  expect(asked).toEqual([10_000])
})

it.each([
  ['a refusal as it is', 400, '{"error":{"code":"invalid_arg","message":"no"}}', 'invalid_arg', 'no'],
  ['a page of a proxy', 502, '<h1>Bad gateway</h1>', 'host_unreachable', 'without JSON'],
  ['an answer of another shape', 500, '{}', 'host_unreachable', 'HTTP 500'],
])('says %s', async (_, status, text, code, sentence) => {
  const api = createApi(async () => new Response(text, { status }))
  await expect(api.signIn('eva')).rejects.toMatchObject({ code, message: expect.stringContaining(sentence) })
})

const answering = (body: unknown, headers = {}) => {
  const asked: [string, unknown][] = []
  const fetch: typeof globalThis.fetch = async (url, init) => {
    asked.push([String(url), init?.body])
    return Response.json(body, { headers })
  }
  return { asked, api: createApi(fetch) }
}

describe('the routes of jobs', () => {
  it.each([
    ['a date', { date: 'Thu, 01 Jan 2026 12:00:00 GMT' }, Date.UTC(2026, 0, 1, 12)],
    ['no date', {}, null],
    ['a date that is none', { date: 'soon' }, null],
  ])('are read by state, from a host with %s', async (_, headers, date) => {
    const { api, asked } = answering({ jobs: [], truncated: true }, headers)
    expect(await api.jobs(['queued', 'running'])).toEqual({ jobs: [], truncated: true, date })
    expect(asked).toEqual([['/api/v1/svc-apps/jobs?limit=100&state=queued%2Crunning', undefined]])
  })

  it.each([
    ['with a reason', 'why', '{"reason":"why"}'],
    ['without one', '', '{}'],
  ])('cancel %s', async (_, reason, body) => {
    const { api, asked } = answering({ jobId: 'a/b', state: 'cancelled', cancelled: true })
    expect(await api.cancelJob('a/b', reason)).toMatchObject({ cancelled: true })
    expect(asked).toEqual([['/api/v1/svc-apps/jobs/a%2Fb/cancel', body]])
  })
})

describe('the routes of sessions', () => {
  it.each([true, false])('are read with ended ones: %s', async (withEnded) => {
    const { api, asked } = answering({ sessions: [] })
    expect(await api.sessions(withEnded)).toEqual([])
    expect(asked).toEqual([[`/api/v1/svc-apps/sessions?limit=100&include_expired=${withEnded}`, undefined]])
  })

  it('end', async () => {
    const { api, asked } = answering({ deleted: true })
    await api.endSession('aps_a/b')
    expect(asked).toEqual([['/api/v1/svc-apps/sessions/aps_a%2Fb', undefined]])
  })
})
