import { type PostgresServer, startPostgresServer } from '@svc/conformance/testing/postgres-server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPostgres } from '../testing/open-postgres.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgresServer()
})
afterAll(() => server.close())

it('of hosts that start at once one makes the schema', async () => {
  const opened = await Promise.all(
    Array.from({ length: 5 }, () => openPostgres(server.url, { schema: 'together' })),
  )
  for (const { store } of opened) await store.close()
})

it('a name that is a word of SQL is refused', async () => {
  await expect(openPostgres(server.url, { schema: 'user' })).rejects.toThrow(
    '"user" is a word of SQL: choose another name, such as svc_user',
  )
})

it('a schema that a newer host has changed is refused', async () => {
  const { database, store } = await openPostgres(server.url, { schema: 'newer' })
  await database.run("UPDATE newer.facts SET value = '99' WHERE name IN ('version', 'oldest_host')")
  await store.close()
  await expect(openPostgres(server.url, { schema: 'newer' })).rejects.toThrow(
    'the schema newer in PostgreSQL has version 99; this host understands 1: start a newer one',
  )
})
