import type { Limits } from '@svc/contract'
import { dropUse } from '../blobs/uses.ts'
import type { House } from '../house.ts'
import { spaceOf } from '../storage/scope.ts'
import type { Page, Store } from '../store/port.ts'
import { type AppFileRow, appFiles, type Content, changeAppFile } from './app-file-row.ts'

const PAGE = 100

type Parts = Pick<House, 'blobs' | 'clock' | 'store'> & { readonly limits: Pick<Limits, 'CLEAN_RECORDS_MAX'> }

/** Lets every file of a user in an app go: none can be read any more, and their bytes go with the next sweep. */
export async function letAppFilesGo(store: Store, userId: string, appId: string): Promise<void> {
  const space = spaceOf('app', { userId, window: { row: { app_id: appId } } })
  for (let after: string | null = null; ; ) {
    const page: Page<AppFileRow> = await store.scan(appFiles, 'bySpace', { eq: [space], after, limit: PAGE })
    for (const { id } of page.rows)
      await changeAppFile(
        store,
        id,
        (row) =>
          row && {
            ...row,
            live: null,
            arriving: [],
            leaving: [...row.leaving, ...row.arriving, ...(row.live ? [row.live] : [])],
            forgotten: true,
          },
      )
    if (page.next === null) return
    after = page.next
  }
}

/**
 * Drops the bytes that no file needs any more, and those of writes that broke off. One that cannot be dropped keeps no
 * other from it, and is told at the end.
 */
export async function dropAppFiles(parts: Parts): Promise<void> {
  const { clock, limits, store } = parts
  const now = clock.now()
  const page = await store.scan(appFiles, 'dueAt', { to: now, limit: limits.CLEAN_RECORDS_MAX })
  const failures: unknown[] = []
  for (const { id } of page.rows)
    await dropLate(parts, id, now).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

async function dropLate(parts: Pick<House, 'blobs' | 'store'>, id: string, now: number): Promise<void> {
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
  await dropLeaving(parts, id)
}

/** Drops what leaves a file: the bytes first, then their names; and the record of a forgotten one at the end. */
export async function dropLeaving(
  { blobs, store }: Pick<House, 'blobs' | 'store'>,
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
  const { forgotten, live, arriving, leaving } = left.row
  if (forgotten && live === null && arriving.length === 0 && leaving.length === 0)
    await store.remove(appFiles, id, left.revision)
}
