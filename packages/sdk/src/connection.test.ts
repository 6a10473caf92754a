import { frozenClock } from '@svc/conformance/testing/frozen-clock'
import { verifies } from '@svc/conformance/verifies'
import { afterEach, expect, it } from 'vitest'
import { createConnection, type Place } from './connection.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** A document whose parent answers as a test says. */
function place() {
  const clock = frozenClock()
  const hellos: { data: unknown; ports: MessagePort[] }[] = []
  const listeners = new Map<string, (event: unknown) => void>()
  const parent = {
    postMessage(data: unknown, target: string, ports: MessagePort[]) {
      expect(target).toBe('*')
      hellos.push({ data, ports })
      for (const port of ports) closers.push(() => port.close())
    },
  }
  // A stand-in for the document's window: the connection uses these two members only.
  const document = {
    parent,
    addEventListener: (type: string, listener: (event: unknown) => void) => listeners.set(type, listener),
  } as unknown as Place
  const connection = createConnection(document, clock)
  closers.push(() => connection.close())
  /** Answers every call on the newest ports with `{n: its id}`. */
  const serve = () => {
    const port = hellos.at(-1)?.ports[0]
    if (!port) throw new Error('no hello')
    port.onmessage = ({ data }) => {
      if (!Array.isArray(data)) return
      for (let at = 0; at < data.length; at += 4)
        port.postMessage([data[at], `{"id":"${data[at]}","ok":true,"result":{"n":${data[at]}}}`])
    }
    port.postMessage({ svc: 'welcome', epoch: 1 })
  }
  return {
    clock,
    hellos,
    connection,
    serve,
    fire: (type: string, event: unknown = {}) => listeners.get(type)?.(event),
  }
}
const code = (promise: Promise<unknown>) => promise.catch((error) => error.code)

it('says one hello with two ports, and carries the calls of one tick in one list', async () => {
  const { connection, hellos, serve } = place()
  const all = [connection.call('a', 'b'), connection.call('a', 'c')]
  expect(hellos.map(({ data, ports }) => [data, ports.length])).toEqual([[{ svc: 'hello', version: 1 }, 2]])
  serve()
  expect(await Promise.all(all)).toEqual([{ n: 1 }, { n: 2 }])
  expect(await connection.hosted()).toBe(true)
})

it('remembers the answer to its hello', async () => {
  const { connection, serve } = place()
  const first = connection.hello()
  serve()
  expect(await first).toEqual({ n: 1 })
  expect(await connection.hello()).toEqual({ n: 1 })
  expect(await connection.call('window', 'hello')).toEqual({ n: 2 })
})

verifies(
  'design.sdk.not_hosted',
  'is not hosted when nobody answers in 2 s, and tries again with the next call',
  async () => {
    const { connection, hellos, clock, serve } = place()
    const call = code(connection.call('a', 'b'))
    const hosted = connection.hosted()
    clock.advance(1_999)
    expect(connection.isOpen).toBe(true)
    clock.advance(1)
    expect([await call, await hosted, connection.isOpen, clock.timers]).toEqual([
      'not_hosted',
      false,
      false,
      0,
    ])
    const next = connection.call('a', 'b')
    expect(hellos).toHaveLength(2)
    serve()
    expect(await next).toEqual({ n: 2 })
  },
)

const alone: Record<string, unknown> = { addEventListener: () => undefined }
alone.parent = alone

it.each([
  ['no window', undefined],
  ['a window of its own', alone as unknown as Place],
])('is not hosted at once in %s', async (_, document) => {
  const connection = createConnection(document, frozenClock())
  expect(await code(connection.call('a', 'b'))).toBe('not_hosted')
  expect(await code(connection.hello())).toBe('not_hosted')
  expect(await connection.hosted()).toBe(false)
})

verifies.each('design.sdk.bridge_reset')([
  ['the page closes the port', ({ hellos }: ReturnType<typeof place>) => hellos[0]?.ports[0]?.close()],
  ['it is closed', ({ connection }: ReturnType<typeof place>) => connection.close()],
])('settles what waits with bridge_reset when %s', async (_, end) => {
  const at = place()
  const call = code(at.connection.call('a', 'b'))
  end(at)
  expect(await call).toBe('bridge_reset')
  expect([at.connection.isOpen, at.clock.timers]).toEqual([false, 0])
})

verifies(
  ['design.sdk.bridge_reset', 'design.sdk.last_calls'],
  'settles what waits when the document goes away, and still sends what it is told after that',
  async () => {
    const { connection, hellos, fire } = place()
    const before = code(connection.call('a', 'before'))
    fire('pagehide')
    expect(await before).toBe('bridge_reset')
    const after = code(connection.call('a', 'after'))
    const port = hellos[0]?.ports[0]
    const heard: unknown[] = []
    await new Promise<void>((done) => {
      if (port)
        port.onmessage = ({ data }) => {
          heard.push(data[2])
          if (heard.length === 2) done()
        }
    })
    expect([heard, hellos.length]).toEqual([['before', 'after'], 1])
    connection.close()
    expect(await after).toBe('bridge_reset')
  },
)

it('greets anew when the document comes back from the cache', () => {
  const { connection, hellos, fire } = place()
  connection.call('a', 'b').catch(() => undefined)
  fire('pagehide')
  fire('pageshow', { persisted: false })
  expect(hellos).toHaveLength(1)
  fire('pageshow', { persisted: true })
  expect(hellos).toHaveLength(2)
})

it('tells its listeners of the channel, events and resets', async () => {
  const { connection, hellos, serve } = place()
  const heard: unknown[] = []
  const closed = new Promise<void>((done) => {
    connection.listen({
      open: (pageCalls) => heard.push(pageCalls instanceof MessagePort),
      welcome: ({ epoch }) => heard.push(epoch),
      events: ({ events }) => heard.push(events),
      reset: () => heard.push('reset'),
      close: () => done(),
    })
  })
  const call = connection.call('a', 'b')
  serve()
  await call
  const port = hellos[0]?.ports[0]
  port?.postMessage({ svc: 'events', events: ['{}'] })
  port?.postMessage({ svc: 'reset' })
  await connection.call('a', 'b')
  expect(heard).toEqual([true, 1, ['{}'], 'reset'])
  port?.close()
  await closed
})
