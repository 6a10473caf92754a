import { pause } from '@svc/node'
import type { WorkServices } from '../work/services.ts'
import { heldRows } from './user-rows.ts'

/** How often in a row nothing is to be found: what was under way at the first look has its turn before the second. */
const CLEAN_PASSES = 2

/**
 * Drops every row of a user who is shut out, with its bytes, and his events. It looks again until it finds nothing, for
 * requests that were let in before may still write. One that broke off is done by calling it again. Errors: where rows
 * are found `ERASE_PASSES_MAX` times.
 */
export async function eraseData(services: WorkServices, userId: string): Promise<void> {
  const { ERASE_PASSES_MAX: max } = services.limits
  for (let pass = 0, clean = 0; clean < CLEAN_PASSES; pass += 1) {
    if (pass === max)
      throw new Error(`records of the user were found ${max} times: erase again when what is under way ended`)
    let found = 0
    for (const rows of heldRows) found += await rows.drop(services, userId)
    await services.events.forget(userId)
    clean = found === 0 ? clean + 1 : 0
    await pause()
  }
}
