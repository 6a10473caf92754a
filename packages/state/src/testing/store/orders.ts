import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collection, type Key, type KeyPart, type Store } from '../../store/port.ts'
import type { Hold } from './hold.ts'
import type { Load } from './load.ts'

/** A record whose keys are anything, of any length. */
const loose = collection({
  name: 'suite_loose',
  row: {} as { readonly key: Key | null },
  indexes: { byKey: ({ key }) => key },
})

const IDS = [...'abcdefghij']
const part = fc.constantFrom<KeyPart[]>(null, false, true, -1, 0, 2, '', 'a', 'ab', 'b', '\ud83d', '\uffff')
const key = fc.array(part, { maxLength: 3 })
const write = fc.record({ id: fc.constantFrom(...IDS), key: fc.option(key, { freq: 6 }), gone: fc.boolean() })
const question = fc.record({
  writes: fc.array(write, { maxLength: 40 }),
  eq: fc.array(part, { maxLength: 2 }),
  order: fc.constantFrom('asc' as const, 'desc' as const),
  limit: fc.integer({ min: 1, max: 4 }),
  max: fc.integer({ min: 0, max: 4 }),
})

const TYPES = ['object', 'boolean', 'number', 'string']

/** The order of keys as the port states it. */
function orderOf(a: Key, b: Key): number {
  for (const [at, left] of a.entries()) {
    const right = b[at]
    if (right === undefined) return 1
    const byType = TYPES.indexOf(typeof left) - TYPES.indexOf(typeof right)
    if (byType !== 0) return byType
    if (left !== right) return (left ?? 0) < (right ?? 0) ? -1 : 1
  }
  return a.length - b.length
}

async function put(store: Store, id: string, next: Key | null): Promise<void> {
  const before = await store.get(loose, id)
  if (before) await store.swap(loose, id, before.revision, { key: next })
  else await store.insert(loose, id, { key: next })
}

async function drop(store: Store, id: string): Promise<void> {
  await store.remove(loose, id, (await store.get(loose, id))?.revision ?? 0)
}

/** Whatever was written, the order, the pages and the caps are those of the port. */
export function orderRules(hold: Hold, { lists = 500 }: Load): void {
  describe('any writes', () => {
    it('leave every scan in order, whole over its pages, and every cap at its count', async () => {
      await fc.assert(
        fc.asyncProperty(question, async ({ writes, eq, order, limit, max }) => {
          const { store } = hold
          for (const id of [...IDS, 'one more']) await drop(store, id)
          const stands = new Map<string, Key | null>()
          for (const { id, key: next, gone } of writes) {
            await (gone ? drop(store, id) : put(store, id, next))
            if (gone) stands.delete(id)
            else stands.set(id, next)
          }
          const under = [...stands]
            .flatMap(([id, it]) => (it && eq.every((each, at) => each === it[at]) ? [{ id, key: it }] : []))
            .sort((a, b) => orderOf(a.key, b.key) || (a.id < b.id ? -1 : 1))
            .map(({ id }) => id)
          const seen: string[] = []
          for (let after: string | null = null, page = 0; page === 0 || after !== null; page++) {
            const options = { eq, order, limit, after }
            const { rows, next }: Awaited<ReturnType<typeof scan>> = await scan(store, options)
            seen.push(...rows.map(({ id }) => id))
            after = next
          }
          expect(seen).toEqual(order === 'asc' ? under : under.reverse())
          const caps = [{ name: 'most', index: 'byKey', eq, max }] as const
          const one = await store.insert(loose, 'one more', { key: eq }, { caps })
          expect(one.ok).toBe(under.length < max)
        }),
        { numRuns: lists },
      )
    })
  })
}

const scan = (store: Store, options: Parameters<Store['scan']>[2]) => store.scan(loose, 'byKey', options)
