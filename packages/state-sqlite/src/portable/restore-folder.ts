import { type FileHandle, open } from 'node:fs/promises'
import path from 'node:path'
import { ArchiveError, readState } from '@svc/state/portable'
import type { ProgressOptions } from './backup-folder.ts'
import { loadFolder } from './load-folder.ts'

const CHUNK_BYTES = 262_144

/**
 * Makes a data folder of a file that `backupFolder` wrote, or another driver. The folder must be empty or not there; it is
 * there whole or not at all. Throws `FolderError` and `ArchiveError`.
 */
export async function restoreFolder(
  file: string,
  dir: string,
  { onProgress }: ProgressOptions = {},
): Promise<void> {
  const source = path.resolve(file)
  const handle = await open(source).catch((error) => {
    throw unreadable(source, error)
  })
  try {
    await loadFolder(dir, readState(chunksOf(handle, source, onProgress)))
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
