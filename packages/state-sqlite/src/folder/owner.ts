import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs'
import path from 'node:path'
import { FolderError } from './folder-error.ts'

/** What others than the owner and the group may do. */
const OTHERS = 0o007
const OTHERS_WRITE = 0o002
const GROUP_WRITE = 0o020
const STICKY = 0o1000

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
  const open = [...wayTo(dir), ...parentsOf(realpathSync(dir))].find(isOpen)
  if (open !== undefined)
    throw shared(
      `everybody may put another folder in the place of ${dir}, because of ${open}`,
      `chmod o-w ${open}`,
    )
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

/** In a folder with the sticky bit, such as `/tmp`, only their owners give things another name. */
function isOpen(dir: string): boolean {
  const found = statSync(dir, { throwIfNoEntry: false })
  return (
    found !== undefined && mayWrite(found, OTHERS_WRITE) && !mayWrite(found, STICKY) && !isVolume(dir, found)
  )
}

const parentsOf = (dir: string): readonly string[] => {
  const parent = path.dirname(dir)
  return parent === dir ? [] : [parent, ...parentsOf(parent)]
}

/**
 * The folders in which the names lie that lead to a folder, those of links on the way among them. Where a link goes up
 * behind another link it may name one that is not there.
 */
function wayTo(dir: string): readonly string[] {
  const parents = parentsOf(dir)
  const link = [...parents.toReversed(), dir].find((name) =>
    lstatSync(name, { throwIfNoEntry: false })?.isSymbolicLink(),
  )
  if (link === undefined) return parents
  const to = path.resolve(path.dirname(link), readlinkSync(link), path.relative(link, dir))
  return [...parentsOf(link), ...wayTo(to)]
}

const isVolume = (dir: string, { dev }: Stats) => statSync(path.join(dir, '..')).dev !== dev

/** Containers give volumes to a group of their process. */
const isOwnGroup = ({ gid }: Stats) =>
  gid === process.getegid?.() || process.getgroups?.().includes(gid) === true

const shared = (message: string, command: string) =>
  new FolderError('not_usable', message, `Look at what is in it. If it is yours alone, run: ${command}.`)
