import { type ProgressOptions, readArchive } from './archive-file.ts'
import { loadFolder } from './load-folder.ts'

/**
 * Makes a data folder of a file that `backupFolder` wrote, or another driver. The folder must be empty or not there; it is
 * there whole or not at all. Throws `FolderError` and `ArchiveError`.
 */
export const restoreFolder = (file: string, dir: string, options: ProgressOptions = {}): Promise<void> =>
  readArchive(file, (pieces) => loadFolder(dir, pieces), options)
