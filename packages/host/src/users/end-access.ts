import type { House } from '../house.ts'
import { type InstallRow, installs } from '../records.ts'
import type { Page } from '../store/port.ts'
import { openWindowsUnder } from '../windows/parts.ts'

const PAGE = 100

/** What ending needs of the house. */
export type EndParts = Pick<House, 'clock' | 'limits' | 'store' | 'windows' | 'sessions' | 'jobs'>

/** Closes the windows of a user and ends his sessions with their runs; with `jobs` his jobs too. */
export async function endAccess(
  house: EndParts,
  userId: string,
  reason: string,
  { jobs }: { readonly jobs: boolean },
): Promise<void> {
  for (const { id } of await openWindowsUnder(house, 'openByUser', [userId]))
    await house.windows.close(userId, id, reason)
  for (let after: string | null = null; ; ) {
    const page: Page<InstallRow> = await house.store.scan(installs, 'byUser', {
      eq: [userId],
      after,
      limit: PAGE,
    })
    for (const { row } of page.rows) {
      await house.sessions.revokeAll(userId, row.app_id)
      if (jobs) await house.jobs.cancelAll(userId, row.app_id, reason)
    }
    if (page.next === null) return
    after = page.next
  }
}
