import { randomUUID } from 'node:crypto'
import {
  type RedisServer,
  type RedisServerOptions,
  startRedisServer,
} from '@svc/conformance/testing/redis-server'
import type { Batch, Bus } from '@svc/state'
import { Redis } from 'ioredis'
import { onTestFinished } from 'vitest'
import { openRedisBus, type RedisBusOptions } from '../redis/bus.ts'

/** Starts a Redis for one test. */
export async function redisOfTest(options?: RedisServerOptions): Promise<RedisServer> {
  const server = await startRedisServer(options)
  onTestFinished(() => server.close())
  return server
}

/** Opens a function that opens buses of one prefix for one test, as several hosts do. */
export function busesOfTest(url: string, options: Omit<RedisBusOptions, 'url'> = {}) {
  const prefix = randomUUID()
  return async (at = url): Promise<Bus> => {
    const bus = await openRedisBus({ prefix, ...options, url: at })
    onTestFinished(() => bus.close())
    return bus
  }
}

/** Opens a connection beside those of the buses. */
export async function adminOfTest(url: string): Promise<Redis> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: null })
  redis.on('error', () => {})
  await redis.connect()
  onTestFinished(() => redis.disconnect())
  return redis
}

/** Follows a journal by hand. */
export function followOf(bus: Bus, name: string, after = 0) {
  const follower = bus.journal.follow(name, after)[Symbol.asyncIterator]()
  return {
    async next(): Promise<Batch> {
      const { value, done } = await follower.next()
      if (done) throw new Error('the follower ended')
      return value
    },
    end: () => follower.return?.(),
  }
}
