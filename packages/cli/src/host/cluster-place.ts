import { failure } from '../terminal/failure.ts'

/** The servers that several hosts share in the place of a data folder; what is left out is as `openCluster` has it. */
export interface ClusterPlace {
  /** `postgres://user:password@host:port/database`. */
  readonly postgres: string
  /** `redis://user:password@host:port/0`, or `rediss:` for TLS. */
  readonly redis: string
  /** Hosts with the same name share their state. Default `svc`. */
  readonly name?: string
  /** Where this host answers the others. Default: a free port of 127.0.0.1, for hosts on one machine. */
  readonly peers?: { readonly address?: string; readonly port?: number; readonly url?: string }
  /** Connections to PostgreSQL, at most. Default 10. */
  readonly connections?: number
}

/** How a config file names the servers. */
export const SERVERS_HINT = 'data: { postgres: process.env.SVC_POSTGRES, redis: process.env.SVC_REDIS }'

/** Refuses options that are of a data folder. Errors: `config`. */
export function refuseOfFolder(
  { durability, backup }: { readonly durability?: unknown; readonly backup?: unknown },
  file: string,
): void {
  if (durability !== undefined)
    throw failure(
      'config',
      `${file}: durability is of a data folder, and the data is in PostgreSQL and Redis`,
      'Leave it out: synchronous_commit of PostgreSQL and appendfsync of Redis say what a write survives.',
    )
  if (backup !== undefined)
    throw failure(
      'config',
      `${file}: backup is of a data folder, and the data is in PostgreSQL and Redis`,
      'Leave it out: back up PostgreSQL with its own tools, or run svc data export FILE --config on a timer.',
    )
}
