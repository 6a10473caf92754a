import type { Job } from '../state/job.ts'

/** When the tests begin, in Unix ms. */
export const START = Date.UTC(2026, 0, 1, 12)

/** A moment as the host writes it: so many ms after the tests began. */
export const after = (ms: number): string => new Date(START + ms).toISOString()

/** A job that runs since the tests began, with half an hour before it. `n` names it. */
export const jobOf = (n: number, rest: Partial<Job> = {}): Job => ({
  jobId: `tjob_${String(n).padStart(32, '0')}`,
  app_id: 'app-1',
  tool_id: 'tool-local-atlas-1',
  method: 'index',
  state: 'running',
  progress: [],
  lastSeq: 0,
  progressDropped: 0,
  lastHeartbeatAt: after(0),
  createdAt: after(n),
  startedAt: after(0),
  endedAt: null,
  clientTag: null,
  deadlineMs: START + 1_800_000,
  ...rest,
})

/** What a plugin told, numbered from 1. */
export const told = (...datas: readonly unknown[]): Job['progress'] =>
  datas.map((data, at) => ({ seq: at + 1, type: 'progress', data }))
