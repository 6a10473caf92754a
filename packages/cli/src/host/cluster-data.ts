import type { Clock } from '@svc/node'
import type { Cluster } from '@svc/state-cluster'
import { failure } from '../terminal/failure.ts'
import { printError } from '../terminal/print.ts'
import type { ClusterPlace } from './cluster-place.ts'
import type { DataFolder } from './data-folder.ts'

/** What `svc` uses of the package, which only hosts that share their state install. */
export type ClusterModule = typeof import('@svc/state-cluster')

/** Loads the package. Errors: `config`, where it is not installed. */
export async function loadClusterModule(): Promise<ClusterModule> {
  try {
    return await import('@svc/state-cluster')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes("state-cluster'")) throw error
    throw failure(
      'config',
      'data in PostgreSQL and Redis needs the package @svc/state-cluster',
      'npm install @svc/state-cluster',
    )
  }
}

/**
 * Opens what several hosts share, in the place of a data folder. Errors: `storage`, where a server cannot be used;
 * `config`, where this host cannot listen for the others.
 */
export async function openClusterData(
  place: ClusterPlace,
  { clock }: { readonly clock?: Clock | undefined } = {},
): Promise<Omit<DataFolder, 'lost'>> {
  const { openCluster } = await loadClusterModule()
  const cluster = await withCluster(
    openCluster({
      ...place,
      clock,
      onReindex: (collection, rows) => printError(`svc: ${rows} ${collection} were indexed again`),
      onError: (error) => printError(`svc: ${sentenceOf(error)}`),
    }),
  )
  const { store, bus, blobs, secret, close }: Cluster = cluster
  return { ports: { store, bus, blobs, secret }, close }
}

/** What errors of the servers are called. */
const known: ReadonlySet<string> = new Set(['StoreError', 'BusError'])

/** Does something with PostgreSQL and Redis. Errors: `storage`, `config`. */
export async function withCluster<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    const { name, message, syscall, hint } = error as NodeJS.ErrnoException & { hint?: string }
    if (syscall === 'listen') throw failure('config', `data.peers cannot be used: ${message}`, PEERS_HINT)
    if (name === 'ClusterError') throw failure('config', message, hint)
    if (known.has(name)) throw failure('storage', message, STORAGE_HINT)
    throw error
  }
}

const PEERS_HINT = 'Name an address of this machine and a port that is free.'
const STORAGE_HINT = 'Look at the server, and at data in the config file; then try again.'

const sentenceOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
