import { Console } from 'node:console'
import { PassThrough } from 'node:stream'
import { inspect } from 'node:util'
import { verifies } from '@svc/conformance/verifies'
import { methodRows } from '@svc/contract'
import { expect, it } from 'vitest'
import { createClient, createNamespace } from './proxy.ts'

const seen: unknown[] = []
const client = createClient(
  async (...call) => {
    seen.push(call)
    return 'answer'
  },
  { on: 'beside' },
) as unknown as Record<
  string,
  Record<string, ((...args: unknown[]) => unknown) & Record<string, CallableFunction>>
>

it('makes a call of a path', async () => {
  const { storage, agent } = client
  expect(await storage?.get?.({ key: 'k' }, { timeoutMs: 5 })).toBe('answer')
  await agent?.session?.create?.({})
  expect(seen).toEqual([
    ['storage', 'get', { key: 'k' }, { timeoutMs: 5 }],
    ['agent', 'session.create', {}, undefined],
  ])
})

it('can be awaited, printed and spread without calling anything', async () => {
  const before = seen.length
  expect(await client).toBe(client)
  expect(await client.storage?.get).toBe(client.storage?.get)
  expect(String(client)).toBe('[object Object]')
  expect({ ...client }).toEqual({ on: 'beside' })
  expect(Object.is(client.storage?.get, client.storage?.get)).toBe(true)
  expect(seen).toHaveLength(before)
})

verifies.each('design.sdk.no_probes')([
  ['JSON.stringify', (thing: unknown) => JSON.stringify({ thing })],
  ['await', async (thing: unknown) => await thing],
  ['util.inspect', (thing: unknown) => inspect(thing, { showProxy: false, getters: true })],
  ['console.log', (thing: unknown) => new Console(new PassThrough()).log(thing)],
  ['expect', (thing: unknown) => expect(thing).not.toEqual({ a: 1 })],
  ['a text', (thing: unknown) => `${thing}`],
])('no part of it is called by %s', async (_, look) => {
  const before = seen.length
  for (const part of [client, client.storage, client.storage?.get, client.agent?.session]) await look(part)
  expect(seen).toHaveLength(before)
})

verifies('design.sdk.no_probes', 'a name that anything may be asked for is no method', () => {
  const names = ['toJSON', 'then', 'asymmetricMatch', '$$typeof', '_isMockFunction', '@@iterator']
  const get = client.storage?.get as unknown as Record<string, unknown>
  for (const part of [client, client.storage, get] as Record<string, unknown>[])
    expect(names.filter((name) => part[name] !== undefined)).toEqual([])
})

it('has every method of the table', () => {
  const found = methodRows().map(([ns, method]) =>
    method.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], client[ns]),
  )
  expect(new Set(found.map((one) => typeof one))).toEqual(new Set(['function']))
})

it('lets a method be bound and called as a function is', async () => {
  const get = client.storage?.get
  expect(await get?.bind(null, { key: 'b' })()).toBe('answer')
  expect(seen.at(-1)).toEqual(['storage', 'get', { key: 'b' }, undefined])
})

it('has helpers beside the methods of a namespace', async () => {
  const called: unknown[] = []
  const tools = createNamespace(async (...call) => called.push(call), 'tools', {
    job: () => 'helper',
  }) as Record<string, CallableFunction>
  expect(tools.job?.()).toBe('helper')
  await tools.list?.({})
  expect(called).toEqual([['tools', 'list', {}, undefined]])
})
