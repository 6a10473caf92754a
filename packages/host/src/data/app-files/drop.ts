import type { Limits } from '@svc/contract'
import { each, eachSettled } from '@svc/state'
import type { KernelServices } from '../../kernel/services.ts'
import { keepGeneration } from '../storage/items.ts'
import { type AppFileRow, appFiles, type Content, changeAppFile } from './app-file.ts'
import { dropUse } from './uses.ts'

type Parts = Pick<KernelServices, 'blobs' | 'clock' | 'store'> & {
  readonly limits: Pick<Limits, 'CLEAN_RECORDS_MAX'>
}

/** Deletes every file of a space, with its bytes; the next sweep finishes what was interrupted. */
export async function deleteAppFiles(
  parts: Pick<KernelServices, 'blobs' | 'store'>,
  space: string,
): Promise<void> {
  const { store } = parts
  await eachSettled(each(store, appFiles, 'bySpace', { eq: [space] }), ({ id }) => deleteAppFile(parts, id))
}

/** Deletes one file, with its bytes and its record. */
export async function deleteAppFile(
  parts: Pick<KernelServices, 'blobs' | 'store'>,
  id: string,
): Promise<void> {
  await changeAppFile(parts.store, id, (row) => row && forget(row))
  await dropReplacedBytes(parts, id)
}

const forget = (row: AppFileRow): AppFileRow => ({
  ...row,
  live: null,
  arriving: [],
  leaving: [...row.leaving, ...row.arriving, ...(row.live ? [row.live] : [])],
  forgotten: true,
})

/**
 * Drops the bytes that no file needs any more, and those of writes that were interrupted. One that cannot be dropped
 * does not stop the others, and its error is thrown at the end.
 */
export async function dropAppFiles(parts: Parts): Promise<void> {
  const { clock, limits, store } = parts
  const now = clock.now()
  await eachSettled(each(store, appFiles, 'dueAt', { to: now, limit: limits.CLEAN_RECORDS_MAX }), ({ id }) =>
    dropLate(parts, id, now),
  )
}

async function dropLate(
  parts: Pick<KernelServices, 'blobs' | 'store'>,
  id: string,
  now: number,
): Promise<void> {
  const isLate = ({ until }: Content) => until <= now
  await changeAppFile(
    parts.store,
    id,
    (row) =>
      row && {
        ...row,
        arriving: row.arriving.filter((content) => !isLate(content)),
        leaving: [...row.leaving, ...row.arriving.filter(isLate)],
      },
  )
  await dropReplacedBytes(parts, id)
}

/** Drops what leaves a file: the bytes first, then their names; and the record of one that has no others at the end. */
export async function dropReplacedBytes(
  { blobs, store }: Pick<KernelServices, 'blobs' | 'store'>,
  id: string,
): Promise<void> {
  const record = await store.get(appFiles, id)
  if (!record) return
  const dropped = new Set<string>()
  for (const { digest, write_id } of record.row.leaving) {
    await dropUse({ blobs, store }, digest, write_id)
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
