import {
  ArchiveError,
  type BackupDone,
  backupFolder,
  type ProgressOptions,
  readArchive,
  restoreFolder,
  writeArchive,
} from '@svc/state-sqlite'
import { Failure, failure } from '../terminal/failure.ts'
import { loadClusterModule, withCluster } from './cluster-data.ts'
import type { ClusterPlace } from './cluster-place.ts'
import { withData } from './data-args.ts'

/** Writes the state in a folder, or in PostgreSQL and Redis, into one file. Errors: `config`, `storage`. */
export async function exportState(
  place: string | ClusterPlace,
  file: string,
  options: ProgressOptions,
): Promise<BackupDone> {
  if (typeof place === 'string') return withData(backupFolder(place, file, options))
  const { readCluster } = await loadClusterModule()
  const snapshot = await withCluster(readCluster(place))
  try {
    return await withCluster(withData(writeArchive(file, snapshot, options)))
  } finally {
    await snapshot.close()
  }
}

/** Begins a folder, or PostgreSQL and Redis, with the state in a file; where it fails, nothing is there. Errors: `config`, `storage`. */
export async function importState(
  place: string | ClusterPlace,
  file: string,
  options: ProgressOptions,
): Promise<void> {
  if (typeof place === 'string') return withData(restoreFolder(file, place, options))
  const { loadCluster } = await loadClusterModule()
  try {
    await withCluster(readArchive(file, (pieces) => loadCluster(place, pieces), options))
  } catch (error) {
    if (error instanceof ArchiveError)
      throw failure('config', `${error.message}; nothing was imported`, error.hint)
    throw error instanceof Failure && error.kind === 'storage'
      ? failure('storage', `${error.message}; nothing was imported`, error.hint)
      : error
  }
}
