import type { WorkServices } from '../work/services.ts'
import type { LateWrites } from './late-writes.ts'

/** With what ends and deletes all that a user has. */
export interface UserDataServices extends WorkServices {
  readonly lateWrites: LateWrites
}
