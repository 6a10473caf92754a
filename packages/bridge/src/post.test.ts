import { frozenClock } from '@svc/conformance/testing/frozen-clock'
import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { failure } from './bridge-error.ts'
import { carryByPost } from './carry.ts'
import { createPost } from './post.ts'
import type { Call } from './texts.ts'
import type { TokenKeeper } from './token.ts'

interface Asked {
  readonly token: string | null
  readonly body: unknown
}

/** POSTs against scripted responses; `refused` is what a renewal answers. */
async function post(
  ids: string[],
  responses: (Response | Error)[],
  refused: () => Promise<string> = async () => 'renewed',
) {
  const asked: Asked[] = []
  const clock = frozenClock()
  const token: TokenKeeper = {
    current: () => 'held',
    next: refused,
    renew: refused,
    stop: () => undefined,
  }
  const answers: Record<string, unknown> = {}
  const calls: Call[] = ids.map((id) => ({
    id,
    ns: 'storage',
    method: 'get',
    args: '{}',
    answer: () => undefined,
  }))
  const send = createPost({
    windowUuid: 'w',
    token,
    clock,
    carry: carryByPost('/rpc', async (_, init) => {
      asked.push({
        token: new Headers(init?.headers).get('x-svc-app-token'),
        body: JSON.parse(String(init?.body)),
      })
      const response = responses.shift()
      if (response instanceof Error) throw response
      return response ?? Response.error()
    }),
  })
  await send(
    calls,
    (call, text) => {
      answers[call.id] = JSON.parse(text)
    },
    new AbortController().signal,
  )
  return { asked, answers, timers: clock.timers }
}

const text = (body: string, status = 200) => new Response(body, { status })
const ok = (id: string) => `{"id":"${id}","ok":true,"result":{}}`
const refusal = (code: string) => `{"id":"","ok":false,"error":{"code":"${code}","message":"m"}}`
const failed = (id: string, code: string) => ({ id, ok: false, error: { code, message: 'm' } })

it('sends one call as an envelope and several as an array', async () => {
  const one = await post(['1'], [text(ok('1'))])
  expect(one.asked).toMatchObject([{ token: 'held', body: { id: '1', window_uuid: 'w' } }])
  expect(one.answers).toEqual({ 1: { id: '1', ok: true, result: {} } })
  const two = await post(['1', '2'], [text(`${ok('2')}\n${ok('1')}\n`)])
  expect(two.asked).toMatchObject([{ body: [{ id: '1' }, { id: '2' }] }])
  expect(two.answers).toEqual({ 1: { id: '1', ok: true, result: {} }, 2: { id: '2', ok: true, result: {} } })
  expect([one.timers, two.timers]).toEqual([0, 0])
})

verifies('wall.token.retry', 'renews a refused token and repeats the POST once', async () => {
  const { asked, answers } = await post(['1'], [text(refusal('invalid_token'), 401), text(ok('1'))])
  expect(asked.map(({ token }) => token)).toEqual(['held', 'renewed'])
  expect(answers).toEqual({ 1: { id: '1', ok: true, result: {} } })
})

it.each([
  ['a refusal of the whole', () => [text(refusal('permission_denied'), 403)], 'permission_denied'],
  [
    'a token refused twice',
    () => [text(refusal('invalid_token'), 401), text(refusal('invalid_token'), 401)],
    'invalid_token',
  ],
])('answers every call with %s', async (_, responses, code) => {
  expect((await post(['1'], responses())).answers).toEqual({ 1: failed('1', code) })
  expect((await post(['1', '2'], responses())).answers).toEqual({
    1: failed('1', code),
    2: failed('2', code),
  })
})

it.each([
  ['the network fails', new TypeError('Failed to fetch')],
  ['a proxy answers', text('<html>', 502)],
  ['the answer is for another', text(ok('9'))],
  ['the stream is cut', text('')],
])('answers host_unreachable when %s', async (_, response) => {
  const { answers } = await post(['1', '2'], [response])
  for (const id of ['1', '2'])
    expect(answers[id]).toMatchObject({
      id,
      error: { code: 'host_unreachable', details: { retriable: true } },
    })
})

it('keeps the answers that came before the stream was cut', async () => {
  const { answers } = await post(['1', '2'], [text(`${ok('2')}\n{"id":"1","ok":tr`)])
  expect(answers).toMatchObject({ 2: { ok: true } })
})

it('says why a token was not renewed', async () => {
  const { answers } = await post(['1'], [text(refusal('invalid_token'), 401)], async () => {
    throw failure('not_found', 'the window is gone')
  })
  expect(answers).toMatchObject({
    1: { ok: false, error: { code: 'not_found', message: 'the window is gone' } },
  })
})
