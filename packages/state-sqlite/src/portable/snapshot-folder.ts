import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { unlessAbsent } from '../folder/absent.ts'
import { listBlobs, namesIn } from '../folder/blob-files.ts'
import { announceBlobReader } from '../folder/blob-readers.ts'
import { FolderError } from '../folder/folder-error.ts'
import { inspectFolder } from '../folder/inspect.ts'
import { startThread, type Thread } from '../folder/thread.ts'
import { failureError, folderErrorOf } from './errors.ts'

/** A folder as it is at one moment, for reading. */
export interface SnapshotParts {
  readonly root: string
  readonly thread: Thread
  readonly blobsDir: string
  /** The digests of the blobs that were there. */
  readonly blobs: readonly string[]
  readonly secret: string
  close(): Promise<void>
}

/**
 * Takes a snapshot of a folder, while another process may go on writing to it. Nothing is locked; a host only keeps the
 * blobs that it removes until the snapshot is closed. Throws `FolderError`.
 */
export async function snapshotFolder(dir: string): Promise<SnapshotParts> {
  const root = path.resolve(dir)
  const blobsDir = path.join(root, 'blobs')
  const leaves: (() => Promise<void>)[] = []
  async function close(): Promise<void> {
    for (const leave of leaves.splice(0).reverse()) await leave()
  }
  try {
    await refuseOther(root)
    leaves.push(await announceBlobReader(blobsDir))
    const removedBefore = new Set(await namesIn(path.join(blobsDir, 'removed')))
    const data = { role: 'snapshot', dir: root, hasReader: true, boot: null } as const
    const durability = { records: 'power', journals: 'process' } as const
    const thread = await startThread(
      { ...data, durability },
      { makeError: (failure) => failureError(root, failure) },
    )
    leaves.push(thread.close)
    const blobs = await listBlobs(blobsDir, removedBefore)
    return { root, thread, blobsDir, blobs, secret: await secretOf(root), close }
  } catch (error) {
    await close()
    throw folderErrorOf(root, error)
  }
}

/** Refuses what is not a data folder of this format. */
async function refuseOther(root: string): Promise<void> {
  const found = await unlessAbsent(stat(path.join(root, 'svc.db')))
  if (!found)
    throw new FolderError(
      'not_usable',
      `there is no data folder of svc in ${root}`,
      'Name the folder that svc serve keeps its state in, with --data.',
    )
  for (const { file, version, format } of await inspectFolder(root))
    if (version < format.steps.length)
      throw new FolderError(
        version === 0 ? 'damaged' : 'not_usable',
        version === 0
          ? `${file} with the ${format.what} is missing, or nothing is in it`
          : `${file} has format ${version}, which is older than format ${format.steps.length} of this version of svc`,
        version === 0
          ? 'Restore the last backup into an empty folder.'
          : 'Start a host on it once: it takes a copy and brings the folder to the new format.',
      )
}

async function secretOf(root: string): Promise<string> {
  const text = await unlessAbsent(readFile(path.join(root, 'secret'), 'utf8'))
  if (text !== null) return text.trim()
  throw new FolderError(
    'damaged',
    `the data folder ${root} has no secret`,
    'Start a host on it once: it makes a new one, and every user signs in again.',
  )
}
