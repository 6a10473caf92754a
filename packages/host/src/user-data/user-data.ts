import { pause } from '@svc/node'
import { each, eachSettled } from '@svc/state'
import type { DataLine, UserData } from '../access/users/users.ts'
import { installs } from '../catalog/records.ts'
import { openWindowsUnder } from '../catalog/window-row.ts'
import type { WorkServices } from '../work/services.ts'
import type { UserDataServices } from './services.ts'
import { heldRows } from './user-rows.ts'

/** What ending needs of the host's services. */
export type EndParts = Pick<WorkServices, 'clock' | 'limits' | 'store' | 'windows' | 'sessions' | 'jobs'>

/**
 * Closes the windows of a user and ends his sessions with their runs; with `jobs` his jobs too. A failure with one app
 * does not stop the others.
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

/** How often in a row nothing is to be found: what was under way at the first look has its turn before the second. */
const CLEAN_PASSES = 2

/**
 * Drops every row of a user who is shut out, with its bytes, and his events. It looks again until it finds nothing, for
 * requests that were let in before may still write. One that was interrupted is done by calling it again. Errors: where
 * rows are found `ERASE_PASSES_MAX` times.
 */
export async function eraseData(services: WorkServices, userId: string): Promise<void> {
  const { ERASE_PASSES_MAX: max } = services.limits
  for (let pass = 0, clean = 0; clean < CLEAN_PASSES; pass += 1) {
    if (pass === max)
      throw new Error(
        `records of the user were found ${max} times: erase again when the calls in progress have ended`,
      )
    let found = 0
    for (const rows of heldRows) found += await rows.drop(services, userId)
    await services.events.forget(userId)
    clean = found === 0 ? clean + 1 : 0
    await pause()
  }
}

/** What layers below need of those that keep what a user has; `all` is asked at the time of a call. */
export const openUserData = (all: () => UserDataServices): UserData => ({
  end: (userId, reason, and) => endAccess(all(), userId, reason, and),
  async endInstall(userId, appId) {
    const { jobs, lateWrites, sessions } = all()
    await jobs.cancelAll(userId, appId, 'the app was uninstalled')
    await sessions.revokeAll(userId, appId)
    await lateWrites.settle({ userId, appId })
  },
  async erase(userId) {
    await all().lateWrites.settle({ userId })
    await eraseData(all(), userId)
  },
  export: (userId) => exportData(all(), userId),
})

/**
 * Every record of a user with its bytes, one at a time and read as it is asked for. It changes nothing and is not a
 * snapshot: what is written meanwhile may be in it.
 */
async function* exportData(services: UserDataServices, userId: string): AsyncGenerator<DataLine> {
  for (const rows of heldRows) yield* rows.lines(services, userId)
}
