import { randomBytes } from 'node:crypto'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import path from 'node:path'
import { unlessAbsent } from './absent.ts'

/** What the name of a blob is. */
export const BLOB_DIGEST = /^[0-9a-f]{64}$/
const FANOUT = /^[0-9a-f]{2}$/
const REST = /^[0-9a-f]{62}$/
const REMOVED = /^([0-9a-f]{64})\.[0-9a-f]+$/

/** The folders beside the blobs: those being written, those removed while somebody copies them, and who does. */
export const blobFolders = ['new', 'removed', 'readers'] as const

/** Where the blob of a digest is, in the folder of the blobs. */
export const blobFile = (dir: string, digest: string): string =>
  path.join(dir, digest.slice(0, 2), digest.slice(2))

/** Where a blob goes that is removed while it may be copied. */
export const removedFile = (dir: string, digest: string): string =>
  path.join(dir, 'removed', `${digest}.${randomBytes(8).toString('hex')}`)

/** The names of the files of a folder; none where it is not there. */
export const namesIn = async (dir: string): Promise<string[]> => (await unlessAbsent(readdir(dir))) ?? []

/** The digests of all blobs, in order, with those that were removed after `removedBefore` was read. */
export async function listBlobs(dir: string, removedBefore: ReadonlySet<string>): Promise<string[]> {
  const digests = new Set<string>()
  for (const start of await namesIn(dir)) {
    if (!FANOUT.test(start)) continue
    for (const rest of await namesIn(path.join(dir, start))) if (REST.test(rest)) digests.add(start + rest)
  }
  // Behind the others: what is removed meanwhile is in one of the two.
  for (const name of await namesIn(path.join(dir, 'removed'))) {
    const digest = REMOVED.exec(name)?.[1]
    if (digest !== undefined && !removedBefore.has(name)) digests.add(digest)
  }
  return [...digests].sort()
}

/** Opens a blob, also one that was removed since it was listed; null where it is in neither place. */
export async function openBlob(dir: string, digest: string): Promise<FileHandle | null> {
  const handle = await unlessAbsent(open(blobFile(dir, digest)))
  if (handle) return handle
  const removed = (await namesIn(path.join(dir, 'removed'))).find((name) => name.startsWith(`${digest}.`))
  return removed === undefined ? null : unlessAbsent(open(path.join(dir, 'removed', removed)))
}
