import { each, eachSettled } from '@svc/state'
import { keepGeneration } from '../storage/items.ts'
import { type AppFileRow, appFiles, type Content, changeAppFile } from './app-file.ts'
import { type BytesParts, dropArriving, dropUse } from './uses.ts'

/** Deletes every file of a space, with its bytes; the next sweep finishes what was interrupted. */
export async function deleteAppFiles(parts: BytesParts, space: string): Promise<void> {
  const { store } = parts
  await eachSettled(each(store, appFiles, 'bySpace', { eq: [space] }), ({ id }) => deleteAppFile(parts, id))
}

/** Deletes one file, with its bytes and its record. */
export async function deleteAppFile(parts: BytesParts, id: string): Promise<void> {
  await changeAppFile(parts.store, id, (row) => row && forget(row))
  await dropReplacedBytes(parts, id)
}

const late = (content: Content): Content => ({ ...content, is_late: true })

const forget = (row: AppFileRow): AppFileRow => ({
  ...row,
  live: null,
  arriving: [],
  leaving: [...row.leaving, ...row.arriving.map(late), ...(row.live ? [row.live] : [])],
  forgotten: true,
})

/**
 * Drops the bytes that no file needs any more, and those of writes that were interrupted. One that cannot be dropped
 * does not stop the others, and its error is thrown at the end.
 */
export async function dropAppFiles(parts: BytesParts): Promise<void> {
  const { clock, limits, store } = parts
  const now = clock.now()
  await eachSettled(each(store, appFiles, 'dueAt', { to: now, limit: limits.CLEAN_RECORDS_MAX }), ({ id }) =>
    dropLate(parts, id, now),
  )
}

async function dropLate(parts: BytesParts, id: string, now: number): Promise<void> {
  const isLate = ({ until }: Content) => until <= now
  await changeAppFile(
    parts.store,
    id,
    (row) =>
      row && {
        ...row,
        arriving: row.arriving.filter((content) => !isLate(content)),
        leaving: [...row.leaving, ...row.arriving.filter(isLate).map(late)],
      },
  )
  await dropReplacedBytes(parts, id)
}

/** Drops what leaves a file: the bytes first, then their names; and the record of one that has no others at the end. */
export async function dropReplacedBytes(parts: BytesParts, id: string): Promise<void> {
  const { store } = parts
  const record = await store.get(appFiles, id)
  if (!record) return
  const dropped = new Set<string>()
  for (const { digest, write_id, is_late } of record.row.leaving) {
    if (is_late) await dropArriving(parts, digest, write_id)
    else await dropUse(parts, digest, write_id)
    dropped.add(write_id)
  }
  const left = await changeAppFile(
    store,
    id,
    (row) => row && { ...row, leaving: row.leaving.filter(({ write_id }) => !dropped.has(write_id)) },
  )
  if (left === null || 'full' in left) return
  const { forgotten, live, arriving, leaving, generation, space } = left.row
  if (live !== null || arriving.length > 0 || leaving.length > 0) return
  if (!forgotten && generation > 0) await keepGeneration(store, space, generation)
  await store.remove(appFiles, id, left.revision)
}
