import { fsync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'

const synced = promisify(fsync)

/** Has the disk keep what was written to a file. By its descriptor: handles of Plug'n'Play have no `sync` of their own. */
export const syncFile = ({ fd }: Pick<FileHandle, 'fd'>): Promise<void> => synced(fd)
