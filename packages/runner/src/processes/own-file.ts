import { constants } from 'node:fs'
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { type Refusal, refuse, wrongArg } from '@svc/contract/errors'

/** Nothing that waits for its other end, and no link: what is opened was resolved before. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * Reads a file that a plugin names, where it lies in a folder after every link is followed; a relative
 * path counts from there. Whether it does is asked again of what was opened, so a link that is swapped meanwhile
 * leads nowhere. Errors: `invalid_arg`.
 */
export async function readOwnFile(folder: string, path: string, maxBytes: number): Promise<Buffer> {
  const root = await realpath(folder)
  const real = await orWrong(path, () => realpath(resolve(folder, path)))
  if (!isWithin(root, real)) throw outside(path)
  const file = await orWrong(path, () => open(real, FLAGS))
  try {
    if (!(await file.stat()).isFile()) throw wrongArg('path', `must be a plain file, got ${shown(path)}`)
    if (!isWithin(root, await placeOf(file, real))) throw outside(path)
    return await readUpTo(file, path, maxBytes)
  } finally {
    await file.close()
  }
}

/**
 * Where an open file lies. The kernel knows; without /proc (macOS) the path is followed once more, and who swaps a
 * folder twice in that moment is not seen.
 */
const placeOf = (file: FileHandle, path: string): Promise<string> =>
  readlink(`/proc/self/fd/${file.fd}`).catch(() => realpath(path))

const isWithin = (root: string, real: string) => real.startsWith(root.endsWith(sep) ? root : root + sep)

/** The size is what was read: a file can grow while it is. */
async function readUpTo(file: FileHandle, path: string, maxBytes: number): Promise<Buffer> {
  const { size } = await file.stat()
  const bytes = Buffer.allocUnsafe(Math.min(size, maxBytes) + 1)
  let length = 0
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, length)
    if (bytesRead === 0) return bytes.subarray(0, length)
    length += bytesRead
  }
  if (length <= maxBytes) throw refuse('invalid_arg', `${shown(path)} grew while it was read`)
  throw refuse('invalid_arg', `a file must have at most ${maxBytes} bytes, got ${Math.max(size, length)}`)
}

/** What the system says of a path tells a plugin no more than that it is of no use. */
async function orWrong<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch {
    throw wrongArg('path', `must be a file that can be read, got ${shown(path)}`)
  }
}

function outside(path: string): Refusal {
  return wrongArg('path', `must be in the folder of the call, got ${shown(path)}`, {
    hint: 'Write the file to the folder that TMPDIR names.',
  })
}

const SHOWN_CHARS = 200
const shown = (path: string) => JSON.stringify(path.slice(0, SHOWN_CHARS))
