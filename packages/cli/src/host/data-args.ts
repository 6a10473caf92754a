import { ArchiveError, FolderError } from '@svc/state-sqlite'
import { failure } from '../terminal/failure.ts'
import type { ClusterPlace } from './cluster-place.ts'
import { readServeConfig } from './serve-config.ts'

const DATA = './svc-data'

/** The options of every command about a data folder. */
export const dataArgs = {
  data: { type: 'string', default: DATA, description: 'The data folder.' },
  json: { type: 'boolean', default: false, description: 'Prints one line of JSON.' },
} as const

/** The options of commands about data that may also be in PostgreSQL and Redis. */
export const placeArgs = {
  config: { type: 'string', description: 'The config file of svc serve, which says where the data is.' },
  data: { type: 'string', description: `The data folder; without it and --config, ${DATA}.` },
  json: dataArgs.json,
} as const

/** Where the data is that a command is about. Errors: `config`. */
export async function readPlace(
  { config, data }: { readonly config?: string | undefined; readonly data?: string | undefined },
  cwd: string,
): Promise<string | ClusterPlace> {
  if (config === undefined) return data ?? DATA
  const { data: place } = await readServeConfig(config, cwd, data)
  if (place === null)
    throw failure(
      'config',
      `${config} names no place for the data that svc can open`,
      'Name a folder with --data.',
    )
  return place
}

/** Does something with a data folder, or an archive of one. Errors: `config`. */
export async function withData<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    const isKnown = error instanceof FolderError || error instanceof ArchiveError
    throw isKnown ? failure('config', error.message, error.hint) : error
  }
}
