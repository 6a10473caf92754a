import type { UserData } from '../access/users/user-data.ts'
import type { House } from '../house.ts'
import { endAccess } from './end-access.ts'
import { eraseData } from './erase.ts'
import { exportData } from './export.ts'

/** What users need of the rooms that keep their data, which are read at the time of a call. */
export const openUserData = (house: House): UserData => ({
  end: (userId, reason, and) => endAccess(house, userId, reason, and),
  async erase(userId) {
    await house.lateWrites.settle({ userId })
    await eraseData(house, userId)
  },
  export: (userId) => exportData(house, userId),
})
