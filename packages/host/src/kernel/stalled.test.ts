import { globSync, readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import path from 'node:path'
import { frozenClock } from '@svc/node/testing'
import { expect, it } from 'vitest'
import { openReaders, openStallTimer } from './stalled.ts'

const READER_STALLED_MS = 30_000

function timer() {
  const clock = frozenClock()
  const reader = { taken: 0, stalls: 0 }
  const stallTimer = openStallTimer({
    clock,
    limits: { READER_STALLED_MS },
    taken: () => reader.taken,
    onStalled() {
      reader.stalls += 1
    },
  })
  return { clock, reader, stallTimer }
}

it('tells once of a reader that took nothing, however often it was started', async () => {
  const { clock, reader, stallTimer } = timer()
  stallTimer.start()
  await clock.advance(READER_STALLED_MS - 1)
  stallTimer.start()
  expect(reader.stalls).toBe(0)
  await clock.advance(1)
  expect([reader.stalls, clock.timers]).toEqual([1, 0])
})

it('waits on for a reader that took a byte', async () => {
  const { clock, reader, stallTimer } = timer()
  stallTimer.start()
  for (let times = 0; times < 5; times += 1) {
    reader.taken += 1
    await clock.advance(READER_STALLED_MS)
  }
  expect(reader.stalls).toBe(0)
  await clock.advance(READER_STALLED_MS)
  expect(reader.stalls).toBe(1)
})

it('begins anew after it was stopped', async () => {
  const { clock, reader, stallTimer } = timer()
  stallTimer.start()
  await clock.advance(READER_STALLED_MS - 1)
  stallTimer.stop()
  expect(clock.timers).toBe(0)
  stallTimer.start()
  await clock.advance(READER_STALLED_MS - 1)
  expect(reader.stalls).toBe(0)
})

/** A connection with ten bytes in its buffer, and a hundred that the kernel has not taken. */
function connection() {
  const socket = {
    writableLength: 10,
    destroyed: false,
    _handle: { bytesWritten: 100, writeQueueSize: 100 },
    destroy() {
      socket.destroyed = true
    },
  }
  return { socket, watched: socket as unknown as Socket }
}

const LOOK_MS = READER_STALLED_MS / 30

it.each([
  ['takes nothing', 30, () => {}, true],
  ['takes nothing, and is not due yet', 29, () => {}, false],
  ['takes nothing while more is written', 30, (one) => more(one, 5), true],
  ['takes a part of one long write now and then', 200, (one, at) => at % 20 === 0 && take(one), false],
  ['took all', 30, (one) => empty(one), false],
  ['took all before, and stalls anew', 30, (one, at) => (at === 1 ? empty(one) : fill(one)), false],
] as [string, number, (one: ReturnType<typeof connection>['socket'], at: number) => unknown, boolean][])(
  'a reader of a connection who %s, for %i looks',
  async (_, looks, at, isCut) => {
    const clock = frozenClock()
    const { socket, watched } = connection()
    openReaders(clock, { READER_STALLED_MS }).watch(watched, () => false)
    for (let look = 1; look <= looks; look += 1) {
      at(socket, look)
      await clock.advance(LOOK_MS)
    }
    expect(socket.destroyed).toBe(isCut)
  },
)

type FakeSocket = ReturnType<typeof connection>['socket']
const more = (one: FakeSocket, bytes: number) => {
  one._handle.bytesWritten += bytes
  one._handle.writeQueueSize += bytes
}
const take = (one: FakeSocket) => {
  one._handle.writeQueueSize -= 1
}
const empty = (one: FakeSocket) => {
  one.writableLength = 0
}
const fill = (one: FakeSocket) => {
  one.writableLength = 10
}

it('looks at a connection until nothing waits for it, or as long as it is asked to', async () => {
  const clock = frozenClock()
  const readers = openReaders(clock, { READER_STALLED_MS })
  const { socket, watched } = connection()
  readers.watch(watched)
  readers.watch(watched)
  expect(clock.timers).toBe(1)
  empty(socket)
  await clock.advance(LOOK_MS)
  expect(clock.timers).toBe(0)
  let isOver = false
  readers.watch(watched, () => isOver)
  await clock.advance(READER_STALLED_MS)
  expect(clock.timers).toBe(1)
  isOver = true
  await clock.advance(LOOK_MS)
  expect([clock.timers, socket.destroyed]).toEqual([0, false])
})

it('is the only file of the host that reads the limit', () => {
  const host = path.join(import.meta.dirname, '..')
  const readers = globSync('**/*.ts', { cwd: host })
    .filter((file) => !file.endsWith('.test.ts'))
    .filter((file) => /\.READER_STALLED_MS\b/.test(readFileSync(path.join(host, file), 'utf8')))
  expect(readers).toEqual([path.join('kernel', 'stalled.ts')])
})
