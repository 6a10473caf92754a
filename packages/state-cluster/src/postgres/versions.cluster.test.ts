import { type PostgresServer, startPostgresServer } from '@svc/conformance/testing/postgres-server'
import { type Collection, collection } from '@svc/state'
import fc from 'fast-check'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openPostgres } from '../testing/open-postgres.ts'

interface Note {
  readonly owner: string
  readonly title: string
}
/** A kind of record as two neighbouring versions of a host declare it: the later has another key, and one index more. */
const before = collection({
  name: 'notes',
  row: {} as Note,
  indexes: { byOwner: (row) => [row.owner], byName: (row) => [row.title] },
})
const after = collection({
  name: 'notes',
  row: {} as Note,
  indexes: { byOwner: (row) => [row.owner, row.title], byTitle: (row) => [row.title.toUpperCase()] },
  weight: (row) => row.title.length,
})

type Opened = Awaited<ReturnType<typeof openPostgres>>
let server: PostgresServer
let old: Opened
let young: Opened
beforeAll(async () => {
  server = await startPostgresServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  old = await openPostgres(server.url)
  young = await openPostgres(server.url, { schema: old.schema })
})
afterEach(async () => {
  await old.store.close()
  await young.store.close()
})

const put = ({ store }: Opened, kind: Collection<Note>, id: string, title: string, owner = 'ann') =>
  store.insert(kind, id, { owner, title })
const idsOf = async (opened: Opened, kind: Collection<Note>, index: string, eq: string[] = []) =>
  (await opened.store.scan(kind, index, { eq, limit: 1_000 })).rows.map(({ id }) => id)
/** How many wait for a lock. */
const waiting = async (client: Client) =>
  Number((await client.query('SELECT count(*) FROM pg_locks WHERE NOT granted')).rows[0].count)
/** A statement for each of the tables of tokens. */
const writes = (statement: string) =>
  [0, 1, 2].map((n) => statement.replace('#', `${old.schema}.writes_${n}`)).join('; ')

