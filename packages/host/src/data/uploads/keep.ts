import { digestOf } from '@svc/state'
import { addUse, dropUse } from '../app-files/uses.ts'
import { type FileOwner, type FileParts, type FileRecord, type FileRow, files, moveFile } from './file-row.ts'
import { makeRoom } from './make-room.ts'

/** A file that is there whole. */
export interface WholeFile extends Pick<FileRow, 'mime' | 'purpose' | 'filename'> {
  readonly bytes: Uint8Array
}

/** Keeps a file that is there whole, ready at once. Errors: `quota_exceeded`. */
export async function keepFile(
  parts: FileParts,
  { userId, appId }: FileOwner,
  { bytes, ...rest }: WholeFile,
): Promise<FileRecord> {
  const digest = digestOf(bytes)
  const owner = { user_id: userId, app_id: appId }
  const size_bytes = bytes.byteLength
  const { id } = await makeRoom(parts, { ...owner, ...rest, size_bytes, digest, state: 'arriving' })
  const kept = await putBytes(parts, id, digest, bytes, 'keep')
  if (!kept) throw new Error('a file went while it was being kept')
  return kept
}

/**
 * Puts the bytes of a file whose record names their digest already, so that the sweep finds them whatever happens
 * here. `null` when the file went meanwhile, or somebody else put its bytes first.
 */
export async function putBytes(
  { blobs, clock, limits, store }: FileParts,
  id: string,
  digest: string,
  bytes: Uint8Array,
  event: 'store' | 'keep',
): Promise<FileRecord | null> {
  await addUse(store, digest, id)
  await blobs.put(bytes)
  const due_at = event === 'keep' ? null : clock.now() + limits.UPLOAD_CONFIRM_MS
  const put = await moveFile(store, id, event, () => ({ due_at }))
  if (put) return put
  // The sweep may have been here before the bytes were.
  const now = await store.get(files, id)
  if (!now || now.row.state === 'gone') await dropUse({ store, blobs }, digest, id)
  return null
}
