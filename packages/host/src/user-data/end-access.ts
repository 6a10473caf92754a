import { each, eachSettled } from '@svc/state'
import { installs } from '../catalog/records.ts'
import { openWindowsUnder } from '../catalog/window-row.ts'
import type { WorkServices } from '../work/services.ts'

/** What ending needs of the host's services. */
export type EndParts = Pick<WorkServices, 'clock' | 'limits' | 'store' | 'windows' | 'sessions' | 'jobs'>

/**
 * Closes the windows of a user and ends his sessions with their runs; with `jobs` his jobs too. An app of which that fails
 * keeps no other from it.
 */
export async function endAccess(
  services: EndParts,
  userId: string,
  reason: string,
  { jobs }: { readonly jobs: boolean },
): Promise<void> {
  for (const { id } of await openWindowsUnder(services, 'openByUser', [userId]))
    await services.windows.close(userId, id, reason)
  await eachSettled(each(services.store, installs, 'byUser', { eq: [userId] }), async ({ row }) => {
    await services.sessions.revokeAll(userId, row.app_id)
    if (jobs) await services.jobs.cancelAll(userId, row.app_id, reason)
  })
}
