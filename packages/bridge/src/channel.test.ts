import { afterEach, expect, it } from 'vitest'
import { type Channel, createChannel } from './channel.ts'
import type { PortCall } from './guard.ts'

const opened: MessagePort[] = []
afterEach(() => {
  for (const port of opened.splice(0)) port.close()
})

/** A channel, and the document's end of its port. */
function pair() {
  const { port1, port2 } = new MessageChannel()
  opened.push(port1, port2)
  const lists: (readonly PortCall[])[] = []
  const drops: number[] = []
  const heard: unknown[] = []
  let gone = 0
  const waiting: (() => void)[] = []
  const news = () => {
    for (const look of waiting.splice(0)) look()
  }
  const channel: Channel = createChannel(port2, {
    calls: (list) => {
      lists.push(list)
      news()
    },
    drop: (id) => {
      drops.push(id)
      news()
    },
    gone: () => {
      gone++
      news()
    },
  })
  port1.onmessage = ({ data }) => {
    heard.push(data)
    news()
  }
  const until = async (done: () => boolean) => {
    while (!done()) await new Promise<void>((look) => waiting.push(look))
  }
  return { channel, port1, lists, drops, heard, until, gone: () => gone }
}

it('welcomes, takes lists, and answers those of one tick as one list', async () => {
  const { channel, port1, lists, heard, until } = pair()
  channel.welcome(3)
  port1.postMessage([1, 'a', 'b', '{}', 2, 'a', 'c', '{}'])
  await until(() => lists.length === 1)
  expect(lists[0]?.map(({ id, method }) => [id, method])).toEqual([
    [1, 'b'],
    [2, 'c'],
  ])
  channel.answer(2, 'two')
  channel.answer(1, 'one')
  await until(() => heard.length === 2)
  expect(heard).toEqual([{ svc: 'welcome', epoch: 3 }, [2, 'two', 1, 'one']])
})

it('sends a long answer alone, in its order', async () => {
  const { channel, port1, lists, heard, until } = pair()
  port1.postMessage([1, 'a', 'b', '{}', 2, 'a', 'b', '{}', 3, 'a', 'b', '{}'])
  await until(() => lists.length === 1)
  const long = 'x'.repeat(20_000)
  channel.answer(1, 'one')
  channel.answer(2, long)
  channel.answer(3, 'three')
  await until(() => heard.length === 3)
  expect(heard).toEqual([
    [1, 'one'],
    [2, long],
    [3, 'three'],
  ])
})

it('answers a call once, and nobody who gave it up', async () => {
  const { channel, port1, lists, drops, heard, until } = pair()
  port1.postMessage([1, 'a', 'b', '{}', 2, 'a', 'b', '{}'])
  port1.postMessage({ svc: 'drop', id: 2 })
  port1.postMessage({ svc: 'drop', id: 9 })
  await until(() => lists.length === 1 && drops.length === 1)
  channel.answer(1, 'first')
  channel.answer(1, 'second')
  channel.answer(2, 'late')
  channel.answer(5, 'unknown')
  channel.events(['{}'])
  await until(() => heard.length === 2)
  expect(heard).toEqual([[1, 'first'], { svc: 'events', events: ['{}'] }])
  expect(drops).toEqual([2])
})

it('drops a second call under the id of one that waits, in one list too', async () => {
  const { port1, lists, until } = pair()
  port1.postMessage([1, 'a', 'b', '{}', 1, 'a', 'c', '{}'])
  port1.postMessage([1, 'a', 'd', '{}', 2, 'a', 'e', '{}'])
  await until(() => lists.length === 2)
  expect(lists.flat().map(({ method }) => method)).toEqual(['b', 'e'])
})

it('answers a bad item itself, and hands on nothing of it nor of what is not a list', async () => {
  const { port1, lists, heard, until } = pair()
  port1.postMessage('junk')
  port1.postMessage([4, 'a', 'b', 5])
  await until(() => heard.length === 1)
  const [[id, text]] = heard as [[number, string]]
  expect(id).toBe(4)
  expect(JSON.parse(text)).toEqual({
    id: '4',
    ok: false,
    error: { code: 'invalid_arg', message: 'args must be the JSON text of an object' },
  })
  expect(lists).toEqual([])
})

it('answers what waits with bridge_reset when it ends, and ends once', async () => {
  const { channel, port1, lists, heard, until } = pair()
  port1.postMessage([1, 'a', 'b', '{}', 2, 'a', 'b', '{}'])
  await until(() => lists.length === 1)
  channel.end()
  channel.end()
  await until(() => heard.length === 1)
  const list = heard[0] as (number | string)[]
  expect([list[0], list[2]]).toEqual([1, 2])
  expect(JSON.parse(String(list[1])).error.code).toBe('bridge_reset')
})

it('tells when the document is gone', async () => {
  const { port1, until, gone } = pair()
  port1.close()
  await until(() => gone() === 1)
  expect(gone()).toBe(1)
})
