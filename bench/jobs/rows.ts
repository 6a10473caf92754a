import { memoryStore } from '@svc/host'
import { collection } from '@svc/state'

/** As much of a job as a row of the host has. */
interface JobRow {
  readonly user_id: string
  readonly app_id: string
  readonly tool_id: string
  readonly handle: string
  readonly plugin_version: string
  readonly runner_id: string
  readonly agreed_once: string | null
  readonly tool: string
  readonly args: string | null
  readonly state: 'queued' | 'running' | 'succeeded'
  readonly owner: { readonly host_id: string; readonly epoch: number }
  readonly client_tag: string | null
  readonly origin: string
  readonly timeout_ms: number
  readonly requested_timeout_ms: number | null
  readonly deadline_ms: number
  readonly created_at: number
  readonly started_at: number | null
  readonly ended_at: number | null
  readonly result: string | null
  readonly error: null
  readonly last_seq: number
  readonly dropped: number
  readonly heartbeat_at: number | null
}

const isActive = ({ ended_at }: JobRow) => ended_at === null

/** The rows, under as many indexes as the host keeps of them. */
const jobs = collection({
  name: 'jobs',
  row: {} as JobRow,
  indexes: {
    byApp: (row) => [row.user_id, row.app_id, row.created_at],
    byUser: (row) => [row.user_id, row.created_at],
    activeByUser: (row) =>
      isActive(row) ? [row.user_id, row.runner_id, row.owner.host_id, row.owner.epoch, row.created_at] : null,
    activeByOwner: (row) => (isActive(row) ? [row.owner.host_id, row.owner.epoch, row.created_at] : null),
    dueAt: (row) => (isActive(row) ? [row.deadline_ms] : null),
    endedAt: (row) => (row.ended_at === null ? null : [row.ended_at]),
    endedByApp: (row) => (row.ended_at === null ? null : [row.user_id, row.app_id, row.ended_at]),
    endedByUser: (row) => (row.ended_at === null ? null : [row.user_id, row.ended_at]),
  },
})

const QUEUED: JobRow = {
  user_id: '',
  app_id: 'app_1',
  tool_id: 'tool-local-noop-1',
  handle: 'noop',
  tool: 'noop',
  args: '{}',
  plugin_version: '1',
  runner_id: 'builtin',
  agreed_once: null,
  state: 'queued',
  owner: { host_id: 'host_1', epoch: 1 },
  client_tag: null,
  origin: '',
  timeout_ms: 1_800_000,
  requested_timeout_ms: null,
  deadline_ms: 0,
  created_at: 0,
  started_at: null,
  ended_at: null,
  result: null,
  error: null,
  last_seq: 0,
  dropped: 0,
  heartbeat_at: null,
}

/** A queue's user who keeps the same rows as the engine, and nothing else. */
export function openRows() {
  const store = memoryStore()
  let count = 0
  return {
    /** Writes a job down; returns how to write that it runs, and that it has ended. */
    async insert(user_id: string) {
      const id = `job${++count}`
      const now = Date.now()
      const row = { ...QUEUED, user_id, created_at: now, deadline_ms: now + QUEUED.timeout_ms }
      const inserted = await store.insert(jobs, id, row)
      if (!inserted.ok) throw new Error(`${id} stands already`)
      let { record } = inserted
      const change = async (next: Partial<JobRow>) => {
        const swapped = await store.swap(jobs, id, record.revision, { ...record.row, ...next })
        if (!swapped.ok) throw new Error(`${id} was changed by another`)
        record = swapped.record
      }
      return {
        start: () => change({ state: 'running', started_at: Date.now() }),
        end: () => change({ state: 'succeeded', args: null, ended_at: Date.now(), result: '{}' }),
      }
    },
    close: () => store.close(),
  }
}
