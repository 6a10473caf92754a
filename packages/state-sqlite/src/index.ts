export { ArchiveError, type ArchiveErrorCode } from '@svc/state/portable'
export { FolderError, type FolderErrorCode } from './folder/folder-error.ts'
export { openBlobs } from './open-blobs.ts'
export { durabilityRule, type Folder, type FolderOptions, openFolder } from './open-folder.ts'
export {
  type BackupDone,
  type ProgressOptions,
  readArchive,
  type WrittenState,
  writeArchive,
} from './portable/archive-file.ts'
export { backupFolder } from './portable/backup-folder.ts'
export { type BackupPlan, type BackupsOptions, backupRule, openBackups } from './portable/backups.ts'
export {
  type CheckOptions,
  checkFolder,
  type FolderReport,
  type NamedBlobs,
} from './portable/check-folder.ts'
export { loadFolder } from './portable/load-folder.ts'
export { type FolderSnapshot, readFolder } from './portable/read-folder.ts'
export { restoreFolder } from './portable/restore-folder.ts'
export { type FolderStats, folderStats } from './portable/stats-folder.ts'
export type { Durability } from './threads/database.ts'
