import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openUnread } from './unread.ts'

const caps = { READER_BUFFER_MAX_BYTES: 100, UNREAD_BYTES_PER_USER: 250, READS_PER_USER: 2 }
const never = () => new AbortController().signal

/** Asks for a call to be carried out; says whether it was. */
function ask(reader: ReturnType<ReturnType<typeof openUnread>['of']>, isRead = false, gone = never) {
  const call = { begun: false, code: '' }
  const turn = reader.enter(isRead, gone)
  if (!turn) call.begun = true
  turn?.then(
    () => {
      call.begun = true
    },
    ({ code }) => {
      call.code = code
    },
  )
  return call
}

it.each([
  ['nothing waits', (unread: ReturnType<typeof openUnread>) => unread.of('ada'), true],
  ['as much waits as may', (unread) => owing(unread.of('ada'), 100), true],
  ['more than that waits', (unread) => owing(unread.of('ada'), 101), false],
  ['much waits for others of the user', (unread) => beside(unread, 'ada', 3), false],
  ['much waits for other users', (unread) => beside(unread, 'eve', 3), true],
  ['what waited was taken', (unread) => took(owing(unread.of('ada'), 101), 1), true],
  ['a reader for whom much waited has ended', (unread) => beside(unread, 'ada', 3, true), true],
] as [string, (unread: ReturnType<typeof openUnread>) => ReturnType<typeof unread.of>, boolean][])(
  'a call is carried out where %s: as it says',
  (_, readerOf, expected) => {
    expect(ask(readerOf(openUnread(caps))).begun).toBe(expected)
  },
)

type One = ReturnType<ReturnType<typeof openUnread>['of']>
function owing(reader: One, bytes: number): One {
  reader.owe(bytes)
  return reader
}
function took(reader: One, bytes: number): One {
  reader.took(bytes)
  return reader
}
function beside(unread: ReturnType<typeof openUnread>, user: string, count: number, isOver = false): One {
  for (let at = 0; at < count; at += 1) {
    const other = owing(unread.of(user), 90)
    if (isOver) other.end()
  }
  return unread.of('ada')
}

it('makes so many reads of a user at once, in turn over their readers', async () => {
  const unread = openUnread(caps)
  const [one, other] = [unread.of('ada'), unread.of('ada')]
  const calls = [one, one, one, one, other].map((reader) => ask(reader, true))
  const begun = () => calls.map((call) => Number(call.begun)).join('')
  expect(begun()).toBe('11000')
  expect(ask(one).begun).toBe(true)
  expect(ask(unread.of('eve'), true).begun).toBe(true)
  one.leave(true)
  await nextTurn()
  expect(begun()).toBe('11100')
  one.leave(true)
  await nextTurn()
  expect(begun()).toBe('11101')
})

it('cancels what waits and has nobody who reads it', async () => {
  const unread = openUnread(caps)
  const reader = owing(unread.of('ada'), 101)
  const leaving = new AbortController()
  const calls = [ask(reader, true, () => leaving.signal), ask(reader, true, () => AbortSignal.abort())]
  leaving.abort()
  await nextTurn()
  expect(calls).toEqual([
    { begun: false, code: 'cancelled' },
    { begun: false, code: 'cancelled' },
  ])
  reader.end()
  await nextTurn()
  expect(unread.users).toBe(0)
})

it('holds to its caps, begins every call in the end and keeps nothing, in any order', async () => {
  const acts = fc.array(
    fc.record({ user: fc.nat(1), reader: fc.nat(2), isRead: fc.boolean(), bytes: fc.nat(150) }),
    { maxLength: 40 },
  )
  await fc.assert(
    fc.asyncProperty(acts, async (list) => {
      const unread = openUnread(caps)
      const readers = [0, 1].map((user) => [0, 1, 2].map(() => unread.of(`user ${user}`)))
      const reads = [0, 0]
      let left = list.length
      const done = list.map(async ({ user, reader: which, isRead, bytes }) => {
        const reader = readers[user]?.[which] as One
        await reader.enter(isRead, never)
        if (isRead) reads[user] = (reads[user] ?? 0) + 1
        expect(reads[user]).toBeLessThanOrEqual(caps.READS_PER_USER)
        expect(reader.isReady).toBe(true)
        await nextTurn()
        reader.owe(bytes)
        if (isRead) reads[user] = (reads[user] ?? 0) - 1
        reader.leave(isRead)
        await nextTurn()
        reader.took(bytes)
        left -= 1
      })
      await Promise.all(done)
      await nextTurn()
      expect([left, unread.users]).toEqual([0, 0])
    }),
    { numRuns: 30 },
  )
})
