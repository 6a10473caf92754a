import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { type PostgresServer, startPostgresServer } from '@svc/conformance/testing/postgres-server'
import { type RedisServer, startRedisServer } from '@svc/conformance/testing/redis-server'
import { frozenClock } from '@svc/node/testing'
import { all, type Blobs, type Bus, collection, type Store } from '@svc/state'
import { memoryState, type Piece, type Pieces, readState, writeState } from '@svc/state/portable'
import { Redis } from 'ioredis'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Cluster, loadCluster, openCluster, readCluster } from '../index.ts'

interface Note {
  readonly owner: string
  readonly values: readonly unknown[]
}

const notes = collection({ name: 'notes', row: {} as Note, indexes: { byOwner: (row) => [row.owner] } })
const SECRET = 's'.repeat(43)
const awkward = ['', '\0', '\u0001', '\uffff', 'ä', '日本', '\u{1f600}', '__proto__', 'a}:h', '{svc:x}:h']
const ids = [
  ...awkward,
  '\ud800',
  '\udfff',
  // Cut for the index, and in another order there.
  ...Array.from({ length: 12 }, (_, n) => `${'l'.repeat(1_790)}${n % 3 === 0 ? '' : 'x'.repeat(n * 7)}${n}`),
]

let postgres: PostgresServer
let redis: RedisServer
let names = 0
beforeAll(async () => {
  postgres = await startPostgresServer()
  redis = await startRedisServer()
})
afterAll(async () => {
  await redis.close()
  await postgres.close()
})

const newPlace = () => ({ postgres: postgres.url, redis: redis.url, name: `test_${names++}` })
type Place = ReturnType<typeof newPlace>

const sum = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

async function opened(place: Place): Promise<Cluster> {
  const cluster = await openCluster(place)
  onTestFinished(() => cluster.close())
  return cluster
}

async function fill({ store, bus, blobs }: { store: Store; bus: Bus; blobs: Blobs }): Promise<void> {
  for (const id of ids)
    await store.insert(notes, id, { owner: id, values: [1e308, 5e-324, 1e21, -0, id, { '1': id, a: [] }] })
  await store.insert(notes, 'large', { owner: 'large', values: ['x'.repeat(2_000_000)] })
  const gone = await store.insert(notes, 'gone', { owner: 'gone', values: [] })
  if (gone.ok) await store.remove(notes, 'gone', gone.record.revision)
  for (const name of awkward) await bus.journal.append(name, 1, ['{"n":1e400}', '"\\ud800"', ' [ 1, "é" ] '])
  await bus.journal.append(
    'long',
    1,
    Array.from({ length: 1_700 }, (_, n) => `${n}`),
  )
  await bus.journal.trim('long', { keep: 1_650 })
  await bus.journal.trim('ä', { keep: 1 })
  await bus.journal.trim('日本', { keep: 0 })
  await blobs.put(Buffer.alloc(2_500_000, 7))
  await blobs.put(Buffer.alloc(1_048_576, 8))
  await blobs.put(Buffer.alloc(0))
}

async function exported(place: Place): Promise<Buffer> {
  const { pieces, close } = await readCluster(place)
  try {
    return await buffer(writeState(pieces))
  } finally {
    await close()
  }
}

async function filledMemory() {
  const state = await memoryState({ clock: frozenClock(), secret: SECRET })
  await fill(state)
  return state
}

describe('the state of several hosts as pieces', () => {
  it('is that of another driver after a load, and goes back as it came', async () => {
    const bytes = await buffer(writeState((await filledMemory()).pieces()))
    const place = newPlace()
    await loadCluster(place, readState(once(bytes)))
    expect(sum(await exported(place))).toBe(sum(bytes))

    const cluster = await opened(place)
    const before = await memoryState({ clock: frozenClock(), secret: 'other', from: readState(once(bytes)) })
    expect(cluster.secret).toBe(SECRET)
    expect(await all(cluster.store, notes, 'byOwner')).toEqual(await all(before.store, notes, 'byOwner'))
    for (const name of [...awkward, 'long'])
      expect(await cluster.bus.journal.read(name, 0)).toEqual(await before.bus.journal.read(name, 0))
    expect(await cluster.bus.journal.append('日本', 4, ['4'])).toEqual({ ok: true, tail: 4 })
    const again = await cluster.store.insert(notes, 'gone', { owner: 'gone', values: [] })
    expect(again.ok && again.record.revision).toBeGreaterThan(ids.length + 2)
    const capped = await cluster.store.insert(
      notes,
      'more',
      { owner: 'ä', values: [] },
      {
        caps: [{ name: 'rows', index: 'byOwner', eq: ['ä'], max: 1 }],
      },
    )
    expect(capped).toEqual({ ok: false, full: 'rows' })
  })

  it('is of one moment, while hosts go on writing', async () => {
    const place = newPlace()
    const { store, bus, blobs, secret } = await opened(place)
    await fill({ store, bus, blobs })
    const quiet = await exported(place)
    const { pieces, close } = await readCluster(place)
    onTestFinished(close)
    const first = pieces[Symbol.asyncIterator]()
    await first.next()
    await store.insert(notes, 'later', { owner: 'later', values: [] })
    await blobs.remove(createHash('sha256').update(Buffer.alloc(2_500_000, 7)).digest('hex'))
    const rest = { [Symbol.asyncIterator]: () => first } as Pieces
    async function* whole(): AsyncGenerator<Piece> {
      yield { kind: 'state', revision: Number(/"revision":(\d+)/.exec(quiet.toString('latin1'))?.[1]) }
      yield* rest
    }
    expect(sum(await buffer(writeState(whole())))).toBe(sum(quiet))
    expect(secret).toHaveLength(43)
  })

  it('is loaded into a place that hosts have used and left empty', async () => {
    const place = newPlace()
    const used = await openCluster(place)
    const there = await used.store.insert(notes, 'a', { owner: 'a', values: [] })
    if (there.ok) await used.store.remove(notes, 'a', there.record.revision)
    const { epoch } = used.bus
    await used.close()
    const state = await filledMemory()
    await loadCluster(place, state.pieces())
    const cluster = await opened(place)
    expect(await all(cluster.store, notes, 'byOwner')).toHaveLength(ids.length + 1)
    expect(cluster.bus.epoch).not.toBe(epoch)
  })
})

