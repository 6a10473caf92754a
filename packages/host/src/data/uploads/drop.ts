import type { Limits } from '@svc/contract'
import { file } from '@svc/contract/states'
import { each, eachSettled } from '@svc/state'
import type { KernelServices } from '../../kernel/services.ts'
import { dropUse } from '../app-files/uses.ts'
import { type FileOwner, type FileRecord, files, moveFile } from './file.ts'

type Parts = Pick<KernelServices, 'blobs' | 'clock' | 'store'> & {
  readonly limits: Pick<Limits, 'CLEAN_RECORDS_MAX'>
}

/**
 * Drops the files whose time is over: those that were not confirmed, and those that were deleted. One that cannot be
 * dropped does not stop the others, and its error is thrown at the end.
 */
export async function dropFiles(parts: Parts): Promise<void> {
  const { clock, limits, store } = parts
  const to = clock.now()
  await eachSettled(each(store, files, 'dueAt', { to, limit: limits.CLEAN_RECORDS_MAX }), (record) =>
    dropFile(parts, record),
  )
}

/** Marks a file as gone: it is unreadable at once. `null`: it was gone already. */
const markGone = ({ clock, store }: Pick<KernelServices, 'clock' | 'store'>, fileRef: string) =>
  moveFile(store, fileRef, 'drop', () => ({ due_at: clock.now() }))

/**
 * Deletes a file, its bytes with it: its place is another's at once, and without that an app that writes and deletes
 * would fill the disk between two sweeps. The next sweep finishes what was interrupted. False: it was gone already.
 */
export async function deleteFile(parts: Pick<KernelServices, 'blobs' | 'clock' | 'store'>, fileRef: string) {
  const gone = await markGone(parts, fileRef)
  if (gone) await dropFile(parts, gone)
  return gone !== null
}

/** Deletes every file of an app of a user. Errors: where bytes could not be dropped, which the sweep does later. */
export async function deleteFiles(
  parts: Pick<KernelServices, 'blobs' | 'clock' | 'store'>,
  { userId, appId }: FileOwner,
) {
  await eachSettled(each(parts.store, files, 'byOwner', { eq: [userId, appId] }), ({ id }) =>
    deleteFile(parts, id),
  )
}

/**
 * The record says `gone` before the bytes go, and goes after them: the next sweep finishes one that was interrupted.
 */
export async function dropFile(
  { blobs, store }: Pick<Parts, 'blobs' | 'store'>,
  { id, revision, row }: FileRecord,
): Promise<void> {
  let last = revision
  const state = file.next(row.state, 'drop')
  if (state) {
    const swapped = await store.swap(files, id, revision, { ...row, state })
    if (!swapped.ok) return
    last = swapped.record.revision
  }
  if (row.digest !== null) await dropUse({ blobs, store }, row.digest, id)
  await store.remove(files, id, last)
}
