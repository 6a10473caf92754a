import { type Limits, refuse, wrongArg } from '@svc/contract'
import { digestOf } from '@svc/state'
import type { AccessServices } from '../../access/services.ts'
import { decodeBase64 } from '../../kernel/base64.ts'
import { isOfType } from '../../kernel/media.ts'
import { paths } from '../../kernel/request/paths.ts'
import { dropOwnUse, putUsed } from '../app-files/uses.ts'
import { type FileOwner, type FileParts, type FileRecord, type FileRow, files, moveFile } from './file.ts'

/**
 * Makes the record of a file under the caps of its app and user. Files are counted in the insert itself. Bytes are
 * summed after it, the new ones among them, so that they never go past their cap; of two that meet just below it
 * both may be refused. Errors: `quota_exceeded`.
 */
async function makeRoom(
  { clock, limits, newId, store }: FileParts,
  row: Omit<FileRow, 'created_at' | 'due_at'>,
): Promise<FileRecord> {
  const now = clock.now()
  const inserted = await store.insert(
    files,
    newId('file'),
    { ...row, created_at: now, due_at: now + limits.UPLOAD_URL_TTL_MS },
    {
      caps: [
        { name: 'FILES_PER_APP', index: 'byOwner', eq: [row.user_id, row.app_id], max: limits.FILES_PER_APP },
        { name: 'FILES_PER_USER', index: 'byOwner', eq: [row.user_id], max: limits.FILES_PER_USER },
      ],
    },
  )
  if (!inserted.ok && 'full' in inserted) {
    const name = inserted.full as 'FILES_PER_APP' | 'FILES_PER_USER'
    throw full(name, limits, 'files, including unconfirmed uploads')
  }
  if (!inserted.ok) throw new Error('the id of a file was generated twice')
  const { record } = inserted
  const over = await bytesOver(store, limits, row)
  if (!over) return record
  await store.remove(files, record.id, record.revision)
  throw full(over, limits, 'bytes of files, including unconfirmed uploads')
}

async function bytesOver(
  store: FileParts['store'],
  limits: Limits,
  { user_id, app_id }: Pick<FileRow, 'user_id' | 'app_id'>,
) {
  // The cap of the insert says that this is all of them.
  const { rows } = await store.scan(files, 'byOwner', { eq: [user_id], limit: limits.FILES_PER_USER })
  const sum = (counted: readonly FileRecord[]) => counted.reduce((all, { row }) => all + row.size_bytes, 0)
  if (sum(rows.filter(({ row }) => row.app_id === app_id)) > limits.FILES_BYTES_PER_APP)
    return 'FILES_BYTES_PER_APP'
  return sum(rows) > limits.FILES_BYTES_PER_USER ? 'FILES_BYTES_PER_USER' : null
}

const FREE =
  'svc.upload.list() names the files of this app and svc.upload.delete() frees their space; uninstalling an app deletes all its files.'

const full = (
  name: 'FILES_PER_APP' | 'FILES_PER_USER' | 'FILES_BYTES_PER_APP' | 'FILES_BYTES_PER_USER',
  limits: Limits,
  what: string,
) =>
  refuse(
    'quota_exceeded',
    `${name.endsWith('_APP') ? 'an app may keep' : 'the apps of a user may keep'} at most ${limits[name]} ${what}`,
    { limit: name, max: limits[name], hint: FREE },
  )

/** A file that is there whole. */
interface WholeFile extends Pick<FileRow, 'mime' | 'purpose' | 'filename'> {
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
  if (!kept) throw new Error('a file was deleted while it was being confirmed')
  return kept
}

/**
 * Puts the bytes of a file whose record names their digest already, so that the sweep finds them whatever happens
 * here. `null` when the file went meanwhile, or somebody else put its bytes first.
 */
export async function putBytes(
  parts: FileParts,
  id: string,
  digest: string,
  bytes: Uint8Array,
  event: 'store' | 'keep',
): Promise<FileRecord | null> {
  const { clock, limits, store } = parts
  await putUsed(parts, digest, id, bytes)
  const due_at = event === 'keep' ? null : clock.now() + limits.UPLOAD_CONFIRM_MS
  const put = await moveFile(store, id, event, () => ({ due_at }))
  if (put) return put
  // The sweep may have been here before the bytes were.
  const now = await store.get(files, id)
  if (!now || now.row.state === 'gone') await dropOwnUse(parts, digest, id)
  return null
}

/**
 * Makes room for an upload and returns the URL that takes it: absolute, signed, good for `UPLOAD_URL_TTL_MS`.
 * Errors: `quota_exceeded`.
 */
export async function negotiate(
  parts: FileParts & Pick<AccessServices, 'tokens'>,
  { userId, appId }: FileOwner,
  told: Pick<FileRow, 'mime' | 'purpose' | 'filename' | 'size_bytes'>,
  origin: string,
): Promise<{ upload_url: string; file_ref: string }> {
  const owner = { user_id: userId, app_id: appId }
  const { id } = await makeRoom(parts, { ...owner, ...told, digest: null, state: 'waiting' })
  const sig = await parts.tokens.mint('upload', { file_ref: id }, parts.limits.UPLOAD_URL_TTL_MS)
  return { upload_url: `${origin}${paths.uploads}${id}?sig=${sig}`, file_ref: id }
}

/** A file that comes as base64. */
export interface InlineFile extends Omit<WholeFile, 'bytes'> {
  readonly bytes_b64: string
}

/** Keeps a file that comes in a call. Errors: `invalid_arg`, `quota_exceeded`. */
export async function keepInline(
  parts: FileParts,
  owner: FileOwner,
  { bytes_b64, ...rest }: InlineFile,
): Promise<FileRecord> {
  const max = parts.limits.UPLOAD_INLINE_MAX_BYTES
  const bytes = decodeBase64(bytes_b64)
  if (!bytes) throw wrongArg('bytes_b64', 'must be base64 text with its padding')
  if (bytes.length > max)
    throw wrongArg('bytes_b64', `must hold at most ${max} bytes, got ${bytes.length}`, {
      hint: 'Larger files go by upload.negotiate.',
    })
  if (!isOfType(rest.mime, bytes))
    throw refuse('invalid_arg', `the bytes of bytes_b64 are not ${rest.mime}`, { path: 'bytes_b64' })
  return keepFile(parts, owner, { bytes, ...rest })
}
