import { createWriteStream } from 'node:fs'
import { type FileHandle, open, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { rename, syncFolder } from '@svc/node'
import { ArchiveError, type Piece, type Pieces, readState, writeState } from '@svc/state/portable'
import { unlessAbsent } from '../folder/absent.ts'
import { FolderError } from '../folder/folder-error.ts'
import { fileErrorOf } from './errors.ts'

/** What may hear of a long piece of work. */
export interface ProgressOptions {
  /** Hears what was done: `done` of about `total`. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

/** What was written. */
export interface BackupDone {
  readonly records: number
  readonly items: number
  readonly blobs: number
  /** Bytes of the file. */
  readonly bytes: number
}

/** A state to write. */
export interface WrittenState {
  readonly pieces: Pieces
  /** How many pieces there are, about. */
  readonly total: number
}

const CHUNK_BYTES = 262_144

/**
 * Writes a state, of whichever driver, into one file. The file is there whole or not at all; only its owner can read it,
 * for the secret of tokens is in it. Throws `FolderError` and `ArchiveError`, and what the pieces throw.
 */
export async function writeArchive(
  file: string,
  { pieces, total }: WrittenState,
  { onProgress }: ProgressOptions = {},
): Promise<BackupDone> {
  const target = path.resolve(file)
  const part = `${target}.part`
  const counts = { records: 0, items: 0, blobs: 0 }
  async function* counted(): AsyncGenerator<Piece> {
    let done = 0
    for await (const piece of pieces) {
      if (piece.kind === 'record') counts.records += 1
      if (piece.kind === 'item') counts.items += 1
      if (piece.kind === 'blob') counts.blobs += 1
      yield piece
      done += piece.kind === 'journal' ? 0 : 1
      onProgress?.(done, total)
    }
  }
  try {
    await refuseExisting(target)
    await rm(part, { force: true })
    await pipeline(
      Readable.from(writeState(counted())),
      createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true }),
    )
    await refuseExisting(target)
    await rename(part, target)
    await syncFolder(path.dirname(target))
    return { ...counts, bytes: (await stat(target)).size }
  } catch (error) {
    await rm(part, { force: true }).catch(() => {})
    throw fileErrorOf(target, error)
  }
}

/** Refuses to overwrite. Throws `FolderError`. */
export async function refuseExisting(target: string): Promise<void> {
  const there = await unlessAbsent(stat(target)).catch((error) => {
    throw fileErrorOf(target, error)
  })
  if (there)
    throw new FolderError(
      'not_usable',
      `the file ${target} is there already`,
      'Choose another name; nothing is overwritten.',
    )
}

/**
 * Reads a file of `writeArchive` as the pieces in it; they are there until the work ends. Throws `ArchiveError`, and what
 * the work throws.
 */
export async function readArchive<Result>(
  file: string,
  work: (pieces: Pieces) => Promise<Result>,
  { onProgress }: ProgressOptions = {},
): Promise<Result> {
  const source = path.resolve(file)
  const handle = await open(source).catch((error) => {
    throw unreadable(source, error)
  })
  try {
    return await work(readState(chunksOf(handle, source, onProgress)))
  } finally {
    await handle.close()
  }
}

async function* chunksOf(
  handle: FileHandle,
  source: string,
  onProgress: ProgressOptions['onProgress'],
): AsyncGenerator<Uint8Array> {
  let done = 0
  try {
    const { size } = await handle.stat()
    const stream = handle.createReadStream({ autoClose: false, highWaterMark: CHUNK_BYTES })
    for await (const chunk of stream) {
      yield chunk as Uint8Array
      done += (chunk as Uint8Array).length
      onProgress?.(done, size)
    }
  } catch (error) {
    throw unreadable(source, error)
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it is not there',
  EACCES: 'this user may not read it',
  EISDIR: 'it is a folder',
}

function unreadable(source: string, error: unknown): ArchiveError {
  const { code = '', message } = error as NodeJS.ErrnoException
  const reason = REASONS[code] ?? message
  return new ArchiveError('not_ours', `the file ${source} cannot be read: ${reason}`, { cause: error })
}
