import { verifies } from '@svc/conformance/verifies'
import { limits as defaults } from '@svc/contract'
import { expect } from 'vitest'
import { openCallSubcalls } from './call-subcalls.ts'

verifies(
  'link.held',
  'a machine that asks without end and reads nothing leaves no more than so much unread',
  async () => {
    const limits = { ...defaults, LINK_QUEUE_MAX_BYTES: 10_000 }
    let waitingBytes = 0
    const subcalls = openCallSubcalls(
      { samplingToken: 'smp_1', onRequest: async () => ({ result: {} }) },
      {
        limits,
        waitingBytes: () => waitingBytes,
        send(_message, body) {
          waitingBytes += body?.length ?? 0
          return { drop: () => false }
        },
      },
    )
    const ask = Buffer.from('{}')
    for (let id = 0; id < 2_000; id++) subcalls.take(id, 'llm/complete', ask)
    await new Promise(setImmediate)
    const full = waitingBytes
    expect(full).toBeGreaterThan(limits.LINK_QUEUE_MAX_BYTES)
    expect(full).toBeLessThan(limits.LINK_QUEUE_MAX_BYTES + 1_000)
    subcalls.refuse(1)
    subcalls.take(2, 'llm/complete', ask)
    await new Promise(setImmediate)
    expect(waitingBytes).toBe(full)
    subcalls.close()
  },
)

verifies.each('subcall.cap')<[string, string, boolean]>([
  ['long', JSON.stringify({ text: 'x'.repeat(100_000) }), true],
  ['long and as rich as it may be', `{"a":[${'1,'.repeat(defaults.SUBCALL_VALUES_MAX - 4)}1]}`, true],
  ['long and richer', `{"a":[${'1,'.repeat(defaults.SUBCALL_VALUES_MAX - 3)}1]}`, false],
  ['long and no object', JSON.stringify(['x'.repeat(100_000)]), false],
  ['long and no JSON', `{"text":"${'x'.repeat(100_000)}`, false],
])('a request that is %s reaches the host where it may', async (_name, body, reaches) => {
  const asked: unknown[] = []
  const { promise: replied, resolve: reply } = Promise.withResolvers<string>()
  const subcalls = openCallSubcalls(
    {
      samplingToken: 'smp_1',
      async onRequest(_method, params) {
        asked.push(params)
        return { result: {} }
      },
    },
    {
      limits: defaults,
      waitingBytes: () => 0,
      send(_message, body) {
        reply(Buffer.from(body ?? []).toString())
        return { drop: () => false }
      },
    },
  )
  subcalls.take(1, 'llm/complete', Buffer.from(body))
  const said = await replied
  expect(asked).toEqual(reaches ? [JSON.parse(body)] : [])
  if (!reaches) expect(said).toContain('invalid_arg')
})
