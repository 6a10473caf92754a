import { type Limits, refuse } from '@svc/contract'
import { digestOf } from '@svc/state'
import type { KernelServices } from '../../kernel/services.ts'
import { lastGeneration } from '../storage/items.ts'
import { keyId } from '../storage/space.ts'
import { checkIfMatch } from '../storage/value.ts'
import { type AppFileRow, appFiles, type Content, changeAppFile } from './app-file.ts'
import { dropReplacedBytes } from './drop.ts'
import { type BytesParts, dropOwnUse, putUsed } from './uses.ts'

type Parts = BytesParts & Pick<KernelServices, 'clock' | 'limits' | 'newId'>

/** A whole file, and where it goes. */
export interface NewFile {
  readonly space: string
  readonly userId: string | null
  readonly path: string
  readonly bytes: Buffer
  readonly mime: string
  readonly isText: boolean
  readonly ifMatch: string | undefined
}

const etagOf = (row: AppFileRow | null) => (row?.live ? row.etag : null)

/**
 * Writes a file: its record names the bytes, then they are put, then it shows them. Of two writers with one etag one
 * wins. Errors: `precondition_failed`, `quota_exceeded`, `not_found` where the app was uninstalled meanwhile.
 */
export async function writeAppFile(parts: Parts, file: NewFile): Promise<AppFileRow> {
  const { clock, limits, newId, store } = parts
  const { space, path, bytes, ifMatch } = file
  const id = keyId(space, path)
  const content: Content = {
    write_id: newId('file'),
    digest: digestOf(bytes),
    mime: file.mime,
    is_text: file.isText,
    size_bytes: bytes.byteLength,
    until: clock.now() + limits.APP_FILE_WRITE_MS,
  }
  const isOther = ({ write_id }: Content) => write_id !== content.write_id
  await nameBytes(parts, id, file, content)
  try {
    // After the names of the bytes: from then on the record stays, so no generation of the path is kept unseen.
    const last = await lastGeneration(store, space)
    await checkBytes(parts, file)
    await putUsed(parts, content.digest, content.write_id, bytes)
    const shown = await changeAppFile(store, id, (row) => {
      if (!row || row.arriving.every(isOther))
        throw refuse('not_found', `the file ${JSON.stringify(path)} was deleted while it was being written`)
      checkIfMatch(ifMatch, etagOf(row))
      const generation = (row.generation === 0 ? last : row.generation) + 1
      return {
        ...row,
        live: content,
        arriving: row.arriving.filter(isOther),
        leaving: row.live ? [...row.leaving, row.live] : row.leaving,
        etag: `"${generation}-${content.digest.slice(0, 16)}"`,
        generation,
        updated_at: clock.now(),
      }
    })
    if ('full' in shown) throw new Error('a file that was counted met a cap')
    // What is not dropped here, the sweep finds.
    if (shown.row.leaving.length > 0) await dropReplacedBytes(parts, id).catch(() => undefined)
    return shown.row
  } catch (error) {
    await undoWrite(parts, id, content).catch(() => undefined)
    throw error
  }
}

/** Names the bytes in the record, under the caps of files. */
async function nameBytes(
  { clock, limits, store }: Parts,
  id: string,
  { space, path, userId, ifMatch }: NewFile,
  content: Content,
): Promise<void> {
  const fresh: AppFileRow = {
    space,
    path,
    user_id: userId,
    live: null,
    arriving: [],
    leaving: [],
    etag: '',
    generation: 0,
    updated_at: clock.now(),
    forgotten: false,
  }
  const caps = [
    { name: 'APP_FILES_PER_SPACE', index: 'heldInSpace', eq: [space], max: limits.APP_FILES_PER_SPACE },
    ...(userId === null
      ? []
      : ([
          { name: 'APP_FILES_PER_USER', index: 'heldByUser', eq: [userId], max: limits.APP_FILES_PER_USER },
        ] as const)),
  ] as const
  const arrived = await changeAppFile(
    store,
    id,
    (old) => {
      checkIfMatch(ifMatch, etagOf(old))
      const row = old ?? fresh
      return { ...row, arriving: [...row.arriving, content], forgotten: false }
    },
    { caps },
  )
  if ('full' in arrived) throw full(arrived.full as Cap, limits)
}

/**
 * Undoes a write that failed. Its bytes are deleted here, whatever the record says: a sweep that took the write for
 * broken off may have looked before they came, and takes their name out of the record.
 */
async function undoWrite(parts: Parts, id: string, content: Content): Promise<void> {
  const { digest, write_id } = content
  const isOwn = (one: Content | null) => one?.write_id === write_id
  const left = await changeAppFile(
    parts.store,
    id,
    (row) =>
      row && {
        ...row,
        arriving: row.arriving.filter((one) => !isOwn(one)),
        leaving: isOwn(row.live) ? row.leaving : [...row.leaving, content],
      },
  )
  const isShown = left !== null && 'row' in left && isOwn(left.row.live)
  if (!isShown) await dropOwnUse(parts, digest, write_id)
  if (left !== null) await dropReplacedBytes(parts, id)
}

/**
 * Sums the bytes after the record has named them, so that they never go past their cap; of two writes that meet just
 * below it both may be refused. Errors: `quota_exceeded`.
 */
async function checkBytes({ limits, store }: Parts, { space, userId }: NewFile): Promise<void> {
  // The caps of the insert say that this is all of them.
  const held = await (userId === null
    ? store.scan(appFiles, 'heldInSpace', { eq: [space], limit: limits.APP_FILES_PER_SPACE })
    : store.scan(appFiles, 'heldByUser', { eq: [userId], limit: limits.APP_FILES_PER_USER }))
  const sum = (rows: typeof held.rows) => rows.reduce((all, { row }) => all + roomOf(row), 0)
  const inSpace = held.rows.filter(({ row }) => row.space === space)
  if (sum(inSpace) > limits.APP_FILES_BYTES_PER_SPACE) throw full('APP_FILES_BYTES_PER_SPACE', limits)
  if (userId !== null && sum(held.rows) > limits.APP_FILES_BYTES_PER_USER)
    throw full('APP_FILES_BYTES_PER_USER', limits)
}

/** The bytes that a file has, or will have when the largest of its writes has come, and those that still leave it. */
const roomOf = ({ live, arriving, leaving }: AppFileRow): number =>
  Math.max(live?.size_bytes ?? 0, ...arriving.map(({ size_bytes }) => size_bytes)) +
  leaving.reduce((sum, { size_bytes }) => sum + size_bytes, 0)

const caps = {
  APP_FILES_PER_SPACE: 'an app may keep at most %d files in a scope',
  APP_FILES_PER_USER: 'the apps of a user may keep at most %d files',
  APP_FILES_BYTES_PER_SPACE: 'an app may keep at most %d bytes of files in a scope',
  APP_FILES_BYTES_PER_USER: 'the apps of a user may keep at most %d bytes of files',
} as const satisfies Partial<Record<keyof Limits, string>>

type Cap = keyof typeof caps

const full = (limit: Cap, limits: Limits) =>
  refuse('quota_exceeded', caps[limit].replace('%d', String(limits[limit])), {
    limit,
    max: limits[limit],
    hint: 'Delete files to free space at once.',
  })
