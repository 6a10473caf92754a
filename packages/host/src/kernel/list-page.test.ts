import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { collection, memoryStore, type StoreRecord } from '@svc/state'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listPage } from './list-page.ts'

interface Thing {
  readonly place: number
  readonly isFound: boolean
}

const things = collection({
  name: 'things',
  row: {} as Thing,
  indexes: { byPlace: (row) => [row.place] },
})

/** A list of numbers, each of which a search finds or not. */
async function listOf(found: readonly boolean[]) {
  const store = memoryStore()
  let reads = 0
  const add = (place: number, isFound: boolean) => store.insert(things, `${place}`, { place, isFound })
  for (const [at, isFound] of found.entries()) await add(at, isFound)
  const page = (limit: number, cursor: string | null = null) =>
    listPage(
      { limit, ...(cursor !== null && { cursor }) },
      limits,
      (range) => {
        reads += 1
        return store.scan(things, 'byPlace', range)
      },
      async ({ row }: StoreRecord<Thing>) => (row.isFound ? row.place : null),
    )
  return { store, add, page, reads: () => reads }
}

verifies('route.list.pages', 'whatever comes and goes between two pages', async () => {
  const change = fc.record({ place: fc.integer({ min: 0, max: 40 }), adds: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.boolean(), { maxLength: 40 }),
      fc.integer({ min: 1, max: 12 }),
      fc.array(fc.array(change, { maxLength: 6 }), { maxLength: 30 }),
      async (found, limit, changes) => {
        const list = await listOf(found)
        const always = new Set(found.flatMap((isFound, at) => (isFound ? [at] : [])))
        const seen: number[] = []
        let cursor: string | null = null
        let pages = 0
        do {
          const page = await list.page(limit, cursor)
          expect(page.entries.length).toBeLessThanOrEqual(limit)
          seen.push(...page.entries)
          cursor = page.next_cursor
          for (const { place, adds } of changes[pages] ?? []) {
            // One that comes lies between two that were there.
            if (adds) await list.add(place + 0.5, true)
            else {
              const record = await list.store.get(things, `${place}`)
              if (record) await list.store.remove(things, record.id, record.revision)
              always.delete(place)
            }
          }
          pages += 1
        } while (cursor !== null)
        expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b))
        expect([...always].filter((place) => !seen.includes(place))).toEqual([])
      },
    ),
    { numRuns: rounds(200) },
  )
})

verifies('route.list.bounded', 'a page that finds nothing ends early, and the next goes on', async () => {
  const list = await listOf([...Array(3 * limits.LIST_READS_MAX).fill(false), true])
  const first = await list.page(1)
  expect([first.entries, first.next_cursor, list.reads()]).toEqual([
    [],
    expect.any(String),
    limits.LIST_READS_MAX,
  ])
  let page = first
  while (page.next_cursor !== null) page = await list.page(1, page.next_cursor)
  expect(page.entries).toEqual([3 * limits.LIST_READS_MAX])
  expect(list.reads()).toBe(3 * limits.LIST_READS_MAX + 1)
})

test('a full page is read at once', async () => {
  const list = await listOf(Array(100).fill(true))
  expect((await list.page(50)).entries).toHaveLength(50)
  expect(list.reads()).toBe(1)
})

test.each(['x', '', 'dGhpbmdz'])('the cursor %j is of no list', async (cursor) => {
  await expect((await listOf([true])).page(1, cursor)).rejects.toMatchObject({
    code: 'invalid_arg',
    details: { path: 'cursor' },
  })
})
