import { open, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { type Format, journalsFormat, recordsFormat } from '../threads/format.ts'
import { unlessAbsent } from './absent.ts'
import { FolderError } from './folder-error.ts'

/** What is in a data folder besides what SQLite adds to `.db` files. */
const OURS = /^(svc|journals|lock)\.db(-wal|-shm|-journal)?$|^(lock\.pid|secret|secret\.new|blobs|backups)$/

/** Where the header of an SQLite file has what is read here; all numbers are big-endian. */
const HEADER = { bytes: 100, magic: 'SQLite format 3\0', pageSize: 16, pages: 28, version: 60, application: 68 } as const
/** A page size of 1 stands for this. */
const LARGEST_PAGE = 65_536

/** What a database file is, before it is opened. */
export interface FileState {
  readonly format: Format
  readonly file: string
  /** How many steps of its format it has taken; 0: it is not there. */
  readonly version: number
}

/**
 * Looks at a folder without changing it. Throws `FolderError`: `not_ours` where it holds what no data folder does, `newer`,
 * `damaged`.
 */
export async function inspectFolder(dir: string, formats = [recordsFormat, journalsFormat]): Promise<FileState[]> {
  await refuseForeign(dir)
  const names = ['svc.db', 'journals.db']
  return Promise.all(formats.map((format, at) => inspectFile(path.join(dir, names[at] as string), format)))
}

/** Refuses a folder that holds what no data folder does. Throws `FolderError` `not_ours`. */
export async function refuseForeign(dir: string): Promise<void> {
  const foreign = (await readdir(dir)).find((name) => !OURS.test(name))
  if (foreign !== undefined)
    throw new FolderError(
      'not_ours',
      `the folder ${dir} is not a data folder of svc: it holds ${foreign}`,
      'Choose an empty folder, or one that svc made.',
    )
}

async function inspectFile(file: string, format: Format): Promise<FileState> {
  const header = await readHeader(file)
  if (!header || header.length === 0) return { format, file, version: 0 }
  const isSqlite = header.subarray(0, HEADER.magic.length).toString('latin1') === HEADER.magic
  if (header.length < HEADER.bytes || !isSqlite)
    throw damaged(file, format, 'it is not an SQLite file, or its beginning was overwritten')
  const application = header.readUInt32BE(HEADER.application)
  const version = header.readUInt32BE(HEADER.version)
  const hasLog = ((await unlessAbsent(stat(`${file}-wal`)))?.size ?? 0) > 0
  // Written to the log and not yet to the file: SQLite reads it from there.
  if (hasLog && application === 0) return { format, file, version: format.steps.length }
  if (application !== format.applicationId)
    throw new FolderError(
      'not_ours',
      `${file} is an SQLite file of another program`,
      'Choose an empty folder, or one that svc made.',
    )
  if (version > format.steps.length)
    throw new FolderError(
      'newer',
      `${file} has format ${version}, and this version of svc knows formats up to ${format.steps.length}`,
      'Start the newer version of svc that wrote it, or restore the backup that it made before its upgrade.',
    )
  const pageSize = header.readUInt16BE(HEADER.pageSize)
  const wanted = header.readUInt32BE(HEADER.pages) * (pageSize === 1 ? LARGEST_PAGE : pageSize)
  const { size } = await stat(file)
  if (!hasLog && size < wanted) throw damaged(file, format, `it has ${size} bytes of ${wanted}`)
  return { format, file, version }
}

async function readHeader(file: string): Promise<Buffer | null> {
  const handle = await unlessAbsent(open(file))
  if (!handle) return null
  try {
    const header = Buffer.alloc(HEADER.bytes)
    const { bytesRead } = await handle.read(header, 0, HEADER.bytes, 0)
    return header.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

function damaged(file: string, { what }: Format, reason: string): FolderError {
  return new FolderError(
    'damaged',
    `${file} with the ${what} is damaged: ${reason}`,
    'Restore the last backup into an empty folder; nothing was changed here.',
  )
}
