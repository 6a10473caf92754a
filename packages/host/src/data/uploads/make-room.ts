import { type Limits, refuse } from '@svc/contract'
import { type FileParts, type FileRecord, type FileRow, files } from './file-row.ts'

/**
 * Makes the record of a file under the caps of its app and user. Files are counted in the insert itself. Bytes are
 * summed after it, the new ones among them, so that they never go past their cap; of two that meet just below it
 * both may be refused. Errors: `quota_exceeded`.
 */
export async function makeRoom(
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
    throw full(name, limits, 'files, uploads under way among them')
  }
  if (!inserted.ok) throw new Error('an id of a file came twice')
  const { record } = inserted
  const over = await bytesOver(store, limits, row)
  if (!over) return record
  await store.remove(files, record.id, record.revision)
  throw full(over, limits, 'bytes of files, uploads under way among them')
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
  'svc.upload.list() names the files of this app and svc.upload.delete() frees their place; uninstalling an app lets all of its files go.'

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
