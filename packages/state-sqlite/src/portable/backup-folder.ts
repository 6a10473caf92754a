import path from 'node:path'
import { FolderError } from '../folder/folder-error.ts'
import { type BackupDone, type ProgressOptions, refuseExisting, writeArchive } from './archive-file.ts'
import { readFolder } from './read-folder.ts'

/**
 * Writes the state in a folder into one file, while a host may use the folder. The file is there whole or not at all; only
 * its owner can read it, for the secret of tokens is in it. Throws `FolderError` and `ArchiveError`.
 */
export async function backupFolder(
  dir: string,
  file: string,
  options: ProgressOptions = {},
): Promise<BackupDone> {
  const target = path.resolve(file)
  refuseInside(path.resolve(dir), target)
  await refuseExisting(target)
  const snapshot = await readFolder(dir)
  try {
    return await writeArchive(target, snapshot, options)
  } finally {
    await snapshot.close()
  }
}

/** Refuses to write into the folder that is copied. */
function refuseInside(root: string, target: string): void {
  const inside = path.relative(root, target)
  if (!inside.startsWith('..') && !path.isAbsolute(inside))
    throw new FolderError(
      'not_usable',
      `the file ${target} would be in the data folder that it is a copy of`,
      'Choose a place outside of it, best on another disk.',
    )
}
