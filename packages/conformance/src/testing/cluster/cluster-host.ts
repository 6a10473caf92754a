/** One host of several: `cluster-host.ts '{"postgres", "redis", "port", "starts"}'`. Prints `ready`, and lives until it is killed or told to end. */
import path from 'node:path'
import { createHost } from '@svc/host'
import { openCluster } from '@svc/state-cluster'
import { pino } from 'pino'

/** What it is told. */
export interface ClusterHostOptions {
  readonly postgres: string
  readonly redis: string
  readonly port: number
  /** The file in which each start of a job is noted. */
  readonly starts: string
  /** Where the other hosts reach it, when that is through a relay. */
  readonly peers?: { readonly port: number; readonly url: string }
}

/** What signs a user in at every one of these hosts. */
export const START_TOKEN = 'x'.repeat(32)

const MANY = 1_000_000
const limits = {
  WINDOW_TOKEN_TTL_MS: 86_400_000,
  JOBS_KEPT_PER_APP: MANY,
  JOBS_KEPT_PER_USER: MANY,
  RUNS_KEPT_PER_USER: MANY,
  JOBS_ACTIVE_PER_USER: 100,
  CONCURRENT_RUNS_DEFAULT: 100,
  // As long as a balancer takes to see that it leaves.
  LEAVE_NOTICE_MS: 1_000,
} as const
const quotas = { runs_per_day: MANY, completions_per_day: MANY, tokens_per_day: MANY * MANY }

if (process.argv[1] === import.meta.filename) {
  const { postgres, redis, port, starts, peers } = JSON.parse(process.argv[2] ?? '') as ClusterHostOptions
  const cluster = await openCluster({ postgres, redis, peers })
  const { store, bus, blobs, secret } = cluster
  const plugin = path.join(import.meta.dirname, 'starts-plugin.py')
  const host = createHost({
    store,
    bus,
    blobs,
    secret,
    signIn: 'dev',
    startToken: START_TOKEN,
    isolation: 'none',
    logger: pino({ level: process.env.SVC_LOG ?? 'silent' }, pino.destination(2)),
    plugins: [{ slug: 'starts', command: ['python3', '-I', '-S', plugin], env: { STARTS: starts } }],
    limits,
    quotas,
  })
  await host.plugins.ready()
  await host.listen(port)
  process.stdout.write('ready\n')
  process.once('SIGTERM', async () => {
    await host.close()
    await cluster.close()
  })
}
