import { randomBytes } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { chmod, type FileHandle, open, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

/** Opens a folder without the right to read it. Node has no name for this flag of Linux. */
const O_PATH = 0o10000000
const FOLDER = O_PATH | constants.O_DIRECTORY
/** How often a folder is emptied that somebody still writes to. */
const TRIES = 8

/**
 * Removes a file, or a folder with all in it, whatever rights it gives its owner; what is not there is removed already.
 * It follows no link: each name is looked up in a folder that is held open, so that whoever puts a link in the place of a
 * folder meanwhile loses the link and nothing else. Rejects with what the system says, such as `ENOTEMPTY` where somebody
 * goes on writing. Without /proc (macOS, Windows) it is `rm` of Node, which looks names up by their whole paths.
 *
 * @example await removeTree('/tmp/svc-runner-x/p1')
 */
export async function removeTree(path: string): Promise<void> {
  if (!existsSync('/proc/self/fd')) return rm(path, { recursive: true, force: true, maxRetries: TRIES })
  const whole = resolve(path)
  const above = await open(dirname(whole), FOLDER).catch(unless('ENOENT', 'ENOTDIR'))
  if (!above) return
  try {
    await removeIn(above, Buffer.from(basename(whole)))
  } finally {
    await above.close()
  }
}

/** Removes what lies in a folder, as `removeTree` does; the folder stays. One that is not there is empty. */
export async function emptyTree(path: string): Promise<void> {
  if (!existsSync('/proc/self/fd'))
    return void (await Promise.all((await readdir(path)).map((name) => removeTree(join(path, name)))))
  const folder = await openFolder(Buffer.from(path))
  if (folder) await empty(folder).finally(() => folder.close())
}

/** A name in a folder that is held open. The last part of a path is not followed by what removes, renames or opens it here. */
const within = ({ fd }: FileHandle, name: Buffer) =>
  Buffer.concat([Buffer.from(`/proc/self/fd/${fd}/`), name])

async function removeIn(above: FileHandle, name: Buffer): Promise<void> {
  const at = within(above, name)
  const top = await openFolder(at)
  if (!top) return unlink(at).catch(unless('ENOENT'))
  try {
    for (let tries = 1; ; tries++) {
      await empty(top)
      try {
        return await rmdir(at)
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return
        if (codeOf(error) !== 'ENOTEMPTY' || tries === TRIES) throw error
      }
    }
  } finally {
    await top.close()
  }
}

/** Removes what lies in a folder. Folders of folders are moved up to it first: a deep tree needs no more than two open ones. */
async function empty(top: FileHandle): Promise<void> {
  const moved = randomBytes(8).toString('hex')
  const names = await namesIn(top)
  for (const name of names) {
    const at = within(top, name)
    if (await isUnlinked(at)) continue
    const folder = await openFolder(at)
    // Somebody has put another thing in its place: that is looked at when all others are gone.
    if (!folder) continue
    try {
      for (const inner of await namesIn(folder)) {
        if (await isUnlinked(within(folder, inner))) continue
        // Who moves a folder needs the right to write to it.
        await (await openFolder(within(folder, inner)))?.close()
        const up = Buffer.from(`${moved}-${names.length}`)
        await rename(within(folder, inner), within(top, up)).catch(unless('ENOENT'))
        names.push(up)
      }
    } finally {
      await folder.close()
    }
    await rmdir(at).catch(unless('ENOENT', 'ENOTEMPTY', 'ENOTDIR'))
  }
}

/** Removes what is no folder; `false` for a folder. */
const isUnlinked = (at: Buffer): Promise<boolean> =>
  unlink(at).then(
    () => true,
    (error) => {
      if (codeOf(error) === 'ENOENT') return true
      if (codeOf(error) === 'EISDIR' || codeOf(error) === 'EPERM') return false
      throw error
    },
  )

/** Opens a folder that is no link, so that it can be emptied; nothing where there is none of this name. */
async function openFolder(at: Buffer): Promise<FileHandle | undefined> {
  const folder = await open(at, FOLDER | constants.O_NOFOLLOW).catch(unless('ENOENT', 'ENOTDIR', 'ELOOP'))
  if (folder) await chmod(`/proc/self/fd/${folder.fd}`, 0o700).catch(unless('EPERM'))
  return folder
}

/** As bytes: a name need not be text. */
const namesIn = ({ fd }: FileHandle): Promise<Buffer[]> =>
  readdir(`/proc/self/fd/${fd}`, { encoding: 'buffer' })

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code

/** Answers nothing for an error with one of these codes, and throws any other. */
const unless =
  (...codes: string[]) =>
  (error: unknown): undefined => {
    if (!codes.includes(codeOf(error) ?? '')) throw error
  }
