import type { Page } from '@svc/state'
import type { KernelServices } from '../../kernel/services.ts'
import { readPage } from '../storage/scan-space.ts'
import { type FileOwner, type FileRow, files, isLapsed } from './file-row.ts'

/** A page of the files of an owner, oldest first; those whose time is over are left out. Errors: `invalid_arg` (cursor). */
export async function listFiles(
  { clock, store }: Pick<KernelServices, 'clock' | 'store'>,
  { userId, appId }: FileOwner,
  by: { readonly after: string | null; readonly limit: number },
): Promise<Page<FileRow>> {
  const { rows, next } = await readPage(store, files, 'byOwner', { eq: [userId, appId], ...by })
  return { rows: rows.filter(({ row }) => row.state !== 'gone' && !isLapsed(row, clock.now())), next }
}
