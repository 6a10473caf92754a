import { expect, it } from 'vitest'
import { createFeed } from './feed.ts'
import { settled } from './testing/call.ts'
import { readAll } from './testing/session.ts'

const twice = (item: number) => [item, item]

it('gives everybody everything from the beginning, whenever they come', async () => {
  const feed = createFeed<number>()
  feed.add(1, false)
  const all = feed.read(twice)
  const early = [readAll(all), readAll(all)]
  await settled()
  feed.add(2, false)
  feed.add(3, true)
  const late = readAll(feed.read((item) => (item === 2 ? [] : [item])))
  expect(await Promise.all([...early, late])).toEqual([
    [1, 1, 2, 2, 3, 3],
    [1, 1, 2, 2, 3, 3],
    [1, 3],
  ])
})

it('answers several who wait on one loop in their order', async () => {
  const feed = createFeed<number>()
  const items = feed.read(twice)[Symbol.asyncIterator]()
  const asked = [items.next(), items.next(), items.next(), items.next()]
  await settled()
  feed.add(1, false)
  await settled()
  feed.add(2, true)
  expect((await Promise.all(asked)).map(({ value }) => value)).toEqual([1, 1, 2, 2])
  expect(await items.next()).toEqual({ value: undefined, done: true })
})

it('lets go of a loop that is left while it waits', async () => {
  const feed = createFeed<number>()
  feed.add(1, false)
  const items = feed.read(twice)[Symbol.asyncIterator]()
  await items.next()
  expect(await items.return?.()).toEqual({ value: undefined, done: true })
  expect(await items.next()).toEqual({ value: undefined, done: true })
  const other = feed.read((item) => [item])[Symbol.asyncIterator]()
  await other.next()
  const waits = other.next()
  await settled()
  await other.return?.()
  expect(await waits).toEqual({ value: undefined, done: true })
})

it('ends a reading with what its pick throws', async () => {
  const feed = createFeed<number>()
  feed.add(1, false)
  feed.add(2, true)
  const failing = feed.read((item) => {
    if (item === 2) throw new Error('two')
    return [item]
  })
  expect(await readAll(failing)).toEqual([1, new Error('two')])
})

it('calls back for what was there and what comes, until it is stopped', async () => {
  const feed = createFeed<number>()
  const heard: string[] = []
  feed.add(1, false)
  const stop = feed.subscribe((item) => heard.push(`a${item}`))
  feed.subscribe((item) => heard.push(`never ${item}`))()
  feed.add(2, false)
  expect(heard).toEqual([])
  await settled()
  feed.add(3, false)
  stop()
  feed.add(4, true)
  feed.subscribe((item) => heard.push(`b${item}`))
  await settled()
  expect(heard).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'b4'])
})

it('gives each item to all who came in one tick before the next one, and to later ones by themselves', async () => {
  const feed = createFeed<number>()
  const heard: string[] = []
  const hear = (name: string) => feed.subscribe((item) => heard.push(`${name}${item}`))
  feed.add(1, false)
  hear('a')
  feed.add(2, false)
  feed.subscribe((item) => {
    heard.push(`b${item}`)
    if (item === 2) {
      hear('c')
      hear('d')
    }
    if (item === 3) feed.add(4, true)
  })
  feed.add(3, false)
  await settled()
  expect(heard).toEqual([
    'a1',
    'b1',
    'a2',
    'b2',
    'a3',
    'b3',
    'a4',
    'b4',
    'c1',
    'd1',
    'c2',
    'd2',
    'c3',
    'd3',
    'c4',
    'd4',
  ])
})
