import { rounds } from '@svc/conformance/rounds'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { memoryStore } from './memory/memory.ts'
import { collection, type Store } from './port.ts'
import { REMOVE, update } from './update.ts'

interface Count {
  readonly count: number
}
const counts = collection<Count>({ name: 'counts', indexes: {} })
const more = (row: Count | null): Count => ({ count: (row?.count ?? 0) + 1 })
const gone = (): typeof REMOVE => REMOVE

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
  ['removes the one that is there', { count: 3 }, gone, null, undefined],
  ['removes none where there is none', null, gone, null, undefined],
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

it.each([
  ['known as it is, without a read', { count: 3 }, 0],
  ['known as it was', { count: 2 }, 1],
])('changes a record that is %s', async (_, known, reads) => {
  const store = memoryStore()
  const first = await store.insert(counts, 'one', known)
  if (!first.ok) throw new Error('was not inserted')
  if (known.count < 3) await store.swap(counts, 'one', first.record.revision, { count: 3 })
  let read = 0
  const counted: typeof store = {
    ...store,
    get: (of, id) => {
      read += 1
      return store.get(of, id)
    },
  }
  expect((await update(counted, counts, 'one', more, first.record))?.row).toEqual({ count: 4 })
  expect(read).toBe(reads)
})

it('takes no decision but a change from a known record', async () => {
  const store = memoryStore()
  const first = await store.insert(counts, 'one', { count: 2 })
  if (!first.ok) throw new Error('was not inserted')
  await store.swap(counts, 'one', first.record.revision, { count: 3 })
  const onlyThree = (row: Count | null) => (row?.count === 3 ? more(row) : null)
  expect((await update(store, counts, 'one', onlyThree, first.record))?.row).toEqual({ count: 4 })
  const four = await update(store, counts, 'one', (row) => row, first.record)
  expect(four?.row).toEqual({ count: 4 })
  await update(store, counts, 'one', (row) => (row?.count === 2 ? REMOVE : row), first.record)
  expect((await store.get(counts, 'one'))?.row).toEqual({ count: 4 })
})

it('throws for what it read, not for a known record', async () => {
  const store = memoryStore()
  const first = await store.insert(counts, 'one', { count: 2 })
  if (!first.ok) throw new Error('was not inserted')
  await store.swap(counts, 'one', first.record.revision, { count: 3 })
  const refuses = (count: number) => (row: Count | null) => {
    if (row?.count === count) throw new Error(`${count} is refused`)
    return more(row)
  }
  expect((await update(store, counts, 'one', refuses(2), first.record))?.row).toEqual({ count: 4 })
  await expect(update(store, counts, 'one', refuses(4), first.record)).rejects.toThrow('4 is refused')
  expect((await store.get(counts, 'one'))?.row).toEqual({ count: 4 })
})

it('gives what came of one writer after the other, whoever adds and removes at once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
      async (scheduler, adds) => {
        const under = memoryStore()
        const late: Pick<Store, 'get' | 'insert' | 'remove' | 'swap'> = {
          get: (of, id) => scheduler.schedule(under.get(of, id)),
          insert: (of, id, row) => scheduler.schedule(under.insert(of, id, row)),
          remove: (of, id, revision) => scheduler.schedule(under.remove(of, id, revision)),
          swap: (of, id, revision, row) => scheduler.schedule(under.swap(of, id, revision, row)),
        }
        let removed = 0
        const writers = adds.map((isAdd) => {
          let met = 0
          return update(late, counts, 'one', (row) => {
            met = row?.count ?? 0
            return isAdd ? more(row) : REMOVE
          }).then(() => {
            if (!isAdd) removed += met
          })
        })
        await scheduler.waitFor(Promise.all(writers))
        const left = (await under.get(counts, 'one'))?.row.count ?? 0
        expect(left + removed).toBe(adds.filter(Boolean).length)
      },
    ),
    { numRuns: rounds(200) },
  )
})

it('gives up where others always write in between', async () => {
  const store = memoryStore()
  await store.insert(counts, 'one', { count: 0 })
  const busy: Pick<Store, 'get' | 'insert' | 'remove' | 'swap'> = {
    get: (of, id) => store.get(of, id),
    insert: (of, id, row) => store.insert(of, id, row),
    remove: async () => false,
    swap: async () => ({ ok: false, lost: true }),
  }
  const refused = 'a record of counts was written by others 1000 times in between'
  await expect(update(busy, counts, 'one', more)).rejects.toThrow(refused)
  await expect(update(busy, counts, 'one', gone)).rejects.toThrow(refused)
})
