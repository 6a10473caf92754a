import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { systemClock } from '@svc/node'
import type { Blobs } from '@svc/state'
import { unlessAbsent } from './folder/absent.ts'
import { blobFolders } from './folder/blob-files.ts'
import { blobErrorOf, folderErrorOf } from './folder/failures.ts'
import { fileBlobs } from './ports/blobs.ts'

/** A blob that was being written so long ago is written by nobody any more. */
const LEFT_MS = 86_400_000

/**
 * Opens a folder of blobs that several hosts use at once, in the place of those in PostgreSQL; it is made where there is
 * none. The file system must rename a file in one step, and show a new file to all machines at once (NFS: mount it with
 * `lookupcache=positive`). Throws `FolderError`.
 *
 * @example
 * ```ts
 * const { store, bus, secret } = await openCluster({ postgres, redis })
 * const blobs = await openBlobs('/mnt/svc-files')
 * const host = createHost({ store, bus, blobs, secret })
 * ```
 */
export async function openBlobs(dir: string): Promise<Blobs> {
  const root = path.resolve(dir)
  try {
    for (const name of blobFolders) await mkdir(path.join(root, name), { recursive: true, mode: 0o700 })
    await clearLeft(path.join(root, 'new'))
  } catch (error) {
    throw folderErrorOf(root, error)
  }
  return fileBlobs({ dir: root, clock: systemClock, makeError: (error) => blobErrorOf(root, error) })
}

/** Removes what was being written when a process ended, and not what another host writes now. */
async function clearLeft(dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    const file = path.join(dir, name)
    const found = await unlessAbsent(stat(file))
    if (found && systemClock.now() - found.mtimeMs > LEFT_MS) await rm(file, { force: true })
  }
}
