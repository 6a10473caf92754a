import { frozenClock } from '@svc/conformance/testing/frozen-clock'
import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { createCalls } from './calls.ts'
import { ownError } from './errors.ts'

function calls() {
  const clock = frozenClock()
  const sent: [number, string, string, string][] = []
  const drops: number[] = []
  const sender = {
    call: (...call: (typeof sent)[0]) => void sent.push(call),
    drop: (id: number) => void drops.push(id),
  }
  const made = createCalls(() => sender, clock)
  return { clock, sent, drops, calls: made }
}
const code = (promise: Promise<unknown>) => promise.catch((error) => error.code)

it('sends the arguments as text and answers with the result', async () => {
  const { calls: made, sent } = calls()
  const one = made.call('storage', 'get', { key: 'k' })
  const two = made.call('window', 'ready', undefined)
  expect(sent).toEqual([
    [1, 'storage', 'get', '{"key":"k"}'],
    [2, 'window', 'ready', '{}'],
  ])
  made.answer(2, '{"id":"2","ok":true,"result":{}}')
  made.answer(1, '{"id":"1","ok":true,"result":{"value":5}}')
  made.answer(1, '{"id":"1","ok":true,"result":{"value":6}}')
  made.answer(99, 'nobody')
  expect(await Promise.all([one, two])).toEqual([{ value: 5 }, {}])
})

it('makes an error of a refusal, and of text that is not an envelope', async () => {
  const { calls: made } = calls()
  const one = code(made.call('storage', 'get', {}))
  const two = code(made.call('storage', 'get', {}))
  made.answer(1, '{"id":"1","ok":false,"error":{"code":"not_found","message":"m"}}')
  made.answer(2, '<html>')
  expect([await one, await two]).toEqual(['not_found', 'internal_error'])
})

const circle: Record<string, unknown> = {}
circle.self = circle

it.each([
  ['a circle', circle, undefined],
  ['a big integer', { n: 1n }, undefined],
  ['a list', [], undefined],
  ['null', null, undefined],
  ['a text', '{', undefined],
  ['a function', () => undefined, undefined],
  ['a wait that is not a number', {}, { timeoutMs: Number.NaN }],
  ['a wait below zero', {}, { timeoutMs: -1 }],
])('refuses %s without sending', async (_, args, options) => {
  const { calls: made, sent } = calls()
  expect(await code(made.call('storage', 'set', args, options))).toBe('invalid_arg')
  expect(sent).toEqual([])
})

verifies('design.sdk.timeout', 'times out on one timer, each call at its own deadline', async () => {
  const { calls: made, clock, drops } = calls()
  const long = code(made.call('storage', 'get', {}))
  const short = code(made.call('storage', 'get', {}, { timeoutMs: 50 }))
  const middle = code(made.call('storage', 'get', {}, { timeoutMs: 60 }))
  clock.advance(50)
  expect(await short).toBe('timeout')
  expect([drops, clock.timers]).toEqual([[2], 1])
  clock.advance(10)
  expect(await middle).toBe('timeout')
  clock.advance(69_940)
  expect(await long).toBe('timeout')
  expect(clock.timers).toBe(0)
})

it('waits as long as hello told for a tool', async () => {
  const { calls: made, clock } = calls()
  const hello = made.call('window', 'hello', {})
  made.answer(1, '{"id":"1","ok":true,"result":{"capabilities":{"tool_timeout_ms":80000}}}')
  await hello
  let settled = false
  const call = code(made.call('tools', 'invoke', {})).finally(() => {
    settled = true
  })
  clock.advance(84_999)
  await Promise.resolve()
  expect(settled).toBe(false)
  clock.advance(1)
  expect(await call).toBe('timeout')
})

verifies('design.sdk.abort', 'is given up by its signal, before and after it is sent', async () => {
  const { calls: made, sent, drops } = calls()
  expect(await code(made.call('a', 'b', {}, { signal: AbortSignal.abort() }))).toBe('cancelled')
  expect(sent).toEqual([])
  const stop = new AbortController()
  const call = code(made.call('a', 'b', {}, { signal: stop.signal }))
  stop.abort()
  expect(await call).toBe('cancelled')
  expect(drops).toEqual([1])
})

it('leaves no listener on a signal', async () => {
  const { calls: made, drops } = calls()
  const stop = new AbortController()
  const call = made.call('a', 'b', {}, { signal: stop.signal })
  made.answer(1, '{"id":"1","ok":true,"result":{}}')
  await call
  stop.abort()
  expect(drops).toEqual([])
})

verifies('design.sdk.settles', 'fails all that waits at once, and is good for more', async () => {
  const { calls: made, clock } = calls()
  const all = [1, 2, 3].map(() => code(made.call('a', 'b', {})))
  made.failAll((name) => ownError('bridge_reset', name))
  expect(await Promise.all(all)).toEqual(Array(3).fill('bridge_reset'))
  expect(clock.timers).toBe(0)
  const next = code(made.call('a', 'b', {}, { timeoutMs: 5 }))
  clock.advance(5)
  expect(await next).toBe('timeout')
})
