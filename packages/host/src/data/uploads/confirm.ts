import { refuse } from '@svc/contract'
import type { KernelServices } from '../../kernel/services.ts'
import {
  type FileOwner,
  type FileRecord,
  type FileRow,
  files,
  isLapsed,
  moveFile,
  noSuchFile,
} from './file-row.ts'

type Parts = Pick<KernelServices, 'clock' | 'store'>

/** A file of this owner that still has its time. Errors: `not_found`. */
export async function ownFile(
  { clock, store }: Parts,
  { userId, appId }: FileOwner,
  fileRef: string,
): Promise<FileRecord> {
  const record = await store.get(files, fileRef)
  const isOwn = record?.row.user_id === userId && record.row.app_id === appId
  if (!record || !isOwn || record.row.state === 'gone' || isLapsed(record.row, clock.now()))
    throw noSuchFile(fileRef)
  return record
}

/** Makes a file readable. Again is harmless. Errors: `not_found`, `invalid_arg` before its bytes came. */
export async function confirmFile(parts: Parts, owner: FileOwner, fileRef: string): Promise<FileRow> {
  await ownFile(parts, owner, fileRef)
  const confirmed = await moveFile(parts.store, fileRef, 'confirm', (row) => {
    if (isLapsed(row, parts.clock.now())) throw noSuchFile(fileRef)
    return { due_at: null }
  })
  if (confirmed) return confirmed.row
  await ownFile(parts, owner, fileRef)
  throw refuse('invalid_arg', `the bytes of the file ${JSON.stringify(fileRef)} have not come yet`, {
    path: 'file_ref',
    hint: 'PUT them to the upload_url first, and wait for its answer.',
  })
}
