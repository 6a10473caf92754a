import { createHash } from 'node:crypto'
import { constants, type Stats, statSync } from 'node:fs'
import { type FileHandle, open, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, normalize } from 'node:path'
import type { Distribution } from '@svc/contract'
import type { Limits } from '@svc/contract/limits'
import { fillWith } from './fill.ts'
import { problem } from './problem.ts'
import { interpreterOf } from './start.ts'
import { archiveType, unpackInto } from './unpack.ts'
import type { Way } from './way.ts'

type Local = Extract<Distribution, { type: 'local' }>

const OTHERS_WRITE = 0o002
const STICKY = 0o1000
const SET_ID = 0o6000

/**
 * How a file of this machine is installed: an archive is unpacked and a program copied, from one look at their bytes, so
 * that what runs is what was judged. A script stays where it stands, beside what it imports.
 */
export async function localWay({ path, executable_name }: Local, limits: Limits): Promise<Way> {
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
        throw problem(`${path} changed while it was installed`, 'Put it there whole: by renaming it.')
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
    throw problem(`its path must be absolute and without .., got ${path}`)
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: NodeJS.ErrnoException) => {
      throw problem(`${path} ${faults.get(error.code ?? '') ?? `cannot be read (${error.code})`}`)
    },
  )
  try {
    const fault = fileFault(await handle.stat(), limits) ?? (await folderFault(path))
    if (fault) throw problem(`${path} ${fault}`)
    return await look(handle)
  } finally {
    await handle.close()
  }
}

const faults: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'is not there'],
  ['ENOTDIR', 'is not there'],
  ['ELOOP', 'is a link; name the file that it leads to'],
  ['ENXIO', 'is no plain file'],
  ['EACCES', 'may not be read by the runner'],
])

function fileFault(found: Stats, limits: Limits): string | undefined {
  if (found.isDirectory()) return 'is a folder; name an archive or an executable'
  if (!found.isFile()) return 'is no plain file'
  if (found.mode & SET_ID) return 'is set-uid'
  if (found.mode & OTHERS_WRITE) return 'can be changed by everybody; take that right away from it'
  if (found.size > limits.ARCHIVE_BYTES_MAX)
    return `must have at most ${limits.ARCHIVE_BYTES_MAX} bytes, got ${found.size}`
  return undefined
}

/** In a folder that everybody may write to, anybody could put another file in its place, unless the sticky bit is set. */
async function folderFault(path: string): Promise<string | undefined> {
  for (let folder = await realpath(dirname(path)); ; folder = dirname(folder)) {
    const { mode } = await stat(folder)
    if (mode & OTHERS_WRITE && !(mode & STICKY))
      return `lies in ${folder}, which everybody can change; take that right away from it`
    if (folder === dirname(folder)) return undefined
  }
}
