export { FolderError, type FolderErrorCode } from './folder/folder-error.ts'
export { type Folder, type FolderOptions, openFolder } from './folder/open-folder.ts'
export type { Durability } from './threads/database.ts'
