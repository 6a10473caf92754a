import { tool } from '@svc/plugin'
import { afterEach, expect, it } from 'vitest'
import { createTestHost, type TestHost, type TestHostOptions } from '../index.ts'

const manifest = {
  schema: 3,
  name: 'Counter',
  ui: { bundle: { entry: 'index.html' }, views: [{ name: 'main' }] },
  required_plugs: [{ handle: 'counter' }],
}

let host: TestHost
afterEach(() => host.close())

async function open(tools: TestHostOptions['tools']) {
  host = await createTestHost({ manifest, ...(tools && { tools }) })
  return host.openWindow()
}

it('calls a function by the name of its plugin and its own', async () => {
  const { svc } = await open({ counter: { add: ({ a, b }) => ({ sum: a + b }) } })
  const args = { a: 1, b: 2 }
  expect(await svc.tools.invoke({ tool_id: 'counter', method: 'add', args })).toEqual({ sum: 3 })
  expect(await svc.tools.invoke({ tool_id: 'counter.add', args })).toEqual({ sum: 3 })
  expect((await svc.tools.list()).tools).toMatchObject([
    { plugin_name: 'counter', tool_name: 'add', status: 'available' },
  ])
})

it('checks the arguments of a tool that says which it takes', async () => {
  const add = tool({ parameters: [{ name: 'a', type: 'number', required: true }], run: ({ a }) => ({ a }) })
  const { svc } = await open({ counter: { add } })
  await expect(svc.tools.invoke({ tool_id: 'counter', method: 'add', args: {} })).rejects.toMatchObject({
    code: 'plug_error',
  })
})

it('fails as a tool fails that throws, or answers too much', async () => {
  const { svc } = await open({
    counter: {
      fail: () => {
        throw new Error('no numbers')
      },
      large: () => 'x'.repeat(4_194_304),
    },
  })
  await expect(svc.tools.invoke({ tool_id: 'counter', method: 'fail' })).rejects.toMatchObject({
    code: 'tool_failed',
    details: { error: 'no numbers' },
  })
  await expect(svc.tools.invoke({ tool_id: 'counter', method: 'large' })).rejects.toMatchObject({
    code: 'result_too_large',
  })
})

it('runs a job, with its progress', async () => {
  const { svc } = await open({
    counter: {
      async count({ to }, { progress }) {
        for (let at = 1; at <= to; at++) progress({ at })
        return { to }
      },
    },
  })
  const heard: unknown[] = []
  const done = svc.tools.invokeAsyncAwait(
    { tool_id: 'counter', method: 'count', args: { to: 3 } },
    { onProgress: ({ data }) => heard.push(data) },
  )
  await host.clock.advance(1_000)
  expect(await done).toEqual({ to: 3 })
  expect(heard).toEqual([{ at: 1 }, { at: 2 }, { at: 3 }])
})

it('ends a call at its timeout by the clock', async () => {
  const { svc } = await open({
    counter: {
      hang: (_, { signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    },
  })
  const asked = svc.tools.invoke({ tool_id: 'counter', method: 'hang', timeoutMs: 2_000 }).catch((e) => e)
  await host.clock.advance(5_000)
  expect(await asked).toMatchObject({ code: 'tool_timeout' })
})
