import { rounds } from '@svc/conformance/rounds'
import { limits } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { type Collection, memoryStore, type Store } from '@svc/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openCopiedStore } from './copied-store.ts'
import type { Copies } from './copies.ts'
import { plugs } from './plug-row.ts'
import { apps, installs, users, versions } from './records.ts'
import { windows } from './window-row.ts'

const HOUR = 3_600_000

function open(under: Partial<Store> = {}) {
  const clock = frozenClock()
  const memory = memoryStore()
  const { store, copies } = openCopiedStore({ ...memory, isExclusive: true, ...under }, clock, limits)
  return { clock, memory, store, copies }
}

/** A store with a record of ada, of which there is a copy. */
async function opened() {
  const parts = open()
  const inserted = await parts.store.insert(users, 'ada', { created_at: 1 })
  if (!inserted.ok) throw new Error('was not inserted')
  return { ...parts, first: inserted.record }
}

describe('copies of a store that no other process has open', () => {
  it('do not grow old', async () => {
    const { clock, copies, first } = await opened()
    await clock.advance(HOUR)
    expect(copies.users.get('ada')).toBe(first)
  })

  it.each<[keyof Copies, Collection<never>]>([
    ['users', users],
    ['windows', windows],
    ['installs', installs],
    ['versions', versions],
    ['apps', apps],
    ['plugs', plugs],
  ])('are changed by each write of %s', async (kind, declared) => {
    const written = async <Row>(id: string, row: Row, revision: number) =>
      ({ ok: true, record: { id, row, revision } }) as const
    const { clock, store, copies } = open({
      get: async () => null,
      insert: (_, id, row) => written(id, row, 1),
      swap: (_, id, revision, row) => written(id, row, revision + 1),
      remove: async () => true,
    })
    const row = {} as never
    await store.insert(declared, 'one', row)
    await clock.advance(HOUR)
    expect(copies[kind].get('one')).toMatchObject({ revision: 1 })
    await store.swap(declared, 'one', 1, row)
    expect(copies[kind].get('one')).toMatchObject({ revision: 2 })
    await store.remove(declared, 'one', 2)
    expect(await copies[kind].get('one')).toBeNull()
  })

  it('tell each write without a wait', async () => {
    const { store, copies, first } = await opened()
    const swapped = await store.swap(users, 'ada', first.revision, { created_at: 2 })
    expect(copies.users.get('ada')).toBe(swapped.ok && swapped.record)
    await store.remove(users, 'ada', first.revision + 1)
    expect(await copies.users.get('ada')).toBeNull()
    const again = await store.insert(users, 'ada', { created_at: 3 })
    expect(copies.users.get('ada')).toBe(again.ok && again.record)
  })

  it('are read again after a write that failed or was refused', async () => {
    const { memory, store, copies, first } = await opened()
    await memory.swap(users, 'ada', first.revision, { created_at: 2 })
    expect(await store.swap(users, 'ada', first.revision, { created_at: 3 })).toEqual({
      ok: false,
      lost: true,
    })
    expect(await copies.users.get('ada')).toMatchObject({ row: { created_at: 2 } })

    const broken = open({ swap: () => Promise.reject(new Error('cut')) })
    const inserted = await broken.store.insert(users, 'ada', { created_at: 1 })
    const revision = inserted.ok ? inserted.record.revision : 0
    await broken.memory.swap(users, 'ada', revision, { created_at: 2 })
    await expect(broken.store.swap(users, 'ada', revision, { created_at: 2 })).rejects.toThrow('cut')
    expect(await broken.copies.users.get('ada')).toMatchObject({ row: { created_at: 2 } })
  })

  it('do not bring back a removed record whose writer tells its copy late', async () => {
    const { store, copies, first } = await opened()
    await store.remove(users, 'ada', first.revision)
    copies.users.drop('ada', first)
    expect(await copies.users.get('ada')).toBeNull()
  })

  it('are what is in the store, however reads and writes come in', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.constantFrom('get', 'write', 'remove'), { minLength: 1, maxLength: 12 }),
        async (scheduler, steps) => {
          const memory = memoryStore()
          let written: Promise<unknown> = Promise.resolve()
          /** As a thread does it: writes are answered in their order, reads whenever they are done. */
          const inOrder = <Done>(writing: Promise<Done>): Promise<Done> => {
            const before = written
            const answered = scheduler.schedule(writing).then((done) => before.then(() => done))
            written = answered
            return answered
          }
          const { store, copies } = openCopiedStore(
            {
              ...memory,
              isExclusive: true,
              get: (of, id) => scheduler.schedule(memory.get(of, id)),
              insert: (of, id, row) => inOrder(memory.insert(of, id, row)),
              swap: (of, id, revision, row) => inOrder(memory.swap(of, id, revision, row)),
              remove: (of, id, revision) => inOrder(memory.remove(of, id, revision)),
            },
            frozenClock(),
            limits,
          )
          const step = async (what: string, created_at: number) => {
            const known = await copies.users.get('ada')
            if (what === 'get') return
            if (what === 'write' && known) await store.swap(users, 'ada', known.revision, { created_at })
            if (what === 'write' && !known) await store.insert(users, 'ada', { created_at })
            if (what === 'remove' && known) await store.remove(users, 'ada', known.revision)
          }
          await scheduler.waitFor(Promise.all(steps.map((what, n) => step(what, n))))
          const copy = copies.users.get('ada')
          const found = copy instanceof Promise ? await scheduler.waitFor(copy) : copy
          expect(found).toEqual(await memory.get(users, 'ada'))
        },
      ),
      { numRuns: rounds(300) },
    )
  })
})

it('copies of a store that others write to are read again in time', async () => {
  const { clock, copies, memory } = open({ isExclusive: false })
  const inserted = await memory.insert(users, 'ada', { created_at: 1 })
  expect(await copies.users.get('ada')).toEqual(inserted.ok && inserted.record)
  await clock.advance(limits.CACHE_STALE_MS)
  expect(copies.users.get('ada')).toBeInstanceOf(Promise)
})
