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
