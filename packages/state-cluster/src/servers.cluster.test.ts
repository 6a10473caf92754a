import { readFileSync } from 'node:fs'
import { startPgBouncer } from '@svc/conformance/testing/pgbouncer-server'
import { startPostgresServer } from '@svc/conformance/testing/postgres-server'
import { startRedisServer } from '@svc/conformance/testing/redis-server'
import type { ServerProcess } from '@svc/conformance/testing/server-process'
import { Redis } from 'ioredis'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'

interface Subject {
  readonly server: ServerProcess
  /** Writes down a word, and returns what was written before. */
  write(word: string): Promise<readonly string[]>
}

async function postgresAt(url: string, server: ServerProcess): Promise<Subject> {
  return {
    server,
    async write(word) {
      const client = new pg.Client(url)
      client.on('error', () => {})
      await client.connect()
      try {
        await client.query('CREATE TABLE IF NOT EXISTS words (word text)')
        const { rows } = await client.query<{ word: string }>('SELECT word FROM words')
        await client.query('INSERT INTO words VALUES ($1)', [word])
        return rows.map((row) => row.word)
      } finally {
        await client.end()
      }
    },
  }
}

async function redis(isDurable: boolean): Promise<Subject> {
  const server = await startRedisServer({ isDurable })
  onTestFinished(() => server.close())
  return {
    server,
    async write(word) {
      const client = new Redis(server.url, { lazyConnect: true, retryStrategy: null })
      client.on('error', () => {})
      try {
        await client.connect()
        const before = await client.lrange('words', 0, -1)
        await client.rpush('words', word)
        return before
      } finally {
        client.disconnect()
      }
    },
  }
}

async function postgres(): Promise<Subject> {
  const server = await startPostgresServer()
  onTestFinished(() => server.close())
  return postgresAt(server.url, server)
}

async function pgBouncer(): Promise<Subject> {
  const { port: postgresPort, close } = await startPostgresServer()
  onTestFinished(close)
  const bouncer = await startPgBouncer({ postgresPort })
  onTestFinished(() => bouncer.close())
  return postgresAt(bouncer.url, bouncer)
}

it.each([
  ['a PostgreSQL', postgres, true],
  ['a PgBouncer', pgBouncer, true],
  ['a durable Redis', () => redis(true), true],
  ['a Redis', () => redis(false), false],
])('%s is paused, stopped, killed and started again on its port', async (_, open, isKept) => {
  const { server, write } = await open()
  const kept = (words: readonly string[]) => (isKept ? words : [])
  expect(await write('first')).toEqual([])
  await server.pause()
  expect(readFileSync(`/proc/${server.pid}/status`, 'utf8')).toMatch(/^State:\s+T/m)
  const second = write('second')
  server.resume()
  expect(await second).toEqual(['first'])
  await server.stop()
  await expect(write('lost')).rejects.toThrow()
  await server.start()
  expect(await write('third')).toEqual(kept(['first', 'second']))
  await server.kill()
  await server.start()
  expect(await write('fourth')).toEqual(kept(['first', 'second', 'third']))
})
