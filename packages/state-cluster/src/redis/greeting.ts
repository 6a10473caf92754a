import { BusError } from '@svc/state/driver'
import type { Redis } from 'ioredis'
import { loadScripts } from './scripts.ts'

/** What a server says of itself. */
export interface Greeting {
  /** Another one where journals may be others than before: an empty server, a restarted one, another master. */
  readonly epoch: string
  /** What an operator should change, or null. */
  readonly warning: string | null
}

const OLDEST = 7
const ID_CHARS = 8

/**
 * Asks a server whether it can carry a bus, and for the epoch of its journals: of a number that is stored in it, which
 * goes with the data, and of its replication id, which changes with each start and each new master.
 */
export async function greetServer(redis: Redis, prefix: string, newId: () => string): Promise<Greeting> {
  const info = parseInfo(await redis.info())
  const version = info.get('redis_version') ?? '0'
  if (Number.parseInt(version, 10) < OLDEST)
    throw new BusError('unavailable', `the bus needs Redis ${OLDEST} or newer, got ${version}`)
  if (info.get('role') !== 'master')
    throw new BusError('unavailable', 'the bus needs the master of Redis, got a replica')
  const key = `${prefix}:epoch`
  const stored = (await redis.get(key)) ?? (await storeId(redis, key, newId()))
  await loadScripts(redis)
  const replica = info.get('master_replid') ?? ''
  return { epoch: `${stored}-${replica.slice(0, ID_CHARS)}`, warning: warningOf(info) }
}

/** Of several hosts that store an id at once, all get that of the first. */
async function storeId(redis: Redis, key: string, id: string): Promise<string> {
  await redis.set(key, id, 'NX')
  return (await redis.get(key)) ?? id
}

function warningOf(info: ReadonlyMap<string, string>): string | null {
  const policy = info.get('maxmemory_policy') ?? 'noeviction'
  if (policy === 'noeviction' || info.get('maxmemory') === '0') return null
  return `Redis removes journals when its memory is full: set maxmemory-policy to noeviction, got ${policy}`
}

/** The lines of `INFO` by their names. */
export const parseInfo = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .split('\r\n')
      .map((line) => line.split(':', 2) as [string, string])
      .filter(([, value]) => value !== undefined),
  )
