import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, truncateSync } from 'node:fs'
import path from 'node:path'
import { atPort } from '@svc/conformance/testing/host'
import { type PostgresServer, startPostgresServer } from '@svc/conformance/testing/postgres-server'
import { type RedisServer, startRedisServer } from '@svc/conformance/testing/redis-server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ClusterHosts, openClusterHosts } from '../../testing/cluster-hosts.ts'
import { openHttpUser } from '../../testing/http-user.ts'

let postgres: PostgresServer
let redis: RedisServer
let hosts: ClusterHosts
beforeAll(async () => {
  postgres = await startPostgresServer()
  redis = await startRedisServer()
  hosts = openClusterHosts()
})
afterAll(async () => {
  await hosts.close()
  await redis.close()
  await postgres.close()
})

const sumOf = (name: string) =>
  createHash('sha256')
    .update(readFileSync(path.join(hosts.dir, name)))
    .digest('hex')

it('the state of a host moves from its folder to PostgreSQL and Redis, and back', async () => {
  hosts.configure('folder.json', './kept')
  hosts.configure('cluster.json', { postgres: postgres.url, redis: redis.url, name: 'moved' })
  const before = await hosts.serve('folder.json')
  const ada = await openHttpUser(before.url, 'ada')
  await ada.result('storage', 'set', { key: 'note', value: 'kept' })
  const bytes_b64 = Buffer.alloc(30_000, 'a,b\n').toString('base64')
  await ada.result('upload', 'inline', { bytes_b64, mime: 'text/csv', purpose: 'test' })
  await before.out()

  expect(await hosts.run('data', 'export', 'a.tar', '--config', 'folder.json')).toMatchObject({ code: 0 })
  expect(await hosts.run('data', 'import', 'a.tar', '--config', 'cluster.json')).toEqual({
    code: 0,
    out: 'PostgreSQL and Redis, under the name moved, have the state of a.tar.\n',
    // On a busy machine it says how far it has come.
    err: expect.stringMatching(/^(svc: reading a\.tar: \d+ %\n)*$/),
  })
  const exported = await hosts.run('data', 'export', 'b.tar', '--config', 'cluster.json', '--json')
  expect(JSON.parse(exported.out)).toMatchObject({ ok: true, file: 'b.tar', blobs: 2 })
  await hosts.run('data', 'import', 'b.tar', '--data', 'again')
  await hosts.run('data', 'export', 'c.tar', '--data', 'again')
  expect([sumOf('b.tar'), sumOf('c.tar')]).toEqual([sumOf('a.tar'), sumOf('a.tar')])

  const after = await hosts.serve('cluster.json')
  const whoami = await fetch(`${after.url}/api/v1/auth/whoami`, {
    headers: { cookie: atPort(ada.cookie, new URL(after.url)) },
  })
  expect(await whoami.json()).toEqual({ user_id: 'ada' })
  const again = await openHttpUser(after.url, 'ada')
  expect(await again.result('storage', 'get', { key: 'note' })).toMatchObject({ value: 'kept' })

  const refused = await hosts.run('data', 'import', 'a.tar', '--config', 'cluster.json')
  expect(refused).toMatchObject({ code: 3, err: expect.stringMatching(/a host uses|is not empty/) })
  await after.out()
  const full = await hosts.run('data', 'import', 'a.tar', '--config', 'cluster.json')
  expect(full).toMatchObject({ code: 3, err: expect.stringContaining('is not empty: it has records') })
})

it('an import that fails says that nothing is there, and nothing is', async () => {
  hosts.configure('cut.json', { postgres: postgres.url, redis: redis.url, name: 'cut' })
  truncateSync(path.join(hosts.dir, 'a.tar'), 20_000)
  const cut = await hosts.run('data', 'import', 'a.tar', '--config', 'cut.json')
  expect(cut).toMatchObject({ code: 3, err: expect.stringContaining('; nothing was imported\n') })
  const nothing = await hosts.run('data', 'export', 'd.tar', '--config', 'cut.json', '--json')
  expect([nothing.code, JSON.parse(nothing.out)]).toMatchObject([
    3,
    { error: { kind: 'config', message: 'there is no state of svc in the schema cut of this database' } },
  ])
  expect(readdirSync(hosts.dir)).not.toContain('d.tar')

  hosts.configure('away.json', { postgres: 'postgres://127.0.0.1:9/svc', redis: redis.url })
  const away = await hosts.run('data', 'import', 'c.tar', '--config', 'away.json')
  expect(away).toMatchObject({ code: 9, err: expect.stringContaining('nothing was imported\n') })
})