describe('hosts of two versions over one schema', () => {
  it('index what is there as each declares it, and tell how far they are', async () => {
    for (let n = 0; n < 1_200; n++) await put(old, before, `n${n}`, `title ${1_200 - n}`)
    expect(await idsOf(young, after, 'byTitle', ['TITLE 1200'])).toEqual(['n0'])
    expect(await idsOf(old, before, 'byName', ['title 1'])).toEqual(['n1199'])
    expect((await young.store.scan(after, 'byOwner', { eq: ['ann'], limit: 2_000 })).rows).toHaveLength(1_200)
  })

  it('see what the other writes, in their own indexes', async () => {
    await put(old, before, 'a', 'one')
    expect(await idsOf(young, after, 'byTitle')).toEqual(['a'])
    await put(old, before, 'b', 'two')
    await put(young, after, 'c', 'three')
    expect(await idsOf(young, after, 'byTitle')).toEqual(['a', 'c', 'b'])
    expect(await idsOf(old, before, 'byName')).toEqual(['a', 'c', 'b'])
    const b = await young.store.get(after, 'b')
    await young.store.swap(after, 'b', b?.revision ?? 0, { owner: 'ann', title: 'a first' })
    expect(await idsOf(old, before, 'byName')).toEqual(['b', 'a', 'c'])
    const a = await old.store.get(before, 'a')
    expect(await old.store.remove(before, 'a', a?.revision ?? 0)).toBe(true)
    expect(await idsOf(young, after, 'byTitle')).toEqual(['b', 'c'])
  })

  it('hold caps over what both wrote', async () => {
    const rows = { name: 'few', index: 'byOwner', eq: ['ann'], max: 3 } as const
    const weight = { name: 'light', index: 'byOwner', eq: ['ann'], max: 5, of: 'weight' } as const
    await young.store.scan(after, 'byTitle', { limit: 1 })
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        n % 2
          ? old.store.insert(before, `n${n}`, { owner: 'ann', title: 't' }, { caps: [rows] })
          : young.store.insert(after, `n${n}`, { owner: 'ann', title: 't' }, { caps: [rows] }),
      ),
    )
    expect(results.filter(({ ok }) => ok)).toHaveLength(3)
    expect(
      await young.store.insert(after, 'heavy', { owner: 'ann', title: '123' }, { caps: [weight] }),
    ).toEqual({
      ok: false,
      full: 'light',
    })
  })

  it('agree with one list after any writes of both', async () => {
    const write = fc.record({
      isOld: fc.boolean(),
      id: fc.constantFrom('a', 'b', 'c', 'd'),
      title: fc.option(fc.constantFrom('x', 'Y', 'z', 'yy')),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(write, { maxLength: 20 }), async (writes) => {
        const stands = new Map<string, string>()
        for (const id of ['a', 'b', 'c', 'd']) {
          const there = await old.store.get(before, id)
          if (there) await old.store.remove(before, id, there.revision)
        }
        for (const { isOld, id, title } of writes) {
          const [{ store }, kind] = isOld
            ? [old, before as Collection<Note>]
            : [young, after as Collection<Note>]
          const there = await store.get(kind, id)
          if (title === null) {
            if (there) await store.remove(kind, id, there.revision)
            stands.delete(id)
          } else {
            if (there) await store.swap(kind, id, there.revision, { owner: 'ann', title })
            else await store.insert(kind, id, { owner: 'ann', title })
            stands.set(id, title)
          }
        }
        const sorted = (keyOf: (title: string) => string) =>
          [...stands].sort(([a, x], [b, y]) => (keyOf(x) + a < keyOf(y) + b ? -1 : 1)).map(([id]) => id)
        expect(await idsOf(old, before, 'byName')).toEqual(sorted((title) => `${title}\0`))
        expect(await idsOf(young, after, 'byTitle')).toEqual(sorted((title) => `${title.toUpperCase()}\0`))
        expect(await idsOf(young, after, 'byOwner', ['ann'])).toEqual(sorted((title) => `${title}\0`))
      }),
      { numRuns: 100 },
    )
  })

  it('forget the indexes of a version that no host has used for an hour, and make them again', async () => {
    await put(old, before, 'a', 'one')
    await put(young, after, 'b', 'two')
    await young.database.run(`UPDATE ${old.schema}.declarations SET seen_at = now() - interval '2 hours'
        WHERE n = (SELECT min(n) FROM ${old.schema}.declarations)`)
    await young.upkeep()
    await put(young, after, 'c', 'three')
    const left = await young.database.run<{ count: string }>(`SELECT count(*) FROM ${old.schema}.entries`)
    expect(left).toEqual([{ count: '6' }])
    expect(await idsOf(old, before, 'byName')).toEqual(['a', 'c', 'b'])
    await put(old, before, 'd', 'zero')
    expect(await idsOf(young, after, 'byTitle')).toEqual(['a', 'c', 'b', 'd'])
  })

  it('miss no row whose id was used before, and that is inserted while the note of that is worked off', async () => {
    await put(old, before, 'a', 'one')
    await put(young, after, 'x', 'first')
    const x = await young.store.get(after, 'x')
    await young.store.remove(after, 'x', x?.revision ?? 0)
    const holder = new Client(server.url)
    await holder.connect()
    // The insert comes as far as its token, behind its note.
    await holder.query(`BEGIN; ${writes('LOCK TABLE # IN SHARE MODE')}`)
    const inserting = put(young, after, 'x', 'second')
    await expect.poll(() => waiting(holder)).toBe(1)
    let isDone = false
    const scanning = idsOf(old, before, 'byName').finally(() => {
      isDone = true
    })
    await expect.poll(async () => isDone || (await waiting(holder)) === 2).toBe(true)
    await holder.query('COMMIT')
    await holder.end()
    expect(await inserting).toMatchObject({ ok: true })
    await scanning
    expect(await idsOf(old, before, 'byName')).toEqual(['a', 'x'])
  })

  it('keep the declaration of a version that is at work on its indexes for longer than an hour', async () => {
    await put(old, before, 'a', 'one')
    const holder = new Client(server.url)
    await holder.connect()
    await holder.query(`BEGIN; SELECT FROM ${old.schema}.records FOR UPDATE`)
    const scanning = idsOf(young, after, 'byTitle')
    await expect.poll(() => waiting(holder)).toBe(1)
    await old.database.run(`UPDATE ${old.schema}.declarations SET seen_at = now() - interval '2 hours'
        WHERE n = (SELECT max(n) FROM ${old.schema}.declarations)`)
    await young.upkeep()
    const { rows } = await holder.query(`SELECT count(*)::int FROM ${old.schema}.declarations`)
    expect(rows).toEqual([{ count: 2 }])
    await holder.query('COMMIT')
    await holder.end()
    expect(await scanning).toEqual(['a'])
  })

  it('have no trouble while a backup reads all tables', async () => {
    await put(old, before, 'a', 'one')
    const backup = new Client(server.url)
    await backup.connect()
    await backup.query(writes('INSERT INTO # VALUES (1, 1)'))
    await backup.query(`BEGIN; ${writes('SELECT FROM #')}`)
    await old.upkeep()
    expect(old.database.trouble()).toBeNull()
    await backup.end()
  })
})
