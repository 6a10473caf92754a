import { startPostgresServer } from '@svc/conformance/testing/postgres-server'
import { startRedisServer } from '@svc/conformance/testing/redis-server'
import { expect, it, onTestFinished } from 'vitest'
import { openClusterHosts } from '../testing/cluster-hosts.ts'

it('says what is wrong with the servers of a config file, and ends with 1 where data is lost', async () => {
  const [postgres, redis] = [await startPostgresServer(), await startRedisServer({ isDurable: true })]
  const hosts = openClusterHosts()
  onTestFinished(async () => {
    await hosts.close()
    await redis.close()
    await postgres.close()
  })
  hosts.configure('lossy.json', { postgres: postgres.url, redis: redis.url })
  const said = await hosts.run('doctor', '--config', 'lossy.json')
  expect(said).toMatchObject({ code: 1, err: '' })
  expect(said.out).toMatch(/^state: in PostgreSQL \d\S* .*and (Redis|Valkey) \d.*\nhosts that run: none\n/m)
  expect(said.out).toContain('  ✗ LOSES DATA: fsync is off  (postgres.fsync)\n')
  expect(said.out).toContain('2 to look at\n')

  const safe = await startPostgresServer({ isDurable: true })
  onTestFinished(() => safe.close())
  hosts.configure('safe.json', { postgres: safe.url, redis: redis.url, connections: 99 })
  const json = await hosts.run('doctor', '--config', 'safe.json', '--json')
  expect([json.code, JSON.parse(json.out)]).toMatchObject([
    0,
    {
      ok: true,
      node: expect.any(String),
      servers: { hosts: [] },
      findings: [{ id: 'postgres.connections' }],
    },
  ])
  hosts.configure('folder.json', './kept')
  const folder = await hosts.run('doctor', '--config', 'folder.json')
  expect(folder).toMatchObject({ code: 0, out: expect.stringMatching(/\nnothing is wrong\n$/) })
})
