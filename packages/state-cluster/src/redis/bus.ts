import { type Clock, systemClock } from '@svc/node'
import { type Bus, memoryBus } from '@svc/state'
import { BusError } from '@svc/state/driver'
import { Redis } from 'ioredis'

/** Where the bus is. */
export interface RedisBusOptions {
  /** Where Redis is, `redis://user:password@host:port/db`, or `rediss:` for TLS. */
  readonly url: string
  /** The clock of the bus; left out: the machine's. */
  readonly clock?: Clock
}

/** Opens a bus on Redis. Throws `BusError` `unavailable`. */
export async function openRedisBus({ url, clock = systemClock }: RedisBusOptions): Promise<Bus> {
  const redis = new Redis(url, { lazyConnect: true })
  await redis.connect().catch((cause: unknown) => {
    redis.disconnect()
    throw new BusError('unavailable', 'Redis cannot be reached', { cause })
  })
  const local = memoryBus({ clock })
  return {
    ...local,
    async close() {
      redis.disconnect()
      await local.close()
    },
  }
}
