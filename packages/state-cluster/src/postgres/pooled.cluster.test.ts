import { startPgBouncer } from '@svc/conformance/testing/pgbouncer-server'
import { startPostgresServer } from '@svc/conformance/testing/postgres-server'
import { collection } from '@svc/state'
import { Client } from 'pg'
import { expect, it } from 'vitest'
import { openPostgres } from '../testing/open-postgres.ts'

const notes = collection({ name: 'notes', row: {} as { title: string }, indexes: {} })

it('a schema never writes into another over a connection that the other had before', async () => {
  await using ends = new AsyncDisposableStack()
  const server = ends.adopt(await startPostgresServer(), (each) => each.close())
  const settings = { default_pool_size: '2' }
  const bouncer = ends.adopt(await startPgBouncer({ postgresPort: server.port, settings }), (each) =>
    each.close(),
  )
  /** One that keeps a connection of the pool for itself until it lets go. */
  async function keeper() {
    const client = ends.adopt(new Client(bouncer.url), (each) => each.end())
    await client.connect()
    return {
      async take(): Promise<number> {
        await client.query('BEGIN')
        const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
        return rows[0]?.pid ?? 0
      },
      letGo: () => client.query('COMMIT'),
    }
  }
  const one = await keeper()
  const two = await keeper()
  const open = async () => {
    const opened = await openPostgres(bouncer.url, { connections: 1 })
    ends.defer(() => opened.store.close())
    return opened.store
  }
  const first = await open()
  const second = await open()

  // Of the two connections the first schema has one, and then the second schema the other.
  const kept = await one.take()
  await first.insert(notes, 'a', { title: 'of the one or the other' })
  expect(await two.take()).not.toBe(kept)
  await one.letGo()
  await second.insert(notes, 'b', { title: 'of the one or the other' })
  // Now the second has that of the first.
  expect(await one.take()).toBe(kept)
  await two.letGo()
  await second.insert(notes, 'c', { title: 'of the one or the other' })

  expect(await second.get(notes, 'c')).toMatchObject({ id: 'c' })
  expect(await first.get(notes, 'c')).toBeNull()
  await one.letGo()
})
