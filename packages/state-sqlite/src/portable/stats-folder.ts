import { stat } from 'node:fs/promises'
import path from 'node:path'
import { unlessAbsent } from '../folder/absent.ts'
import { openBlob } from '../folder/blob-files.ts'
import type { FolderCounts } from '../threads/checks.ts'
import { snapshotFolder } from './snapshot-folder.ts'

/** What a data folder holds. */
export interface FolderStats extends FolderCounts {
  readonly blobs: { readonly count: number; readonly bytes: number }
  /** Bytes of the database files with their logs. */
  readonly files: Readonly<Record<'svc.db' | 'journals.db', number>>
}

/** Counts what is in a data folder, while a host may use it. Throws `FolderError`. */
export async function folderStats(dir: string): Promise<FolderStats> {
  const { root, thread, blobsDir, blobs, close } = await snapshotFolder(dir)
  try {
    const counts = await thread.call<FolderCounts>('counts')
    let bytes = 0
    for (const digest of blobs) bytes += await sizeOf(blobsDir, digest)
    const files = {
      'svc.db': await fileBytes(root, 'svc.db'),
      'journals.db': await fileBytes(root, 'journals.db'),
    }
    return { ...counts, blobs: { count: blobs.length, bytes }, files }
  } finally {
    await close()
  }
}

async function sizeOf(dir: string, digest: string): Promise<number> {
  const handle = await openBlob(dir, digest)
  if (!handle) return 0
  try {
    return (await handle.stat()).size
  } finally {
    await handle.close()
  }
}

async function fileBytes(root: string, name: string): Promise<number> {
  const sizes = [name, `${name}-wal`].map(
    async (one) => (await unlessAbsent(stat(path.join(root, one))))?.size ?? 0,
  )
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
