import type { Limits } from '@svc/contract'
import { file } from '@svc/contract/states'
import { dropUse } from '../blobs/uses.ts'
import type { House } from '../house.ts'
import type { Page } from '../store/port.ts'
import { type FileOwner, type FileRecord, type FileRow, files, moveFile } from './file-row.ts'

const PAGE = 100

type Parts = Pick<House, 'blobs' | 'clock' | 'store'> & { readonly limits: Pick<Limits, 'CLEAN_RECORDS_MAX'> }

/**
 * Drops the files whose time is over: those that were not confirmed, and those that were let go. One that cannot be
 * dropped keeps no other from it, and is told at the end.
 */
export async function dropFiles(parts: Parts): Promise<void> {
  const { clock, limits, store } = parts
  const page = await store.scan(files, 'dueAt', { to: clock.now(), limit: limits.CLEAN_RECORDS_MAX })
  const failures: unknown[] = []
  for (const record of page.rows) await drop(parts, record).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

/** Lets a file go: it is unreadable at once, and its bytes go with the next sweep. */
export async function letFileGo({ clock, store }: Pick<House, 'clock' | 'store'>, fileRef: string) {
  await moveFile(store, fileRef, 'drop', () => ({ due_at: clock.now() }))
}

/** Lets every file of an app of a user go. */
export async function letFilesGo(
  { clock, store }: Pick<House, 'clock' | 'store'>,
  { userId, appId }: FileOwner,
) {
  for (let after: string | null = null; ; ) {
    const page: Page<FileRow> = await store.scan(files, 'byOwner', {
      eq: [userId, appId],
      after,
      limit: PAGE,
    })
    for (const { id } of page.rows) await letFileGo({ clock, store }, id)
    if (page.next === null) return
    after = page.next
  }
}

/** The record says `gone` before the bytes go, and goes after them: a sweep that breaks off is taken up by the next. */
async function drop({ blobs, store }: Parts, { id, revision, row }: FileRecord): Promise<void> {
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
