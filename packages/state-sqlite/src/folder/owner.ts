import { type Stats, statSync } from 'node:fs'
import path from 'node:path'
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
  // A volume of a container is open to all that are in there.
  if (mayWrite(found, OTHERS_WRITE) && !isVolume(dir, found))
    throw shared(`everybody may change the folder ${dir}`, `chmod o-w ${dir}`)
}

/** Refuses a file of secrets that another user owns, may read or may change. */
export function refuseOthersFile(file: string, found: Stats): void {
  if (!isOwn(found))
    throw shared(`${file} belongs to another user (uid ${found.uid})`, `chown ${process.getuid?.()} ${file}`)
  if (mayWrite(found, isOwnGroup(found) ? OTHERS : OTHERS | GROUP_WRITE))
    throw shared(`others may read or change ${file}`, `chmod 600 ${file}`)
}

const mayWrite = ({ mode }: Stats, bits: number) => process.platform !== 'win32' && (mode & bits) !== 0

/** What root owns is as safe as the machine. */
const isOwn = ({ uid }: Stats) => process.getuid === undefined || uid === process.getuid() || uid === 0

const isVolume = (dir: string, { dev }: Stats) => statSync(path.join(dir, '..')).dev !== dev

/** Containers give volumes to a group of their process. */
const isOwnGroup = ({ gid }: Stats) =>
  gid === process.getegid?.() || process.getgroups?.().includes(gid) === true

const shared = (message: string, command: string) =>
  new FolderError('not_usable', message, `Look at what is in it. If it is yours alone, run: ${command}.`)
