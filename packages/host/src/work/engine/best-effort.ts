import type { WorkServices } from '../services.ts'

/**
 * Does what may fail without harm, such as one step of a sweep: a failure is logged as `what`, with the fields of
 * `about`. Returns whether it was done.
 */
export async function bestEffort(
  { log }: Pick<WorkServices, 'log'>,
  what: string,
  work: () => Promise<unknown>,
  about: object = {},
): Promise<boolean> {
  try {
    await work()
    return true
  } catch (err) {
    log.warn({ err, ...about }, what)
    return false
  }
}

/** Handles one record and never throws. What fails is tried again by the next sweep, and delays no other record. */
export const withoutThrowing = (
  services: Pick<WorkServices, 'log'>,
  kind: 'job' | 'run' | 'session',
  id: string,
  work: () => Promise<unknown>,
): Promise<boolean> =>
  bestEffort(services, `a ${kind} could not be checked and is retried`, work, { [kind]: id })
