import type { ClusterFinding, ClusterReport } from '@svc/state-cluster'
import { loadClusterModule } from '../host/cluster-data.ts'
import { type ReadConfig, readServeConfig } from '../host/serve-config.ts'

/** What a config file and its servers say of a deployment. */
export interface Deployment {
  /** The servers that hosts share; null where the data is not in servers. */
  readonly servers: Omit<ClusterReport, 'findings'> | null
  readonly findings: readonly ClusterFinding[]
}

/** Looks at what a config file says, and at its PostgreSQL and Redis. Errors: `config`. */
export async function inspectDeployment(config: string, cwd: string): Promise<Deployment> {
  const read = await readServeConfig(config, cwd)
  const findings = judgeProxies(read)
  if (typeof read.data !== 'object' || read.data === null) return { servers: null, findings }
  const { inspectCluster } = await loadClusterModule()
  const { findings: found, ...servers } = await inspectCluster(read.data)
  return { servers, findings: [...found, ...findings] }
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/
/** Everybody. */
const ALL = /\/0$/

/** What is wrong with the addresses that a config file trusts. */
export function judgeProxies({
  origins = [],
  address = '127.0.0.1',
  trustedProxies,
}: Pick<ReadConfig, 'origins' | 'address' | 'trustedProxies'>): ClusterFinding[] {
  const all = trustedProxies?.find((range) => ALL.test(range))
  if (all !== undefined)
    return [
      {
        id: 'config.trusted_proxies',
        severity: 'hinders',
        what: `trustedProxies has ${all}, which is everybody`,
        why: 'Whoever writes X-Forwarded-For has as many addresses as he likes, and no rate limit.',
        change: 'Name the addresses of your proxies only.',
      },
    ]
  const isPublic = origins.some((origin) => !LOOPBACK.test(URL.parse(origin)?.hostname ?? ''))
  if (!isPublic || LOOPBACK.test(address) || trustedProxies !== undefined) return []
  return [
    {
      id: 'config.trusted_proxies',
      severity: 'hinders',
      what: `the host listens on ${address}, and trustedProxies names no proxy but this machine`,
      why: 'If the proxy is on another machine, all clients without a sign-in share one rate limit.',
      change: "Name it: trustedProxies: ['10.0.0.2'], and let it set X-Forwarded-For.",
    },
  ]
}
