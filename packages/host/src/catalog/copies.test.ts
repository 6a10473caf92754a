import { limits } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { memoryStore } from '@svc/state'
import { expect, it } from 'vitest'
import { openCopies } from './copies.ts'
import { users } from './records.ts'

async function open() {
  const clock = frozenClock()
  const store = memoryStore()
  const inserted = await store.insert(users, 'ada', { created_at: 1 })
  if (!inserted.ok) throw new Error('was not inserted')
  return { clock, store, first: inserted.record, copies: openCopies(store, clock, limits) }
}

it('answers a known record without a promise, until it is stale', async () => {
  const { clock, copies, first } = await open()
  expect(await copies.users.get('ada')).toBe(first)
  expect(copies.users.get('ada')).toBe(first)
  await clock.advance(limits.CACHE_STALE_MS)
  expect(copies.users.get('ada')).toBeInstanceOf(Promise)
})

it('forgets a record at a local write', async () => {
  const { store, copies, first } = await open()
  await copies.users.get('ada')
  await store.remove(users, 'ada', first.revision)
  copies.users.drop('ada')
  expect(await copies.users.get('ada')).toBeNull()
})

it('keeps the later of two writes that are told in the other order', async () => {
  const { store, copies, first } = await open()
  const second = await store.swap(users, 'ada', first.revision, { created_at: 2 })
  if (!second.ok) throw new Error('was not swapped')
  copies.users.drop('ada', second.record)
  copies.users.drop('ada', first)
  expect(copies.users.get('ada')).toBe(second.record)
})

it('does not keep a reading that a write came in between', async () => {
  const { store, copies, first } = await open()
  const reading = copies.users.get('ada')
  const second = await store.swap(users, 'ada', first.revision, { created_at: 2 })
  copies.users.drop('ada')
  await reading
  expect(second.ok && (await copies.users.get('ada'))).toBe(second.ok && second.record)
})
