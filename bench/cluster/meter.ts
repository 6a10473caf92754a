import { readFileSync } from 'node:fs'
import { Redis } from 'ioredis'
import { Pool } from 'pg'
import type { Servers } from './servers.ts'

/** What the two servers saw and used of one piece of work. */
export interface Cost {
  /** Statements by what they call or read, e.g. `swap_row`. */
  readonly statements: ReadonlyMap<string, number>
  /** Commands by name; those of a script count beside the call of the script. */
  readonly commands: ReadonlyMap<string, number>
  readonly postgresCpuUs: number
  /** What PostgreSQL wrote to its log. */
  readonly walBytes: number
  readonly redisCpuUs: number
  /** In and out of Redis. */
  readonly redisNetBytes: number
  /** What Redis keeps more than before. */
  readonly redisKeptBytes: number
  /** What PostgreSQL keeps more than before, with its indexes. */
  readonly postgresKeptBytes: number
}

type Numbers = Omit<Cost, 'statements' | 'commands'>

/** Clock ticks of `/proc`, in µs. */
const TICK_US = 10_000

/** Opens what looks at the servers; it counts none of its own. */
export async function openMeter({ postgres, redis: server }: Servers) {
  const pool = new Pool({ connectionString: postgres.url, max: 1, application_name: 'meter' })
  const redis = new Redis(server.url, { protocol: 2 })
  // The servers end before it where a measurement fails.
  pool.on('error', () => {})
  redis.on('error', () => {})
  await pool.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')

  async function numbers(): Promise<Numbers> {
    const info = await redis.info('everything')
    const of = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1] ?? Number.NaN)
    const { rows } = await pool.query<{ wal: string; kept: string }>(
      `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS wal,
         (SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' AND relname !~ '^(pg_|sql_|writes_)') AS kept`,
    )
    return {
      postgresCpuUs: familyCpuUs(postgres.pid),
      walBytes: Number(rows[0]?.wal),
      postgresKeptBytes: Number(rows[0]?.kept),
      redisCpuUs: (of('used_cpu_user') + of('used_cpu_sys')) * 1e6,
      redisNetBytes: of('total_net_input_bytes') + of('total_net_output_bytes'),
      redisKeptBytes: of('used_memory_dataset'),
    }
  }

  async function statements(): Promise<Map<string, number>> {
    const { rows } = await pool.query<{ query: string; calls: string }>(
      'SELECT query, calls FROM pg_stat_statements WHERE calls > 0',
    )
    const counted = new Map<string, number>()
    for (const { query, calls } of rows) {
      const name = nameOf(query)
      if (name) counted.set(name, (counted.get(name) ?? 0) + Number(calls))
    }
    return counted
  }

  async function commands(): Promise<Map<string, number>> {
    const found = (await redis.info('commandstats')).matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)
    return new Map(
      [...found]
        .map(([, name = '', calls]) => [name, Number(calls)] as const)
        .filter(([name]) => name !== 'info' && !name.startsWith('config')),
    )
  }

  return {
    /** What `work` costs, divided by `count`. */
    async cost(count: number, work: () => Promise<unknown>): Promise<Cost> {
      await redis.config('RESETSTAT')
      await pool.query('SELECT pg_stat_statements_reset()')
      const before = await numbers()
      await work()
      const after = await numbers()
      const each = (name: keyof Numbers) => (after[name] - before[name]) / count
      const eachOf = (counted: ReadonlyMap<string, number>) =>
        new Map([...counted].map(([name, calls]) => [name, calls / count]))
      return {
        statements: eachOf(await statements()),
        commands: eachOf(await commands()),
        postgresCpuUs: each('postgresCpuUs'),
        walBytes: each('walBytes'),
        redisCpuUs: each('redisCpuUs'),
        // `RESETSTAT` set the bytes to 0.
        redisNetBytes: after.redisNetBytes / count,
        redisKeptBytes: each('redisKeptBytes'),
        postgresKeptBytes: each('postgresKeptBytes'),
      }
    },
    async close(): Promise<void> {
      redis.disconnect()
      await pool.end()
    },
  }
}

/** What a statement calls, or the table that it is about; null: it is none of a host. */
function nameOf(query: string): string | null {
  if (!/\bsvc\./.test(query)) return null
  return /\bsvc\.(\w+)/.exec(query)?.[1] ?? null
}

/** CPU time of a process and its children, also of those that have ended, in µs. */
function familyCpuUs(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  return [pid, ...children.map(Number)].reduce((sum, one) => sum + cpuUs(one, one === pid), 0)
}

function cpuUs(pid: number, withEnded: boolean): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    const ticks = (at: number) => Number(fields[at])
    return (ticks(11) + ticks(12) + (withEnded ? ticks(13) + ticks(14) : 0)) * TICK_US
  } catch {
    return 0
  }
}

/** The resident memory of a process, in bytes. */
export function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024
}
