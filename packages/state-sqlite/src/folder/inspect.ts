import { open, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { numberOf, openReader } from '../threads/database.ts'
import { type Format, journalsFormat, recordsFormat } from '../threads/format.ts'
import { unlessAbsent } from './absent.ts'
import { type FolderError, unfit } from './folder-error.ts'

/** The database files: of records, and of journals. */
export const databases = ['svc.db', 'journals.db'] as const

/** What is in a data folder besides what SQLite adds to `.db` files. */
const OURS = /^(svc|journals|lock)\.db(-wal|-shm|-journal)?$|^(lock\.pid|secret|secret\.new|blobs|backups)$/

/** Where the header of an SQLite file has what is read here; all numbers are big-endian. */
const HEADER = {
  bytes: 108,
  magic: 'SQLite format 3\0',
  pageSize: 16,
  pages: 28,
  version: 60,
  application: 68,
  tables: 103,
} as const
/** A page size of 1 stands for this. */
const LARGEST_PAGE = 65_536

/** What a database file is, before it is opened. */
export interface FileState {
  readonly format: Format
  readonly file: string
  /** How many steps of its format it has taken, as far as the file itself says. */
  readonly version: number
  readonly isThere: boolean
}

/**
 * Looks at a folder without changing it. Throws `FolderError`: `not_ours` where it holds what no data folder does, `newer`,
 * `damaged`.
 */
export async function inspectFolder(
  dir: string,
  formats = [recordsFormat, journalsFormat],
): Promise<FileState[]> {
  await refuseForeign(dir)
  const files = await Promise.all(
    formats.map((format, at) => inspectFile(path.join(dir, databases[at] as string), format)),
  )
  for (const missing of files.filter(({ isThere }) => !isThere))
    for (const { file } of files.filter(({ isThere }) => isThere))
      if (wasUsed(file))
        throw damaged(missing.file, missing.format, `it is missing or empty, and ${file} was in use`)
  return files
}

/** Refuses a folder that holds what no data folder does. Throws `FolderError` `not_ours`. */
export async function refuseForeign(dir: string): Promise<void> {
  const foreign = (await readdir(dir)).find((name) => !OURS.test(name))
  if (foreign !== undefined)
    throw unfit('not_ours', `the folder ${dir} is not a data folder of svc: it holds ${foreign}`)
}

async function inspectFile(file: string, format: Format): Promise<FileState> {
  const header = await readHeader(file)
  const hasLog = ((await unlessAbsent(stat(`${file}-wal`)))?.size ?? 0) > 0
  if (!header || header.length === 0) {
    // SQLite begins a log only when the file has its first page, and deletes one that it finds beside an empty file.
    if (hasLog) throw damaged(file, format, 'it is missing or empty, and its log is there')
    return { format, file, version: 0, isThere: false }
  }
  const isSqlite = header.subarray(0, HEADER.magic.length).toString('latin1') === HEADER.magic
  if (header.length < HEADER.bytes || !isSqlite)
    throw damaged(file, format, 'it is not an SQLite file, or its beginning was overwritten')
  const { application, version, tables } = hasLog ? readThroughLog(file) : readMarks(header)
  // Its making was cut off.
  if (application === 0 && version === 0 && tables === 0) return { format, file, version, isThere: true }
  if (application !== format.applicationId)
    throw unfit('not_ours', `${file} is an SQLite file of another program`)
  if (version > format.steps.length)
    throw unfit(
      'newer',
      `${file} has format ${version}, and this version of svc knows formats up to ${format.steps.length}`,
    )
  const pageSize = header.readUInt16BE(HEADER.pageSize)
  const wanted = header.readUInt32BE(HEADER.pages) * (pageSize === 1 ? LARGEST_PAGE : pageSize)
  const { size } = await stat(file)
  if (!hasLog && size < wanted) throw damaged(file, format, `it has ${size} bytes of ${wanted}`)
  return { format, file, version, isThere: true }
}

const readMarks = (header: Buffer) => ({
  application: header.readUInt32BE(HEADER.application),
  version: header.readUInt32BE(HEADER.version),
  tables: header.readUInt16BE(HEADER.tables),
})

/** The same where a killed process left a log, which may say otherwise than the file. */
function readThroughLog(file: string): ReturnType<typeof readMarks> {
  const db = openReader(file)
  try {
    return {
      application: numberOf(db, 'PRAGMA application_id'),
      version: numberOf(db, 'PRAGMA user_version'),
      tables: numberOf(db, 'SELECT count(*) FROM sqlite_schema'),
    }
  } finally {
    db.close()
  }
}

/** Whether one of the files had been opened: each notes a fact then, or with its first write. */
export const wereUsed = (files: readonly FileState[]): boolean =>
  files.some(({ isThere, file }) => isThere && wasUsed(file))

function wasUsed(file: string): boolean {
  const db = openReader(file)
  try {
    const hasFacts = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'facts'").get() !== undefined
    return hasFacts && db.prepare('SELECT 1 FROM facts').get() !== undefined
  } finally {
    db.close()
  }
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

const damaged = (file: string, { what }: Format, reason: string): FolderError =>
  unfit('damaged', `${file} with the ${what} is damaged: ${reason}`)
