import { expect, it } from 'vitest'
import { memoryStore } from './memory/memory.ts'
import { collection } from './port.ts'
import { update } from './update.ts'

interface Count {
  readonly count: number
}
const counts = collection<Count>({ name: 'counts', indexes: {} })
const more = (row: Count | null): Count => ({ count: (row?.count ?? 0) + 1 })

it('counts every one of the writers that come at once', async () => {
  const store = memoryStore()
  await Promise.all(Array.from({ length: 50 }, () => update(store, counts, 'one', more)))
  expect((await store.get(counts, 'one'))?.row).toEqual({ count: 50 })
})

it.each([
  ['leaves a record whose change is null', { count: 3 }, () => null, null, { count: 3 }],
  [
    'leaves a record that stays the same',
    { count: 3 },
    (row: Count | null) => row,
    { count: 3 },
    { count: 3 },
  ],
  ['makes no record where none is wanted', null, (row: Count | null) => row && more(row), null, undefined],
  ['makes one where one is wanted', null, more, { count: 1 }, { count: 1 }],
  ['changes the one that is there', { count: 3 }, more, { count: 4 }, { count: 4 }],
])('%s', async (_, before, next, returned, after) => {
  const store = memoryStore()
  if (before) await store.insert(counts, 'one', before)
  const revision = (await store.get(counts, 'one'))?.revision
  const record = await update(store, counts, 'one', next)
  expect(record?.row ?? null).toEqual(returned)
  const now = await store.get(counts, 'one')
  expect(now?.row).toEqual(after)
  if (before === after) expect(now?.revision).toBe(revision)
})
