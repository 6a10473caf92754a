import type { Stats } from 'node:fs'
import { FolderError } from './folder-error.ts'

/** What others than the owner and the group may do. */
const OTHERS = 0o007
const OTHERS_WRITE = 0o002
const GROUP_WRITE = 0o020

/** Refuses a folder that another user owns or may change: they could put files of theirs in the place of ours. */
export function refuseOthersFolder(dir: string, found: Stats): void {
  if (!isOwn(found))
    throw shared(
      `the folder ${dir} belongs to another user (uid ${found.uid})`,
      `chown ${process.getuid?.()} ${dir}`,
    )
  if (mayWrite(found, OTHERS_WRITE))
    throw shared(`everybody may change the folder ${dir}`, `chmod o-w ${dir}`)
}

/** Refuses a file of secrets that another user owns, may read or may change. */
export function refuseOthersFile(file: string, found: Stats): void {
  if (!isOwn(found))
    throw shared(`${file} belongs to another user (uid ${found.uid})`, `chown ${process.getuid?.()} ${file}`)
  if (mayWrite(found, OTHERS | GROUP_WRITE))
    throw shared(`others may read or change ${file}`, `chmod 600 ${file}`)
}

const mayWrite = ({ mode }: Stats, bits: number) => process.platform !== 'win32' && (mode & bits) !== 0

/** What root owns is as safe as the machine. */
const isOwn = ({ uid }: Stats) => process.getuid === undefined || uid === process.getuid() || uid === 0

const shared = (message: string, command: string) =>
  new FolderError('not_usable', message, `Look at what is in it. If it is yours alone, run: ${command}.`)
