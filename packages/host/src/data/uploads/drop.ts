import { file } from '@svc/contract/states'
import { each, eachSettled } from '@svc/state'
import type { KernelServices } from '../../kernel/services.ts'
import { type BytesParts, dropArriving, dropUse } from '../app-files/uses.ts'
import { type FileOwner, type FileRecord, type FileRow, files, moveFile } from './file.ts'

/**
 * Drops the files whose time is over: those that were not confirmed, and those that were deleted. One that cannot be
 * dropped does not stop the others, and its error is thrown at the end.
 */
export async function dropFiles(parts: BytesParts): Promise<void> {
  const { clock, limits, store } = parts
  const to = clock.now()
  await eachSettled(each(store, files, 'dueAt', { to, limit: limits.CLEAN_RECORDS_MAX }), (record) =>
    dropFile(parts, record),
  )
}

/** What a file that goes keeps of having been on its way. */
const lateness = ({ state }: FileRow) => (state === 'arriving' ? ({ is_late: true } as const) : {})

/** Marks a file as gone: it is unreadable at once. `null`: it was gone already. */
const markGone = ({ clock, store }: Pick<KernelServices, 'clock' | 'store'>, fileRef: string) =>
  moveFile(store, fileRef, 'drop', (row) => ({ due_at: clock.now(), ...lateness(row) }))

/**
 * Deletes a file, its bytes with it: its place is another's at once, and without that an app that writes and deletes
 * would fill the disk between two sweeps. The next sweep finishes what was interrupted. False: it was gone already.
 */
export async function deleteFile(parts: BytesParts, fileRef: string) {
  const gone = await markGone(parts, fileRef)
  if (gone) await dropFile(parts, gone)
  return gone !== null
}

/** Deletes every file of an app of a user. Errors: where bytes could not be dropped, which the sweep does later. */
export async function deleteFiles(parts: BytesParts, { userId, appId }: FileOwner) {
  await eachSettled(each(parts.store, files, 'byOwner', { eq: [userId, appId] }), ({ id }) =>
    deleteFile(parts, id),
  )
}

/**
 * The record says `gone` before the bytes go, and goes after them: the next sweep finishes one that was interrupted.
 */
export async function dropFile(parts: BytesParts, record: FileRecord): Promise<void> {
  const { store } = parts
  const { id, revision, row } = record
  let gone = record
  const state = file.next(row.state, 'drop')
  if (state) {
    const swapped = await store.swap(files, id, revision, { ...row, ...lateness(row), state })
    if (!swapped.ok) return
    gone = swapped.record
  }
  const { digest, is_late } = gone.row
  const drop = is_late ? dropArriving : dropUse
  if (digest !== null) await drop(parts, digest, id)
  await store.remove(files, id, gone.revision)
}
