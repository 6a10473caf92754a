import { createHash } from 'node:crypto'
import { constants, type Stats, statSync } from 'node:fs'
import { type FileHandle, open, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, normalize } from 'node:path'
import type { Distribution } from '@svc/contract'
import type { InstallFault } from '@svc/contract/errors'
import type { Limits } from '@svc/contract/limits'
import { fillWith } from './fill.ts'
import type { InstallMethod } from './install-method.ts'
import { fault, problem } from './problem.ts'
import { interpreterOf } from './start.ts'
import { archiveType, unpackInto } from './unpack.ts'

type Local = Extract<Distribution, { type: 'local' }>

/** The bits that let others than the owner write: a group's, and everybody's. */
const OTHERS_WRITE = 0o022
const ROOT = 0
const STICKY = 0o1000
const SET_ID = 0o6000

/**
 * How a file of this machine is installed: an archive is unpacked and a program copied, from one look at their bytes,
 * so that what runs is what was judged. A script stays where it is, beside what it imports.
 */
export async function localMethod({ path, executable_name }: Local, limits: Limits): Promise<InstallMethod> {
  const name = basename(path)
  const by = interpreterOf(name)
  const type = archiveType(name)
  const digest = await opened(path, limits, by ? async () => '' : digestOf)
  if (by) return { command: [by, path] }
  return {
    identity: [digest, name, executable_name ?? ''],
    async fill(folder) {
      const bytes = await opened(path, limits, (handle) => handle.readFile())
      if (createHash('sha256').update(bytes).digest('hex') !== digest)
        throw problem(
          `${path} changed while it was installed`,
          'Write it elsewhere and rename it to this path.',
        )
      return type
        ? unpackInto(folder, { type, bytes, limits, wanted: executable_name })
        : fillWith(folder, name, bytes)
    },
  }
}

/** The digest of a file; it is not held in memory, as its install may have to wait. */
async function digestOf(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of handle.createReadStream({ autoClose: false })) hash.update(chunk)
  return hash.digest('hex')
}

/** What changes when the file does, without reading it. */
export function localState({ path }: Local): string {
  try {
    const { ino, size, mtimeMs } = statSync(path)
    return `${ino} ${size} ${mtimeMs}`
  } catch {
    return ''
  }
}

/** Looks into a plain file that only its owner can change; judged by the open file, which nobody can put another in place of. */
async function opened<Seen>(
  path: string,
  limits: Limits,
  look: (handle: FileHandle) => Promise<Seen>,
): Promise<Seen> {
  if (!isAbsolute(path) || normalize(path) !== path)
    throw fault('path_unsafe', `its path must be absolute and without .., got ${path}`)
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: NodeJS.ErrnoException) => {
      const [reason, why] = faults.get(error.code ?? '') ?? []
      throw reason ? fault(reason, `${path} ${why}`) : problem(`${path} cannot be read (${error.code})`)
    },
  )
  try {
    const found = fileFault(await handle.stat(), limits) ?? (await folderFault(path))
    if (found) throw fault(found[0], `${path} ${found[1]}`)
    return await look(handle)
  } finally {
    await handle.close()
  }
}

type Fault = readonly [reason: InstallFault, why: string]

/** What its author can do something about, by what the system says. */
const faults: ReadonlyMap<string, Fault> = new Map<string, Fault>([
  ['ENOENT', ['path_missing', 'is not there']],
  ['ENOTDIR', ['path_missing', 'is not there']],
  ['ENAMETOOLONG', ['path_missing', 'has a name that is too long for the disk']],
  ['ELOOP', ['path_is_link', 'is a link; use the path of its target']],
  ['ENXIO', ['path_not_a_file', 'is not a plain file']],
  ['EACCES', ['path_unreadable', 'may not be read by the runner']],
  ['EPERM', ['path_unreadable', 'may not be read by the runner']],
])

function fileFault(found: Stats, limits: Limits): Fault | undefined {
  if (found.isDirectory()) return ['path_is_folder', 'is a folder; name an archive or an executable']
  if (!found.isFile()) return ['path_not_a_file', 'is not a plain file']
  if (found.mode & SET_ID) return ['path_unsafe', 'is set-uid']
  if (!isTrusted(found)) return ['path_unsafe', `belongs to another user (uid ${found.uid}); make it yours`]
  if (found.mode & OTHERS_WRITE)
    return ['path_unsafe', 'can be changed by others; remove that right (chmod go-w)']
  if (found.size > limits.ARCHIVE_BYTES_MAX)
    return ['file_too_large', `must have at most ${limits.ARCHIVE_BYTES_MAX} bytes, got ${found.size}`]
  return undefined
}

/**
 * Who may write to a folder, or owns it, could put another file in the place of one in it. The sticky bit forbids that to
 * all but the owner; it does not forbid new files, which a script would import, in the folder itself.
 */
async function folderFault(path: string): Promise<Fault | undefined> {
  const own = await realpath(dirname(path))
  for (let folder = own; ; folder = dirname(folder)) {
    const found = await stat(folder)
    if (!isTrusted(found))
      return ['path_unsafe', `lies in ${folder}, which belongs to another user (uid ${found.uid})`]
    if (found.mode & OTHERS_WRITE && !(folder !== own && found.mode & STICKY))
      return ['path_unsafe', `lies in ${folder}, which others can change; remove that right (chmod go-w)`]
    if (folder === dirname(folder)) return undefined
  }
}

/** Whether it belongs to the user of this process or to root; a system without such owners says nothing. */
const isTrusted = ({ uid }: Stats): boolean =>
  process.getuid === undefined || uid === process.getuid() || uid === ROOT
