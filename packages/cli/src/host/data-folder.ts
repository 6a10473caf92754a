import { type Clock, systemClock } from '@svc/node'
import {
  type BackupPlan,
  type Folder,
  FolderError,
  type FolderOptions,
  openBackups,
  openFolder,
} from '@svc/state-sqlite'
import { failure } from '../terminal/failure.ts'
import { printError } from '../terminal/print.ts'

/** The word in the place of a folder: nothing is kept. */
export const IN_MEMORY = 'memory'

/** What a host is made with so that its data is in a folder. */
export type DataPorts = Pick<Folder, 'store' | 'bus' | 'blobs' | 'secret'>

/** How a data folder is opened. */
export interface DataOptions {
  readonly clock?: Clock | undefined
  readonly durability?: FolderOptions['durability'] | undefined
  /** Copies that are made of it once a day. */
  readonly backup?: BackupPlan | undefined
}

/** A data folder in use. */
export interface DataFolder {
  readonly ports: DataPorts
  /** Resolves where the folder can be used no more until it is opened again, by a new process. */
  readonly lost: Promise<Error>
  /** Lets it go; after the host has closed. */
  close(): Promise<void>
}

/** Opens a data folder, which is made where there is none. Errors: `config`. */
export async function openData(
  dir: string,
  { clock, durability, backup }: DataOptions = {},
): Promise<DataFolder> {
  const lost = Promise.withResolvers<Error>()
  const { store, bus, blobs, secret, close } = await openFolder(dir, {
    ...(clock && { clock }),
    ...(durability && { durability }),
    onReindex: (collection, rows) => printError(`svc: ${rows} ${collection} in ${dir} were indexed again`),
    onError: (error) => printError(`svc: the data folder ${dir}: ${String(error)}`),
    onLost: lost.resolve,
  }).catch((error: unknown) => {
    throw error instanceof FolderError ? failure('config', error.message, error.hint) : error
  })
  const endBackups =
    backup &&
    openBackups({
      clock: clock ?? systemClock,
      folder: dir,
      plan: backup,
      onDone: (file) => printError(`svc: a backup is in ${file}`),
      onError: (error) => printError(`svc: NO BACKUP of ${dir} was made: ${sentenceOf(error)}`),
    })
  return {
    ports: { store, bus, blobs, secret },
    lost: lost.promise,
    async close() {
      await endBackups?.()
      await close()
    },
  }
}

const sentenceOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