/** What is left in both servers of a name. */
async function left({ name }: Place) {
  const client = new Client(postgres.url)
  await client.connect()
  const { rows } = await client
    .query('SELECT FROM pg_namespace WHERE nspname = $1', [name])
    .finally(() => client.end())
  const admin = new Redis(redis.url)
  const keys = await admin.keys(`*${name}*`).finally(() => admin.disconnect())
  return { schemas: rows.length, keys }
}
const nothing = { schemas: 0, keys: [] }

describe('a load leaves nothing', () => {
  it.each<[string, (bytes: Buffer) => Buffer, object]>([
    [
      'of an archive that is cut',
      (bytes) => bytes.subarray(0, -1_024),
      { code: 'damaged', message: expect.stringMatching(/end|cut/) },
    ],
    [
      'of one with another byte in a blob',
      (bytes) => {
        const at = bytes.lastIndexOf(Buffer.alloc(4_096, 8)) + 100
        return Buffer.concat([bytes.subarray(0, at), Buffer.from([9]), bytes.subarray(at + 1)])
      },
      { code: 'damaged', message: expect.stringContaining('its digest differs') },
    ],
    ['of no archive', () => Buffer.alloc(4_096, 'x'), { code: 'not_ours' }],
  ])('%s', async (_, change, error) => {
    const bytes = await buffer(writeState((await filledMemory()).pieces()))
    const place = newPlace()
    await expect(loadCluster(place, readState(once(change(bytes))))).rejects.toMatchObject(error)
    expect(await left(place)).toEqual(nothing)
  })

  it('of a journal that Redis cannot have', async () => {
    const state = await memoryState({ clock: frozenClock(), secret: SECRET })
    await state.bus.journal.append('\ud800', 1, ['1'])
    const place = newPlace()
    await expect(loadCluster(place, state.pieces())).rejects.toMatchObject({ code: 'not_usable' })
    expect(await left(place)).toEqual(nothing)
  })

  it('where a server goes away meanwhile', async () => {
    const [own, place] = [await startRedisServer({ isDurable: true }), newPlace()]
    onTestFinished(() => own.close())
    async function* stopping(): AsyncGenerator<Piece> {
      for await (const piece of (await filledMemory()).pieces()) {
        if (piece.kind === 'blob') await own.stop()
        yield piece
      }
    }
    await expect(loadCluster({ ...place, redis: own.url }, stopping())).rejects.toMatchObject({
      hint: expect.stringContaining('Import again'),
    })
    expect((await left(place)).schemas).toBe(0)
    await own.start()
    await loadCluster({ ...place, redis: own.url }, (await filledMemory()).pieces())
    const admin = new Redis(own.url)
    onTestFinished(() => admin.disconnect())
    expect(await admin.keys('*importing*')).toEqual([])
    expect(await admin.keys(`{${place.name}:*}:h`)).toHaveLength(awkward.length + 1)
  })
})

it.each<[string, (cluster: Cluster) => Promise<unknown>, RegExp]>([
  [
    'records',
    ({ store }) => store.insert(notes, 'a', { owner: 'a', values: [] }),
    /is not empty: it has records/,
  ],
  ['blobs', ({ blobs }) => blobs.put(Buffer.from('a')), /is not empty: it has blobs/],
  ['journals', ({ bus }) => bus.journal.append('a', 1, ['1']), /Redis is not empty: it has the journal "a"/],
  ['a host', ({ bus }) => bus.answer('host', 'kind', async () => ''), /a host uses the schema/],
])('a place with %s is not loaded, and stays as it is', async (_, put, sentence) => {
  const place = newPlace()
  const cluster = await opened(place)
  await put(cluster)
  const before = await exported(place)
  const refused = loadCluster(place, (await filledMemory()).pieces())
  await expect(refused).rejects.toMatchObject({ code: 'not_empty', message: expect.stringMatching(sentence) })
  expect(sum(await exported(place))).toBe(sum(before))
})

it.each<[string, Partial<Place>, object]>([
  ['no state there', {}, { name: 'ClusterError', code: 'not_usable' }],
  ['a name that no schema has', { name: 'a-b' }, { name: 'ClusterError', code: 'not_usable' }],
  ['no PostgreSQL', { postgres: 'postgres://127.0.0.1:9/x' }, { name: 'StoreError', code: 'unavailable' }],
  ['no Redis', { redis: 'redis://127.0.0.1:9' }, { name: 'BusError', code: 'unavailable' }],
])('a read says that there is %s', async (_, wrong, error) => {
  await expect(readCluster({ ...newPlace(), ...wrong })).rejects.toMatchObject(error)
})
