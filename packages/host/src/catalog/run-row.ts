import type { RunState } from '@svc/contract'
import { run } from '@svc/contract/states'
import { collection, type StoreRecord } from '@svc/state'
import type { Owner } from '../kernel/hosts.ts'

/** One turn of a session, or one stream of `llm.stream`. The record's id is `runKey(…)`. Times are Unix ms. */
export interface RunRow {
  readonly user_id: string
  readonly app_id: string
  /** The window that asked for it; `null` where none did. */
  readonly window_uuid: string | null
  /** `null`: a stream of `llm.stream`, which has no session. */
  readonly session_uuid: string | null
  readonly run_id: string
  readonly stream_id: string
  /** SHA-256 of the canonical arguments without `run_id`. */
  readonly fingerprint: string
  /** The model that answers, by its own name. */
  readonly model: string
  readonly state: RunState
  /** The host that does it. */
  readonly owner: Owner
  readonly created_at: number
  /** Counts what a host accepted: the order of two runs of one ms. */
  readonly turn: number
  readonly started_at: number | null
  /** When it left the active states; its frames may still be on their way. */
  readonly ended_at: number | null
  /** Its `end` frame is in its journal: nothing follows. */
  readonly stream_closed: boolean
  /** Until when its frames are kept; `null` before its end, and once they are gone. */
  readonly frames_until: number | null
  /** The code of its `error` frame, where it has one. */
  readonly error_code: string | null
}

/** The record of a run. */
export type RunRecord = StoreRecord<RunRow>

export const runs = collection({
  name: 'runs',
  row: {} as RunRow,
  indexes: {
    /** Queued and running, in the order in which they were accepted. */
    activeBySession: (row) =>
      isActive(row) && row.session_uuid !== null ? [row.session_uuid, row.created_at, row.turn] : null,
    activeByApp: (row) => (isActive(row) ? [row.user_id, row.app_id] : null),
    /** The one that has begun and whose frames are not all there. */
    busyBySession: (row) =>
      row.session_uuid === null || row.started_at === null || row.stream_closed ? null : [row.session_uuid],
    byUser: (row) => [row.user_id, row.created_at, row.turn],
    byStream: (row) => [row.stream_id],
    /** Runs whose frames are not all there: what an event stream follows unasked, and what a dead host left. */
    openByWindow: (row) =>
      row.stream_closed || row.window_uuid === null ? null : [row.user_id, row.window_uuid],
    openByOwner: (row) => (row.stream_closed ? null : [row.owner.host_id, row.owner.epoch]),
    bySession: (row) => (row.session_uuid === null ? null : [row.session_uuid, row.created_at]),
    closedByApp: (row) => (row.stream_closed ? [row.user_id, row.app_id, row.ended_at] : null),
    closedByUser: (row) => (row.stream_closed ? [row.user_id, row.ended_at] : null),
    framesUntil: (row) => (row.frames_until === null ? null : [row.frames_until]),
    /** Those without frames. */
    endedAt: (row) => (row.stream_closed && row.frames_until === null ? [row.ended_at] : null),
  },
})

/** Whether a run waits or runs. */
export const isActive = ({ state }: Pick<RunRow, 'state'>): boolean => run.active.has(state)

/** Whether it has begun and not ended. */
export const isRunning = ({ state }: Pick<RunRow, 'state'>): boolean => run.next(state, 'finish') !== null

/** The id of a run's record: one a user, session and `run_id`; streams of `llm.stream` one an app. */
export const runKey = (userId: string, sessionOrApp: string, runId: string): string =>
  `${userId}\n${sessionOrApp}\n${runId}`

/** The journal of a run's frames: the seq of an entry is that of its frame, an item its payload as JSON text. */
export const frameJournal = (streamId: string): string => `run:${streamId}`
