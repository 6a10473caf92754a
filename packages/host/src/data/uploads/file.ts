import { type FileState, refuse, type UploadType } from '@svc/contract'
import { file } from '@svc/contract/states'
import { collection, type Page, type StoreRecord, update } from '@svc/state'
import { paths } from '../../kernel/request/paths.ts'
import type { KernelServices } from '../../kernel/services.ts'
import type { BytesParts } from '../app-files/uses.ts'
import { readPage } from '../storage/space.ts'

/** A file of a user in an app. The record's id is its `file_ref`, of 128 random bits. Times are Unix ms. */
export interface FileRow {
  readonly user_id: string
  readonly app_id: string
  readonly state: FileState
  readonly mime: UploadType
  readonly size_bytes: number
  readonly purpose: string
  readonly filename: string | null
  /** Where its bytes are, or will be in a moment; `null` before any came. */
  readonly digest: string | null
  readonly created_at: number
  /** From when on it goes if it is not ready; `null` once it is. */
  readonly due_at: number | null
  /** It went although it was still arriving: its bytes may come yet. */
  readonly is_late?: true
}

/** Files by `file_ref`. */
export const files = collection({
  name: 'files',
  row: {} as FileRow,
  indexes: {
    /** One that is gone counts until its bytes are. */
    byOwner: (row) => [row.user_id, row.app_id, row.created_at],
    dueAt: (row) => (row.due_at === null ? null : [row.due_at]),
  },
})

/** A stored file. */
export type FileRecord = StoreRecord<FileRow>

/** Whose a file is. */
export interface FileOwner {
  readonly userId: string
  readonly appId: string
}

/** What files need of the host's services. */
export type FileParts = BytesParts & Pick<KernelServices, 'clock' | 'limits' | 'newId'>

type Event = Parameters<typeof file.next>[1]

/**
 * Moves a file by an event of its table. `change` gives what else changes and may refuse; it is asked again when
 * another write came in between. `null`: there is no such file, or no such move from its state.
 */
export const moveFile = (
  store: KernelServices['store'],
  id: string,
  event: Event,
  change: (row: FileRow) => Partial<FileRow>,
): Promise<FileRecord | null> =>
  update(store, files, id, (row) => {
    const state = row && file.next(row.state, event)
    return state ? { ...row, ...change(row), state } : null
  })

/** Whether a file that is not ready has had its time, sweeper or not. */
export const isLapsed = ({ due_at }: FileRow, now: number): boolean => due_at !== null && now >= due_at

/** The refusal of a file that is unknown, gone or somebody else's: they look the same. */
export const noSuchFile = (fileRef: string) =>
  refuse('not_found', `there is no file ${JSON.stringify(fileRef)} of this app`)

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
  throw refuse('invalid_arg', `the bytes of the file ${JSON.stringify(fileRef)} have not been received yet`, {
    path: 'file_ref',
    hint: 'PUT them to the upload_url first, and wait for the response.',
  })
}

/** A page of the files of an owner, oldest first; those whose time is over are left out. Errors: `invalid_arg` (cursor). */
export async function listFiles(
  { clock, store }: Pick<KernelServices, 'clock' | 'store'>,
  { userId, appId }: FileOwner,
  by: { readonly after: string | null; readonly limit: number },
): Promise<Page<FileRow>> {
  const { rows, next } = await readPage(store, files, 'byOwner', { eq: [userId, appId], ...by })
  return { rows: rows.filter(({ row }) => row.state !== 'gone' && !isLapsed(row, clock.now())), next }
}

/** What of a call says whose files it means. */
interface Call {
  readonly userId: string
  readonly window: { readonly row: { readonly app_id: string } }
}

/** Whose the files of a call are. */
export const ownerOf = ({ userId, window }: Call): FileOwner => ({ userId, appId: window.row.app_id })

/** The public URL of a file. */
export const fileUrl = ({ origin }: { readonly origin: string }, fileRef: string): string =>
  `${origin}${paths.files}${fileRef}`
