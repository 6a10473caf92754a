import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { atPort } from '@svc/conformance/testing/host'
import { type PostgresServer, startPostgresServer } from '@svc/conformance/testing/postgres-server'
import { type RedisServer, startRedisServer } from '@svc/conformance/testing/redis-server'
import { verifies } from '@svc/conformance/verifies'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ClusterHosts, openClusterHosts } from '../testing/cluster-hosts.ts'
import { openHttpUser } from '../testing/http-user.ts'

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

it('two hosts of one config file share their state, and say so when PostgreSQL is away', async () => {
  hosts.configure('svc.config.json', { postgres: postgres.url, redis: redis.url })
  const [a, b] = [await hosts.serve('svc.config.json'), await hosts.serve('svc.config.json')]
  const [first, second] = [await openHttpUser(a.url, 'ada'), await openHttpUser(b.url, 'ada')]
  await first.result('storage', 'set', { key: 'note', value: 'from a' })
  expect(await second.result('storage', 'get', { key: 'note' })).toMatchObject({ value: 'from a' })
  const other = await fetch(`${b.url}/api/v1/auth/whoami`, {
    headers: { cookie: atPort(first.cookie, new URL(b.url)) },
  })
  expect(await other.json()).toEqual({ user_id: 'ada' })

  const ready = async ({ url }: { url: string }) => (await fetch(`${url}/readyz`)).status
  expect([await ready(a), await ready(b)]).toEqual([200, 200])
  await postgres.stop()
  // What is asked for finds out.
  await first.call('storage', 'get', { key: 'note' })
  await second.call('storage', 'get', { key: 'note' })
  const away = await fetch(`${a.url}/readyz`)
  expect([away.status, await away.json()]).toMatchObject([
    503,
    { reasons: expect.arrayContaining([expect.stringContaining('storage')]) },
  ])
  await postgres.start()
  await expect.poll(() => ready(a)).toBe(200)
  await expect.poll(() => ready(b)).toBe(200)
  expect(await first.result('storage', 'get', { key: 'note' })).toMatchObject({ value: 'from a' })

  const ended = await a.out()
  expect(ended.code).toBe(0)
  expect(ended.out).toContain('  state    in PostgreSQL and Redis\n')
})

verifies('cluster.start.away', 'lives on, and says what it serves when PostgreSQL is back', async () => {
  const gate = path.join(hosts.dir, 'gate')
  const slow = `const { existsSync } = require('node:fs')
    require('node:readline').createInterface(process.stdin).on('line', (line) => {
      const { id } = JSON.parse(line)
      const result = { name: 'slow', version: '1.0.0', tools: [] }
      setInterval(() => existsSync(${JSON.stringify(gate)}) && console.log(JSON.stringify({ jsonrpc: '2.0', id, result })), 50)
    })`
  const plugins = [{ slug: 'slow', command: [process.execPath, '-e', slow] }]
  hosts.configure('slow.json', { postgres: postgres.url, redis: redis.url, name: 'slow' }, { plugins })
  const host = await hosts.serve('slow.json', 'svc serves ')
  await postgres.stop()
  writeFileSync(gate, '')
  await host.errs('svc: what is served is told later: ')
  await postgres.start()
  await host.sees('  lacks ')
  const ended = await host.out()
  expect(ended.code).toBe(0)
  expect(ended.err.match(/is told later/g)).toHaveLength(1)
})

it.each<[string, () => object, RegExp]>([
  [
    'PostgreSQL is away',
    () => ({ postgres: 'postgres://u:hidden@127.0.0.1:9/svc' }),
    /PostgreSQL cannot be reached: ECONNREFUSED/,
  ],
  [
    'the database is not there',
    () => ({ postgres: postgres.url.replace(/postgres$/, 'none') }),
    /database "none" does not exist/,
  ],
  [
    'Redis is away',
    () => ({ redis: 'redis://u:hidden@127.0.0.1:9' }),
    /Redis at 127.0.0.1:9 cannot be reached: ECONNREFUSED/,
  ],
])('ends with 9 and a sentence where %s', async (_, wrong, sentence) => {
  hosts.configure('wrong.json', { postgres: postgres.url, redis: redis.url, ...wrong() })
  const { code, out, err } = await hosts.run('serve', '--config', 'wrong.json', '--port', '0')
  expect([code, out]).toEqual([9, ''])
  expect(err).toMatch(sentence)
  expect(err.trim().split('\n')).toHaveLength(2)
  expect(err).not.toMatch(/hidden/)
})

it('ends with 3 where it cannot listen for the other hosts', async () => {
  const taken = Number(new URL(redis.url).port)
  const place = { postgres: postgres.url, redis: redis.url, peers: { port: taken } }
  hosts.configure('peers.json', place)
  const { code, err } = await hosts.run('serve', '--config', 'peers.json', '--port', '0')
  expect([code, err]).toEqual([3, expect.stringContaining('data.peers cannot be used: listen EADDRINUSE')])
})

it('judges the config without the servers', async () => {
  hosts.configure('away.json', { postgres: 'postgres://127.0.0.1:9/svc', redis: 'redis://127.0.0.1:9' })
  expect(await hosts.run('serve', '--config', 'away.json', '--check')).toEqual({
    code: 0,
    out: 'the config can be used\n',
    err: '',
  })
})
