import type { RequirementId } from './requirements.ts'

/**
 * Says which requirements the code around it proves, where there is no `verifies` to say it: the check of
 * an example, a suite that any driver must pass. The gate reads the ids from the source, so they are
 * literals; running it does nothing.
 */
export function cites(..._ids: readonly RequirementId[]): void {}
