import type { DataLine, UserData } from '../access/users/users.ts'
import { endAccess } from './end-access.ts'
import { eraseData } from './erase.ts'
import type { UserDataServices } from './services.ts'
import { heldRows } from './user-rows.ts'

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
 * Every record of a user with its bytes, one at a time and read as it is asked for. It changes nothing and is no
 * snapshot: what is written meanwhile may be in it.
 */
async function* exportData(services: UserDataServices, userId: string): AsyncGenerator<DataLine> {
  for (const rows of heldRows) yield* rows.lines(services, userId)
}
