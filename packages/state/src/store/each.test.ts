import { rounds } from '@svc/conformance/rounds'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { all, each, eachSettled } from './each.ts'
import { memoryStore } from './memory/memory.ts'
import { collection, type Store } from './port.ts'

interface Item {
  readonly n: number
}
const items = collection<Item>({ name: 'items', indexes: { byN: ({ n }) => [n] } })
const nameOf = (n: number) => `item ${n}`

async function storeOf(count: number): Promise<Store> {
  const store = memoryStore()
  for (let n = 0; n < count; n += 1) await store.insert(items, nameOf(n), { n })
  return store
}
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

it('reads every record once and in order, however long a page is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 40 }), fc.integer({ min: 1, max: 12 }), async (count, limit) => {
      const store = await storeOf(count)
      const found = await all(store, items, 'byN', { limit })
      expect(found.map(({ row }) => row.n)).toEqual(numbers(count))
      const backwards = await all(store, items, 'byN', { limit, order: 'desc' })
      expect(backwards.map(({ row }) => row.n)).toEqual(numbers(count).reverse())
    }),
    { numRuns: rounds(60) },
  )
})

it('reads on past records that are removed on the way', async () => {
  const store = await storeOf(25)
  const seen: number[] = []
  for await (const { id, revision, row } of each(store, items, 'byN', { limit: 4 })) {
    seen.push(row.n)
    await store.remove(items, id, revision)
  }
  expect(seen).toEqual(numbers(25))
  expect(await all(store, items, 'byN')).toEqual([])
})

it('reads no further page when its reader has enough', async () => {
  const store = await storeOf(25)
  let scans = 0
  const counted: Pick<Store, 'scan'> = {
    scan: (...asked) => {
      scans += 1
      return store.scan(...asked)
    },
  }
  for await (const { row } of each(counted, items, 'byN', { limit: 10 })) if (row.n === 12) break
  expect(scans).toBe(2)
})

it('gives every record its turn though one fails, and throws the first failure at the end', async () => {
  const store = await storeOf(5)
  const seen: number[] = []
  const done = eachSettled(each(store, items, 'byN'), async ({ row }) => {
    seen.push(row.n)
    if (row.n % 2 === 1) throw new Error(nameOf(row.n))
  })
  await expect(done).rejects.toThrow('item 1')
  expect(seen).toEqual(numbers(5))
})
