import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { openActivity } from '../time/activity.ts'
import { openClocks } from '../time/test-clock.ts'
import { openNetwork } from './network.ts'

const EVENTS = '/api/v1/svc-apps/runtime/events'

/** A network to a host that answers everything in two parts; the second comes when it is let out. */
function open() {
  const activity = openActivity()
  const more = Promise.withResolvers<void>()
  const signals: AbortSignal[] = []
  const parts = async function* () {
    yield Buffer.from('one\n\n')
    await more.promise
    yield Buffer.from('two\n\n')
  }
  const network = openNetwork({
    activity,
    clocks: openClocks(0, activity),
    host: async ({ signal }) => {
      signals.push(signal)
      return new Response(Readable.toWeb(Readable.from(parts())) as ReadableStream<Uint8Array>)
    },
  })
  return { network, more: more.resolve, signals }
}

it.each(['/other', EVENTS])('breaks %s off where a part of the answer has come', async (path) => {
  const { network, signals } = open()
  const { body } = await network.ask(path)
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('one\n\n')
  expect(network.breakAll('gone')).toBe(1)
  await expect(reader.read()).rejects.toThrow('fetch failed: gone')
  expect([signals[0]?.aborted, network.breakAll('gone')]).toEqual([true, 0])
})

it('breaks event streams alone', async () => {
  const { network, more } = open()
  const [stream, other] = [await network.ask(EVENTS), await network.ask('/other')]
  expect(network.breakStreams('cut')).toBe(1)
  more()
  await expect(stream.text()).rejects.toThrow('fetch failed: cut')
  expect(await other.text()).toBe('one\n\ntwo\n\n')
})

it('has nothing open of an answer that was read, and of one that nobody wants any more', async () => {
  const { network, more } = open()
  more()
  await (await network.ask(EVENTS)).text()
  const gone = new AbortController()
  await network.ask(EVENTS, { signal: gone.signal })
  gone.abort()
  const { body } = await network.ask('/other')
  await body?.cancel()
  expect(network.breakAll('gone')).toBe(0)
})
