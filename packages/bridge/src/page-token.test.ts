import { frozenClock } from '@svc/conformance/testing/frozen-clock'
import { verifies } from '@svc/conformance/verifies'
import { BEARER_PROTOCOL } from '@svc/contract/wire'
import { expect, it } from 'vitest'
import { fetchWithToken } from './page-token.ts'

const KEPT_MS = 120_000
const WAIT_MS = 10_000

/** A host that takes the tokens of a set, and a backend that returns the next of a list. */
function open(
  tokens: readonly (string | null | Error | 'never')[],
  takes: readonly string[] = ['a', 'b', 'c'],
) {
  const clock = frozenClock()
  const sent: (RequestInit | undefined)[] = []
  const taken = new Set(takes)
  const protocols = ['svc.calls.1']
  let asked = 0
  const token = async () => {
    const next = tokens[Math.min(asked, tokens.length - 1)] ?? null
    asked += 1
    if (next === 'never') return new Promise<never>(() => {})
    if (next instanceof Error) throw next
    return next
  }
  const fetch = fetchWithToken(
    token,
    async (_input, init) => {
      sent.push(init)
      const shown = new Headers(init?.headers).get('authorization')?.slice('Bearer '.length) ?? ''
      return Response.json({}, { status: taken.has(shown) ? 200 : 401 })
    },
    clock,
    protocols,
    BEARER_PROTOCOL,
  )
  const shown = () => sent.map((init) => new Headers(init?.headers).get('authorization'))
  return { clock, fetch, sent, shown, taken, protocols, asked: () => asked }
}

verifies('bridge.page_token', 'is sent without a cookie, beside what a request has', async () => {
  const { fetch, sent, protocols } = open(['a'])
  await fetch('https://host.net/x', { credentials: 'include', method: 'POST', headers: { accept: 'x/y' } })
  expect(sent).toEqual([
    { credentials: 'omit', method: 'POST', headers: { accept: 'x/y', authorization: 'Bearer a' } },
  ])
  expect(protocols).toEqual(['svc.calls.1', 'svc.bearer.a'])
})

verifies(
  'bridge.page_token',
  'is asked for once by requests of one time, and again after two minutes',
  async () => {
    const { clock, fetch, asked, shown, protocols } = open(['a', 'b'])
    await Promise.all([fetch('/1'), fetch('/2'), fetch('/3')])
    await clock.advance(KEPT_MS - 1)
    await fetch('/4')
    expect(asked()).toBe(1)
    await clock.advance(1)
    await Promise.all([fetch('/5'), fetch('/6')])
    expect(asked()).toBe(2)
    expect(shown().at(-1)).toBe('Bearer b')
    expect(protocols[1]).toBe('svc.bearer.b')
    expect(clock.timers).toBe(0)
  },
)

verifies(
  'bridge.page_token',
  'is asked for once more where the host refuses it, by all together',
  async () => {
    const { fetch, asked, taken } = open(['a', 'b'])
    await fetch('/1')
    taken.delete('a')
    const answers = await Promise.all([fetch('/2'), fetch('/3'), fetch('/4')])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(asked()).toBe(2)
  },
)

it('is refused for good by a host that takes none: two requests each, no more', async () => {
  const { fetch, sent } = open(['x', 'y', 'z'])
  expect((await fetch('/1')).status).toBe(401)
  expect(sent).toHaveLength(2)
})

it('that is not there is a refusal of its own, and is asked for each time', async () => {
  const { fetch, sent, asked } = open([null, null, 'a'])
  const refused = await fetch('/1')
  expect([refused.status, refused.headers.get('content-type'), await refused.json()]).toEqual([
    401,
    'application/json',
    { error: { code: 'invalid_token', message: 'the page has no token' } },
  ])
  expect(sent).toEqual([])
  await fetch('/2')
  expect((await fetch('/3')).status).toBe(200)
  expect(asked()).toBe(3)
})

it('that fails, or never comes, fails the request with its cause', async () => {
  const cause = new Error('the backend is down')
  const { clock, fetch } = open([cause, 'never', 'a'])
  await expect(fetch('/1')).rejects.toMatchObject({
    message: 'token() of the page failed: Error: the backend is down',
    cause,
  })
  const late = expect(fetch('/2')).rejects.toThrow(`nothing within ${WAIT_MS} ms`)
  await clock.advance(WAIT_MS)
  await late
  expect((await fetch('/3')).status).toBe(200)
  expect(clock.timers).toBe(0)
})

it.each([
  ['a.b-c_d', ['svc.calls.1', 'svc.bearer.a.b-c_d']],
  ['a/b=', ['svc.calls.1']],
  [null, ['svc.calls.1']],
])('%s is offered to a socket where one can have it', async (token, offered) => {
  const { fetch, protocols } = open([token])
  await fetch('/1')
  expect(protocols).toEqual(offered)
})

it('is not asked for by what a page sends as it goes', async () => {
  const { clock, fetch, asked, shown } = open(['a', 'b'])
  await fetch('/1')
  await clock.advance(KEPT_MS)
  await fetch('/2', { method: 'DELETE', keepalive: true })
  expect([asked(), shown()]).toEqual([1, ['Bearer a', 'Bearer a']])
})
