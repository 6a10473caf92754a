import { memoryStore } from '@svc/host'
import { type JobRow, jobs } from '../../packages/host/src/work/jobs/job-row.ts'

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
