import type { Clock } from '@svc/node'
import { type Folder, FolderError, type FolderOptions, openFolder } from '@svc/state-sqlite'
import { failure } from '../terminal/failure.ts'

/** The word in the place of a folder: nothing is kept. */
export const IN_MEMORY = 'memory'

/** What a host is made with so that its data is in a folder. */
export type DataPorts = Pick<Folder, 'store' | 'bus' | 'blobs' | 'secret'>

/** How a data folder is opened. */
export interface DataOptions {
  readonly clock?: Clock | undefined
  readonly durability?: FolderOptions['durability'] | undefined
}

/** A data folder in use. */
export interface DataFolder {
  readonly ports: DataPorts
  /** Lets it go; after the host has closed. */
  close(): Promise<void>
}

/** Opens a data folder, which is made where there is none. Errors: `config`. */
export async function openData(dir: string, { clock, durability }: DataOptions = {}): Promise<DataFolder> {
  const { store, bus, blobs, secret, close } = await openFolder(dir, {
    ...(clock && { clock }),
    ...(durability && { durability }),
    onReindex: (collection, rows) => console.error(`svc: ${rows} ${collection} in ${dir} were indexed again`),
    onError: (error) => console.error(`svc: the data folder ${dir}: ${String(error)}`),
  }).catch((error: unknown) => {
    throw error instanceof FolderError ? failure('config', error.message, error.hint) : error
  })
  return { ports: { store, bus, blobs, secret }, close }
}
