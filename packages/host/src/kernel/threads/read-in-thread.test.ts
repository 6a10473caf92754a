import { rounds } from '@svc/conformance/rounds'
import { openTestHost } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { limits, type RpcResponse } from '@svc/contract'
import { parseExact } from '@svc/contract/exact-json'
import { pause } from '@svc/node'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { readBodyInThread, readObjectInThread } from './read-in-thread.ts'
import { openThreads } from './threads.ts'

const threads = openThreads()
afterAll(() => threads.close())
const read = (text: string) => readBodyInThread(threads, 'ada', Buffer.from(text), limits)
const callOf = (ns: string, method: string, args: string) =>
  `{"id":"1","window_uuid":"w","ns":"${ns}","method":"${method}","args":${args}}`

const numbers = fc.constantFrom('1.0', '-0', '12345678901234567890', '1E5', '7', '"1.0"', '"\\u0061"')
const values = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    numbers,
    fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
    fc.array(tie('node') as fc.Arbitrary<string>, { maxLength: 4 }).map((items) => `[ ${items.join(' , ')}]`),
    fc
      .array(fc.tuple(fc.constantFrom('"a"', '"__proto__"', '"0"'), tie('node') as fc.Arbitrary<string>))
      .map((pairs) => `{${pairs.map(([name, value]) => `${name} : ${value}`).join()}}`),
  ),
})).node as fc.Arbitrary<string>

verifies('pause.apart', 'what goes on as text is what this thread would have written', async () => {
  await fc.assert(
    fc.asyncProperty(values, async (value) => {
      const found = await read(callOf('storage', 'set', `{"key":"k","value":${value}}`))
      if (!('one' in found) || 'problem' in found.one) throw new Error('no call')
      expect(found.one.call).toMatchObject({ ns: 'storage', args: { key: 'k', value: null } })
      expect(found.one.apart?.texts.value?.json).toBe(JSON.stringify(parseExact(value)))
      expect(found.one.apart?.faults).toEqual({})
    }),
    { numRuns: rounds(50) },
  )
})

const MANY = 100_000
const objects = (text: string) => readObjectInThread(threads, 'ada', Buffer.from(text), limits)
verifies.each('pause.apart')([
  ['no UTF-8', () => readBodyInThread(threads, 'ada', Buffer.from([0x7b, 0xff, 0x7d]), limits), /UTF-8/],
  ['no JSON', () => read('{"id":'), /must be JSON/],
  ['too many lists', () => read(callOf('storage', 'set', `{"value":[${'[],'.repeat(MANY)}1]}`)), /may have/],
  [
    'values that come back',
    () => read(callOf('llm', 'complete', `{"messages":[${'1,'.repeat(MANY)}1]}`)),
    /65536/,
  ],
  ['values of a route', () => objects(`{"a":[${'1,'.repeat(MANY)}1]}`), /may have at most 65536 values/],
  ['a route that takes no list', () => objects('[1]'), /must be a JSON object/],
])('a body of %s is refused', async (_name, reading, message) => {
  await expect(reading()).rejects.toMatchObject({
    code: 'invalid_arg',
    message: expect.stringMatching(message),
  })
})

const padded = (args: string) => `${args.slice(0, -1)},"pad":"${' '.repeat(limits.BODY_APART_BYTES)}"}`

test('a long call is judged as a short one', async () => {
  const services = await openTestHost({ manifest: { host_api: { storage: ['*'] }, required_plugs: ['odd'] } })
  const window = await services.openWindow()
  const send = async (ns: string, method: string, args: string) => {
    const answers = await Promise.all(
      [args, padded(args)].map(async (one) => {
        const text = callOf(ns, method, one).replace('"w"', JSON.stringify(window.windowUuid))
        return (await window.post(text)).body as RpcResponse
      }),
    )
    expect(answers[1]).toEqual(answers[0])
    return answers[0]
  }
  const answers = [
    await send('storage', 'set', '{"key":"k","value":1e400}'),
    await send('storage', 'set', '{"key":12345678901234567890,"value":1}'),
    await send('storage', 'list', '{"limit":1.0}'),
    await send('storage', 'list', '{"limit":12345678901234567890}'),
    await send('tools', 'invoke', '{"tool_id":"odd","method":"echo","args":[]}'),
    await send('no', 'such', '{"a":1}'),
    await send('window', 'heartbeat', '{"a":1e400}'),
  ]
  expect(answers.map((answer) => (answer?.ok === false ? answer.error.message : 'ok'))).toEqual([
    'value: 1e400 cannot be kept exactly; send it as a string',
    'key: 12345678901234567890 cannot be kept exactly; send it as a string',
    'ok',
    'limit: 12345678901234567890 cannot be kept exactly; send it as a string',
    expect.stringContaining('args must be an object'),
    expect.stringContaining('not allowed'),
    'ok',
  ])
  await services.close()
})

verifies('pause.apart', 'a short call behind a long one of its window waits for its turn', async () => {
  const services = await openTestHost({ manifest: { host_api: { storage: ['*'] } }, storage: 'persistent' })
  const window = await services.openWindow()
  const value = `[1.0,"${'x'.repeat(limits.BODY_APART_BYTES)}"]`
  const text = callOf('storage', 'set', `{"key":"k","value":${value}}`)
  const taken = Promise.withResolvers<void>()
  const body = new ReadableStream<Uint8Array>(
    {
      start: (stream) => stream.enqueue(Buffer.from(text.replace('"w"', JSON.stringify(window.windowUuid)))),
      // The host has the bytes and asks for more.
      pull(stream) {
        stream.close()
        taken.resolve()
      },
    },
    { highWaterMark: 0 },
  )
  const set = window.post(body)
  await taken.promise
  // What came before is taken in with the end of this turn.
  await pause()
  const got = window.post(
    callOf('storage', 'get', '{"key":"k"}').replace('"w"', JSON.stringify(window.windowUuid)),
  )
  expect((await set).body).toMatchObject({ ok: true })
  expect((await got).text).toContain(`"value":${value}`)
  await services.close()
})
