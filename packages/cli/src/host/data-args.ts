import { ArchiveError, FolderError } from '@svc/state-sqlite'
import { failure } from '../terminal/failure.ts'

/** The options of every command about a data folder. */
export const dataArgs = {
  data: { type: 'string', default: './svc-data', description: 'The data folder.' },
  json: { type: 'boolean', default: false, description: 'Prints one line of JSON.' },
} as const

/** Does something with a data folder, or an archive of one. Errors: `config`. */
export async function withData<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    const isKnown = error instanceof FolderError || error instanceof ArchiveError
    throw isKnown ? failure('config', error.message, error.hint) : error
  }
}
