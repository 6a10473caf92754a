import type { DataLine } from '../access/users/user-data.ts'
import type { WorkServices } from '../work/services.ts'
import { heldRows } from './user-rows.ts'

/**
 * Every record of a user with its bytes, one at a time and read as it is asked for. It changes nothing and is no
 * snapshot: what is written meanwhile may be in it.
 */
export async function* exportData(services: WorkServices, userId: string): AsyncGenerator<DataLine> {
  for (const rows of heldRows) yield* rows.lines(services, userId)
}
