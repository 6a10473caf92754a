import type { UserData } from '../access/users/user-data.ts'
import { endAccess } from './end-access.ts'
import { eraseData } from './erase.ts'
import { exportData } from './export.ts'
import type { UserDataServices } from './services.ts'

/** What rooms below need of those that keep what a user has; `all` is asked at the time of a call. */
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
