import type { Redis } from 'ioredis'
import { parseInfo } from '../redis/greeting.ts'
import { clockRule, type Rule, rule } from './finding.ts'
import { aheadOf } from './postgres-facts.ts'

/** What a Redis says of itself: lines of `INFO`, and of `CONFIG` where this user may read it. */
export interface RedisFacts {
  readonly info: ReadonlyMap<string, string>
  readonly appendfsync: string | null
  readonly aheadMs: number
}

const OLDEST = 7
/** The part of its memory from which a Redis counts as full. */
const FULL = 0.9

/** Reads the facts. */
export async function readRedis(redis: Redis): Promise<RedisFacts> {
  const info = parseInfo(await redis.info())
  // Those of a provider often do not allow it.
  const config = await redis.config('GET', 'appendfsync').catch(() => [])
  return {
    info,
    appendfsync: Array.isArray(config) ? ((config[1] as string | undefined) ?? null) : null,
    aheadMs: await aheadOf(async () => {
      const [s, us] = await redis.time()
      return Number(s) * 1_000 + Number(us) / 1_000
    }),
  }
}

/** How it names itself: Valkey tells the version of Redis that it stands for, and its own. */
export const redisName = ({ info }: RedisFacts): string =>
  info.has('valkey_version') ? `Valkey ${info.get('valkey_version')}` : `Redis ${info.get('redis_version')}`

const set = (name: string, value: string) => `CONFIG SET ${name} ${value}, and the same in redis.conf.`
const number = (info: RedisFacts['info'], name: string) => Number(info.get(name) ?? 0)
const is = (name: string, value: string) => (facts: RedisFacts) => facts.info.get(name) === value

/** What may be wrong with a Redis. */
export const redisRules: readonly Rule<RedisFacts>[] = [
  rule<RedisFacts>(
    'redis.version',
    'fails',
    ({ info }) => Number.parseInt(info.get('redis_version') ?? '0', 10) < OLDEST,
    ({ info }) => [
      `Redis has version ${info.get('redis_version')}`,
      `Hosts need Redis ${OLDEST} or newer, or Valkey.`,
      'Upgrade it.',
    ],
  ),
  rule<RedisFacts>(
    'redis.role',
    'fails',
    ({ info }) => info.get('role') !== 'master',
    () => ['Redis is a replica', 'It takes no writes.', 'Name the master, or an address that follows it.'],
  ),
  rule<RedisFacts>('redis.cluster', 'fails', is('cluster_enabled', '1'), () => [
    'Redis is part of a Redis Cluster',
    'A journal and its wake-ups must be on one server.',
    'Use a server of its own: cluster-enabled no.',
  ]),
  rule<RedisFacts>(
    'redis.maxmemory_policy',
    'loses',
    ({ info }) => info.get('maxmemory') !== '0' && info.get('maxmemory_policy') !== 'noeviction',
    ({ info }) => [
      `maxmemory-policy is ${info.get('maxmemory_policy')}`,
      'When its memory is full, Redis removes journals: events and frames of runs are lost.',
      set('maxmemory-policy', 'noeviction'),
    ],
  ),
  rule<RedisFacts>('redis.appendonly', 'loses', is('aof_enabled', '0'), () => [
    'appendonly is no',
    'A restart loses the journals since the last snapshot: events, frames of runs and the audit log.',
    set('appendonly', 'yes'),
  ]),
  rule<RedisFacts>(
    'redis.appendfsync',
    'loses',
    ({ appendfsync }) => appendfsync === 'no',
    () => [
      'appendfsync is no',
      'A power cut loses the journals of the last half minute.',
      set('appendfsync', 'everysec'),
    ],
  ),
  rule<RedisFacts>('redis.aof_write', 'fails', is('aof_last_write_status', 'err'), () => [
    'Redis could not write its append-only file',
    'It takes no writes until it can.',
    'Look at its disk and its log.',
  ]),
  rule<RedisFacts>('redis.snapshot', 'hinders', is('rdb_last_bgsave_status', 'err'), () => [
    'the last snapshot of Redis failed',
    'With stop-writes-on-bgsave-error it takes no writes.',
    'Look at its disk, its memory (vm.overcommit_memory = 1) and its log.',
  ]),
  rule<RedisFacts>(
    'redis.memory',
    'hinders',
    ({ info }) =>
      number(info, 'maxmemory') > 0 && number(info, 'used_memory') > FULL * number(info, 'maxmemory'),
    ({ info }) => [
      `Redis holds ${Math.round((100 * number(info, 'used_memory')) / number(info, 'maxmemory'))} % of its maxmemory`,
      'When it is full, every write of a journal is refused.',
      'Raise maxmemory.',
    ],
  ),
  clockRule('redis.clock', 'Redis'),
]
