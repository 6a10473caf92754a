import { cites } from '@svc/conformance/cites'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract/limits'
import { expect, it, vi } from 'vitest'
import type { ServerEvents, ServerProcess } from './server-process.ts'
import { openTransport, wellFormed } from './transport.ts'

cites('mcp.noise', 'mcp.progress')

/** A transport whose server is spoken for by the test. */
async function openBed() {
  const heard: unknown[] = []
  const log: string[] = []
  let events: ServerEvents | undefined
  const server: ServerProcess = {
    listen: (listener) => {
      events = listener
    },
    unread: undefined,
    exitCode: undefined,
    send: (message) => void heard.push({ sent: message }),
    close: async () => {},
    kill() {},
  }
  const transport = openTransport(server, {
    log: (sentence) => log.push(sentence),
    onTooLong: () => heard.push('too long'),
    onEnd: (sentence) => heard.push(sentence),
  })
  transport.onmessage = (message) => void heard.push(message)
  transport.onclose = () => void heard.push('closed')
  await transport.start()
  if (!events) throw new Error('nobody listens')
  return { transport, events, heard, log }
}

it('hands a reply on a turn later than what was told before it', async () => {
  const { events, heard } = await openBed()
  events.onMessage({ id: 1, result: {} })
  events.onMessage({ method: 'notifications/progress' })
  expect(heard).toEqual([{ jsonrpc: '2.0', method: 'notifications/progress' }])
  await new Promise((resolve) => setImmediate(resolve))
  expect(heard[1]).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
})

it('lives on where a message is more than the client can read', async () => {
  const { transport, events, log } = await openBed()
  transport.onmessage = () => {
    throw new RangeError('Maximum call stack size exceeded')
  }
  events.onMessage({ method: 'x' })
  expect(log).toEqual(['skipped a message: RangeError'])
})

it('tells of noise ever less often', async () => {
  const { events, log, heard } = await openBed()
  for (let line = 0; line < 1_000; line++) events.onNoise(Buffer.from('listen…'))
  expect(log.map((sentence) => sentence.match(/\((\d+) in all/)?.[1])).toEqual(['1', '10', '100', '1000'])
  expect(heard).toEqual([])
})

it('says that a line was too long, and how the server ended before it is closed', async () => {
  const { events, heard } = await openBed()
  events.onNoise({ tooLong: 16_777_217 })
  events.onEnd('has ended with exit code 0')
  expect(heard).toEqual(['too long', 'has ended with exit code 0', 'closed'])
})

it.each([
  ['a reply', { id: 1, result: { a: 1 } }, { id: 1, result: { a: 1 } }],
  ['a request', { id: 1, method: 'ping' }, { id: 1, method: 'ping' }],
  ['a notification', { method: 'x', params: {} }, { method: 'x', params: {} }],
  ['an error', { id: 1, error: { code: -1, message: 'a' } }, { id: 1, error: { code: -1, message: 'a' } }],
  ['an error without a code', { id: 1, error: { message: 'a' } }, { id: 1, error: { code: -32_603 } }],
  ['an error that is text', { id: 1, error: 'a' }, { id: 1, error: { code: -32_603, message: 'a' } }],
  ['a code that is text', { id: 1, error: { code: 'E', message: 'a' } }, { error: { message: 'E: a' } }],
  [
    'an error without words',
    { id: 1, error: { code: -1 } },
    { error: { code: -1, message: 'the MCP server answered with an error that says nothing' } },
  ],
  ['an id that became a text', { id: '7', result: {} }, { id: 7, result: {} }],
  ['an id that is a text', { id: 'ask-1', method: 'ping' }, { id: 'ask-1', method: 'ping' }],
  ['a result that is a number', { id: 1, result: 5 }, { id: 1, error: { code: -32_603 } }],
  ['a result that is null', { id: 1, result: null }, { id: 1, error: { code: -32_603 } }],
  ['neither', { id: 1 }, { id: 1, error: { message: 'the MCP server answered with no result' } }],
])('makes %s whole', (_, message, whole) => {
  expect(wellFormed(message)).toMatchObject({ jsonrpc: '2.0', ...whole })
})

verifies.each('mcp.members')([
  ['a reply', { id: 1, result: { a: 1 }, error: null }, { id: 1, result: { a: 1 } }],
  ['a reply', { id: 1, method: null, params: null, result: { a: 1 }, extra: 1 }, { id: 1, result: { a: 1 } }],
  [
    'an error',
    { id: 'a', result: null, error: { code: -1, message: 'no', more: 1 }, at: 5 },
    { id: 'a', error: { code: -1, message: 'no' } },
  ],
  [
    'an error beside a result',
    { id: 1, result: {}, error: { code: -1, message: 'no' } },
    { id: 1, error: { code: -1, message: 'no' } },
  ],
  ['a request', { id: 1, method: 'ping', params: null, error: null, x: 1 }, { id: 1, method: 'ping' }],
  ['a notification', { id: null, method: 'x', params: { a: 1 }, y: 2 }, { method: 'x', params: { a: 1 } }],
])('takes %s out of %j', (_, message, whole) => {
  expect(wellFormed(message)).toEqual({ jsonrpc: '2.0', ...whole })
})

const ask = { jsonrpc: '2.0', id: 1, method: 'tools/call' } as const
const told = { jsonrpc: '2.0', method: 'notifications/initialized' } as const
const nameless = { jsonrpc: '2.0', id: null, error: { code: -32_601, message: 'no such method' } }

verifies.each('mcp.meant')([
  ['a call', [ask], 1],
  ['a call and a notification, which it may be about', [told, ask], 0],
  ['two calls', [ask, { ...ask, id: 2 }], 0],
])('an error without an id is the answer to %s, or not', async (_, sent, count) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { transport, events, heard } = await openBed()
  for (const message of sent) await transport.send(message)
  events.onMessage(nameless)
  vi.advanceTimersByTime(limits.MEANT_LINE_MS)
  vi.useRealTimers()
  const failed = { id: 1, error: { message: expect.stringContaining('an answer that has null as its id') } }
  expect(heard.slice(sent.length)).toMatchObject(count === 1 ? [failed] : [])
})

verifies.each('mcp.hello')([
  ['nothing of itself', {}, '2025-06-18', ''],
  ['its abilities in another way', { capabilities: { tools: true }, serverInfo: null }, '2025-06-18', ''],
  ['a version of its own', { protocolVersion: '1.0', serverInfo: { name: 's' } }, '2025-06-18', 's'],
  ['an older version', { protocolVersion: '2024-11-05' }, '2024-11-05', ''],
])('a server that says %s is taken as it is', async (_, result, protocolVersion, name) => {
  const { transport, events, heard } = await openBed()
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } }
  await transport.send({ ...ask, method: 'initialize', params })
  events.onMessage({ id: 1, result })
  await new Promise((resolve) => setImmediate(resolve))
  const serverInfo = { name, version: '' }
  expect(heard[1]).toMatchObject({ id: 1, result: { protocolVersion, capabilities: {}, serverInfo } })
})

verifies('mcp.members', 'tells of what is neither request, notification nor reply', async () => {
  const { events, heard, log } = await openBed()
  for (const message of [{}, { id: null, error: { code: 1 } }, { id: {}, result: {} }])
    events.onMessage(message)
  await new Promise((resolve) => setImmediate(resolve))
  expect(heard).toEqual([])
  expect(log).toHaveLength(3)
})
