import { cites, verifies } from '@svc/conformance/verifies'
import { frozenClock } from '@svc/node/testing'
import { expect, it } from 'vitest'
import { answerer } from './answer.ts'
import type { LivePlugin } from './live-plugin.ts'
import { RpcError } from './rpc-error.ts'

cites('stdio.describe')

/** A live plugin on no stream at all. */
function openBed(parts: Partial<LivePlugin>) {
  const out: Record<string, unknown>[] = []
  const plugin = { describe: () => ({ name: 'bed', tools: [] }), call: () => null, ...parts }
  const plugged = answerer(plugin, {
    write: (line) => void out.push(JSON.parse(line)),
    tell: (line) => out.push(JSON.parse(line)) > 0,
    log() {},
    clock: frozenClock(0),
  })
  const take = (message: object) => plugged.take(JSON.stringify(message))
  return { ...plugged, takeText: plugged.take, out, take }
}

it('is asked for its tools each time', async () => {
  let asked = 0
  const bed = openBed({ describe: async () => ({ name: `bed ${++asked}`, tools: [] }) })
  bed.take({ id: 1, method: 'describe' })
  bed.take({ id: 2, method: 'describe' })
  await bed.settled()
  expect(bed.out.map(({ result }) => result)).toEqual([
    { name: 'bed 1', tools: [] },
    { name: 'bed 2', tools: [] },
  ])
})

it.each([
  ['an error', new Error('no luck'), -32_603],
  ['a JSON-RPC error', new RpcError('no luck', -32_001), -32_001],
])('answers %s of its description', async (_, thrown, code) => {
  const bed = openBed({ describe: () => Promise.reject(thrown) })
  bed.take({ id: 1, method: 'describe' })
  await bed.settled()
  expect(bed.out).toEqual([{ jsonrpc: '2.0', id: 1, error: { code, message: 'no luck' } }])
})

it('is settled only when its description was answered', async () => {
  const { promise, resolve } = Promise.withResolvers<{ name: string; tools: [] }>()
  const bed = openBed({ describe: () => promise })
  bed.take({ id: 1, method: 'describe' })
  let isSettled = false
  const settled = bed.settled().then(() => {
    isSettled = true
  })
  await Promise.resolve()
  expect(isSettled).toBe(false)
  resolve({ name: 'bed', tools: [] })
  await settled
  expect(bed.out).toHaveLength(1)
})

it('runs any tool with the arguments as they came', async () => {
  const bed = openBed({ call: async (name, args, { invokeId }) => ({ name, args, invokeId }) })
  bed.take({ id: 'c', method: 'call', params: { name: '__proto__', args: { a: null } } })
  await bed.settled()
  expect(bed.out[0]?.result).toEqual({ output: { name: '__proto__', args: { a: null }, invokeId: 'c' } })
})

verifies('numbers.verbatim', 'hands numbers on as they came', async () => {
  const args = '{"a":1.0,"b":[-0,1E5,1e400],"id":12345678901234567890}'
  const bed = openBed({ call: async (_name, args) => JSON.stringify(args) })
  for (const text of [args, '{}'])
    bed.takeText(`{"id":"c","method":"call","params":{"name":"x","args":${text}}}`)
  await bed.settled()
  expect(bed.out.map(({ result }) => result)).toEqual([{ output: args }, { output: '{}' }])
})

verifies('stdio.failure.error', 'answers an RpcError of a tool with a JSON-RPC error', async () => {
  const bed = openBed({ call: () => Promise.reject(new RpcError('no such tool', -32_602)) })
  bed.take({ id: 'c', method: 'call', params: { name: 'x' } })
  await bed.settled()
  expect(bed.out).toEqual([{ jsonrpc: '2.0', id: 'c', error: { code: -32_602, message: 'no such tool' } }])
})

it.each([[{ name: 1 }], [{}], [{ name: 'x', args: [] }]])('refuses the call %j', (params) => {
  const bed = openBed({})
  bed.take({ id: 'c', method: 'call', params })
  expect(bed.out[0]).toMatchObject({ id: 'c', error: { code: -32_602 } })
})

it('is cancelled like any other', async () => {
  const bed = openBed({
    call: (_, __, { signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  })
  bed.take({ id: 'c', method: 'call', params: { name: 'x' } })
  bed.take({ method: 'cancel', params: { id: 'c', reason: 'enough' } })
  await bed.settled()
  expect(bed.out[0]?.result).toEqual({ success: false, error: 'enough' })
})
