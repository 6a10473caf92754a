import { type ClusterServers, connectPostgres, connectRedis } from '../portable/servers.ts'
import { type ClusterFinding, judge } from './finding.ts'
import { judgeHosts } from './host-rules.ts'
import { type HostRow, readPostgres } from './postgres-facts.ts'
import { postgresRules } from './postgres-rules.ts'
import { readRedis, redisName, redisRules } from './redis-rules.ts'

/** What was looked at. */
export interface InspectOptions extends ClusterServers {
  /** Connections to PostgreSQL that each host may take; default 10. */
  readonly connections?: number | undefined
}

/** What was seen of the servers that hosts share. */
export interface ClusterReport {
  /** The servers as they name themselves: `PostgreSQL 17.6`; null where one cannot be reached. */
  readonly postgres: string | null
  readonly redis: string | null
  /** Where running hosts answer each other. */
  readonly hosts: readonly HostRow[]
  /** What is wrong; nothing where all is right. */
  readonly findings: readonly ClusterFinding[]
}

const CONNECTIONS = 10

/** Looks for what loses data or stalls hosts in the servers that they share. Changes nothing. */
export async function inspectCluster(options: InspectOptions): Promise<ClusterReport> {
  const [postgres, redis] = await Promise.all([inspectPostgres(options), inspectRedis(options)])
  return {
    postgres: postgres.name,
    redis: redis.name,
    hosts: postgres.hosts,
    findings: [...postgres.findings, ...redis.findings, ...(await judgeHosts(postgres.hosts))],
  }
}

interface Seen {
  readonly name: string | null
  readonly findings: readonly ClusterFinding[]
}

async function inspectPostgres({
  postgres,
  name = 'svc',
  connections = CONNECTIONS,
}: InspectOptions): Promise<Seen & { readonly hosts: readonly HostRow[] }> {
  try {
    const { run, close } = await connectPostgres(postgres)
    try {
      const facts = await readPostgres(run, name, connections)
      return {
        name: `PostgreSQL ${facts.versionText}`,
        hosts: facts.hosts,
        findings: judge(postgresRules, facts),
      }
    } finally {
      await close()
    }
  } catch (error) {
    return { name: null, hosts: [], findings: [away('postgres.reach', error)] }
  }
}

async function inspectRedis({ redis }: InspectOptions): Promise<Seen> {
  try {
    const { ask, close } = await connectRedis(redis)
    try {
      const facts = await ask(readRedis)
      return { name: redisName(facts), findings: judge(redisRules, facts) }
    } finally {
      close()
    }
  } catch (error) {
    return { name: null, findings: [away('redis.reach', error)] }
  }
}

function away(id: string, error: unknown): ClusterFinding {
  // Anything else is a fault of ours.
  if (!(error instanceof Error && ['StoreError', 'BusError'].includes(error.name))) throw error
  return {
    id,
    severity: 'fails',
    what: error.message,
    why: 'No host can start or work without it.',
    change: 'Look at the server, at the URL in data, and at what may connect from this machine.',
  }
}
