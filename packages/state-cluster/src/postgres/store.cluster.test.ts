import { rounds } from '@svc/conformance/rounds'
import { type FaultyRelay, openFaultyRelay } from '@svc/conformance/testing/faulty-relay'
import { type PgBouncerServer, startPgBouncer } from '@svc/conformance/testing/pgbouncer-server'
import { type PostgresServer, startPostgresServer } from '@svc/conformance/testing/postgres-server'
import { blobsSuite, storeSuite } from '@svc/state/testing'
import { afterAll, beforeAll } from 'vitest'
import { openPostgres } from '../testing/open-postgres.ts'

let server: PostgresServer
let bouncer: PgBouncerServer
let far: FaultyRelay
let shaky: FaultyRelay

beforeAll(async () => {
  server = await startPostgresServer({ settings: { max_connections: '300' } })
  bouncer = await startPgBouncer({ postgresPort: server.port })
  far = await openFaultyRelay(server.port)
  far.delayMs = 20
  shaky = await openFaultyRelay(server.port)
  // By what was carried, and not by time: each cut meets statements under way, and on a slow machine some get through.
  shaky.cutEvery = 199
})
afterAll(async () => {
  for (const each of [far, shaky, bouncer, server]) await each?.close()
})

const url = (port: number) => `postgres://postgres@127.0.0.1:${port}/postgres`
const store = async (port: number, connections?: number) =>
  (await openPostgres(url(port), { connections })).store
const blobs = async (port: number) => (await openPostgres(url(port))).blobs

storeSuite('PostgreSQL', () => store(server.port), {
  lists: rounds(500, 50),
  writes: rounds(2_000, 200),
  keys: rounds(100_000, 5_000),
  boundMs: 300_000,
})
blobsSuite('PostgreSQL', () => blobs(server.port))

storeSuite('PostgreSQL behind PgBouncer', () => store(bouncer.port), {
  lists: rounds(50, 20),
  writes: rounds(200, 50),
  keys: rounds(5_000, 2_000),
})
blobsSuite('PostgreSQL behind PgBouncer', () => blobs(bouncer.port))

/** What the distance changes is how much is under way at once; each rule is proven beside it. */
const isFar = rounds(1, 0) === 1
if (isFar) {
  storeSuite('PostgreSQL, far away', () => store(far.port, 100), {
    lists: 5,
    writes: 20,
    keys: 3_000,
  })
  blobsSuite('PostgreSQL, far away', () => blobs(far.port))
}

storeSuite('PostgreSQL whose connections are cut', () => store(shaky.port), {
  lists: rounds(50, 20),
  writes: 100,
  keys: rounds(3_000, 2_000),
})
blobsSuite('PostgreSQL whose connections are cut', () => blobs(shaky.port))
