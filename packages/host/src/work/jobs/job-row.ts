import type { ErrorBody, JobState } from '@svc/contract'
import { job } from '@svc/contract/states'
import { collection, type Key, type StoreRecord } from '@svc/state'
import type { Owner } from '../../kernel/hosts.ts'
import { BUILTIN } from '../../machines/runners.ts'

/**
 * A job. The record's id is its job id. The row is written three times: as it is accepted, as it starts, as it ends.
 * Times are Unix ms.
 */
export interface JobRow {
  readonly user_id: string
  readonly app_id: string
  /** The plugin, by its id and by the handle that it had. */
  readonly tool_id: string
  readonly handle: string
  /** The version that it was accepted with, and the runner that it was bound to then. */
  readonly plugin_version: string
  readonly runner_id: string
  /** The terms of it that the user agreed to for the window of the call alone; `null`: the install says more. */
  readonly agreed_once: string | null
  readonly tool: string
  /** JSON text; `null` once the job has ended. */
  readonly args: string | null
  readonly state: JobState
  /** The host that holds the job, or held it when its runner went. */
  readonly owner: Owner
  readonly client_tag: string | null
  /** What the URLs begin with that its plugin gets. */
  readonly origin: string
  /** The effective timeout in ms, and what the caller asked for where that was moved. */
  readonly timeout_ms: number
  readonly requested_timeout_ms: number | null
  /** `created_at` + `timeout_ms`: the time in the queue counts. */
  readonly deadline_ms: number
  readonly created_at: number
  readonly started_at: number | null
  readonly ended_at: number | null
  /** JSON text of the result, of a job that succeeded. */
  readonly result: string | null
  readonly error: ErrorBody | null
  /** What its journals said as it ended; until then they are asked. */
  readonly last_seq: number
  readonly dropped: number
  readonly heartbeat_at: number | null
}

/** The record of a job. */
export type JobRecord = StoreRecord<JobRow>

/** Whether a job has not ended. */
export const isActive = ({ state }: Pick<JobRow, 'state'>): boolean => job.active.has(state)

/** Whether the deadline of a job that has not ended has come. */
export const isDue = (row: Pick<JobRow, 'state' | 'deadline_ms'>, now: number): boolean =>
  isActive(row) && now >= row.deadline_ms

/** What names the places of a job: its user and its runner, of which each host has one of its own. */
export const placesOf = ({ user_id, runner_id, owner }: JobRow): Key =>
  runner_id === BUILTIN ? [user_id, BUILTIN, owner.host_id, owner.epoch] : [user_id, runner_id]

export const jobs = collection({
  name: 'jobs',
  row: {} as JobRow,
  indexes: {
    byApp: (row) => [row.user_id, row.app_id, row.created_at],
    byUser: (row) => [row.user_id, row.created_at],
    activeByUser: (row) => (isActive(row) ? [...placesOf(row), row.created_at] : null),
    activeByOwner: (row) => (isActive(row) ? [row.owner.host_id, row.owner.epoch, row.created_at] : null),
    dueAt: (row) => (isActive(row) ? [row.deadline_ms] : null),
    endedAt: (row) => (row.ended_at === null ? null : [row.ended_at]),
    endedByApp: (row) => (row.ended_at === null ? null : [row.user_id, row.app_id, row.ended_at]),
    endedByUser: (row) => (row.ended_at === null ? null : [row.user_id, row.ended_at]),
  },
})
