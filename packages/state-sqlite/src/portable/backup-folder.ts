import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Piece, type Pieces, writeState } from '@svc/state/portable'
import { unlessAbsent } from '../folder/absent.ts'
import { FolderError } from '../folder/folder-error.ts'
import { syncFolder } from '../folder/sync.ts'
import { fileErrorOf } from './errors.ts'
import { readFolder } from './read-folder.ts'

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

/**
 * Writes the state in a folder into one file, while a host may use the folder. The file is there whole or not at all; only
 * its owner can read it, for the secret of tokens is in it. Throws `FolderError` and `ArchiveError`.
 */
export async function backupFolder(
  dir: string,
  file: string,
  { onProgress }: ProgressOptions = {},
): Promise<BackupDone> {
  const target = path.resolve(file)
  const part = `${target}.part`
  await refuseTarget(path.resolve(dir), target)
  const snapshot = await readFolder(dir)
  const counts = { records: 0, items: 0, blobs: 0 }
  async function* counted(): AsyncGenerator<Piece> {
    let done = 0
    for await (const piece of snapshot.pieces) {
      if (piece.kind === 'record') counts.records += 1
      if (piece.kind === 'item') counts.items += 1
      if (piece.kind === 'blob') counts.blobs += 1
      yield piece
      done += piece.kind === 'journal' ? 0 : 1
      onProgress?.(done, snapshot.total)
    }
  }
  try {
    await writeSynced(part, counted())
    await refuseTarget(path.resolve(dir), target)
    await rename(part, target)
    await syncFolder(path.dirname(target))
    return { ...counts, bytes: (await stat(target)).size }
  } catch (error) {
    await rm(part, { force: true }).catch(() => {})
    throw fileErrorOf(target, error)
  } finally {
    await snapshot.close()
  }
}

/** Refuses to overwrite, and to write into the folder that is copied. */
async function refuseTarget(root: string, target: string): Promise<void> {
  const inside = path.relative(root, target)
  if (!inside.startsWith('..') && !path.isAbsolute(inside))
    throw new FolderError(
      'not_usable',
      `the file ${target} would be in the data folder that it is a copy of`,
      'Choose a place outside of it, best on another disk.',
    )
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

async function writeSynced(file: string, pieces: Pieces): Promise<void> {
  await rm(file, { force: true })
  await pipeline(
    Readable.from(writeState(pieces)),
    createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }),
  )
}
