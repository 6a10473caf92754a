import type { Group, GroupOwner } from './groups.ts'
import type { Worker } from './worker.ts'

/** Why a wait for a process ended without one. */
export type AcquireFailure = 'late' | 'aborted' | 'closed'

/** A call that wants a process. */
export interface ProcessRequest extends GroupOwner {
  /** Unix ms; waiting ends there. */
  readonly deadlineMs: number
  readonly signal?: AbortSignal | undefined
}

/** A process in the hands of one call; it is given back by `release` or taken away by `drop`, once. */
export interface PooledProcess {
  readonly worker: Worker
  readonly group: Group
  /** Whether the process was started for this call. */
  readonly isFresh: boolean
}
