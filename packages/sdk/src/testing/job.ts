import type { JobSnapshot, JobState, WindowEvent } from '@svc/contract'
import { createTools } from '../tools.ts'
import { callBed, type FakeMethods, refusal } from './call.ts'

const START = Date.UTC(2026, 0, 1)
const KEPT = 500

/** A job id, `tjob_` and 32 digits, that ends in this number. */
export const idOf = (n: number): string => `tjob_${String(n).padStart(32, '0')}`

/**
 * The client of tools on a frozen clock, and a host of jobs that a test moves by hand: it starts, reads and
 * cancels jobs and keeps their latest 500 progress, and sends its events only where the test says so.
 */
export function jobBed() {
  const jobs = new Map<string, JobSnapshot>()

  function job(n: number): JobSnapshot {
    const one = jobs.get(idOf(n))
    if (!one) throw new Error(`there is no job ${n}`)
    return one
  }

  function change(n: number, news: Partial<JobSnapshot>): void {
    const one = job(n)
    if (bed.active(n)) jobs.set(one.jobId, { ...one, ...news })
  }

  const methods: FakeMethods = {
    invokeAsync({ tool_id, clientTag }) {
      const n = jobs.size + 1
      const at = START + base.clock.now()
      jobs.set(idOf(n), {
        jobId: idOf(n),
        tool_id: String(tool_id),
        method: 'build',
        state: 'queued',
        progress: [],
        lastSeq: 0,
        progressDropped: 0,
        lastHeartbeatAt: null,
        createdAt: new Date(at).toISOString(),
        startedAt: null,
        endedAt: null,
        clientTag: clientTag === undefined ? null : String(clientTag),
        deadlineMs: at + 1_800_000,
      })
      return { result: { jobId: idOf(n), state: 'queued', deadlineMs: at + 1_800_000 } }
    },
    getJob({ jobId, sinceSeq = 0, limit = KEPT }) {
      const one = jobs.get(String(jobId))
      if (!one) return refusal('job_not_found')
      const progress = one.progress.filter(({ seq }) => seq > Number(sinceSeq)).slice(0, Number(limit))
      return { result: { ...one, progress: progress.slice(0, bed.pageItems) } }
    },
    cancelJob({ jobId, reason = 'cancelled' }) {
      const one = jobs.get(String(jobId))
      if (!one) return refusal('job_not_found')
      const n = Number(String(jobId).slice(-9))
      const cancelled = bed.active(n)
      change(n, { state: 'cancelled', error: { code: 'cancelled', message: String(reason) } })
      return { result: { jobId, state: job(n).state, cancelled } }
    },
    list: () => ({ result: { tools: bed.list } }),
  }

  const base = callBed(methods)
  const bed = Object.assign(base, {
    list: [] as { tool_id: string }[],
    /** Items that one reading holds at most. */
    pageItems: KEPT,
    tools: createTools(() => base.parts),
    job,
    active: (n: number) => ['queued', 'running'].includes(job(n).state),
    /** The plugin tells something; the host numbers it. */
    progress(n: number, data: unknown = {}) {
      const { lastSeq, progress } = job(n)
      const seq = lastSeq + 1
      change(n, {
        state: 'running',
        lastSeq: seq,
        progress: [...progress, { seq, type: 'progress', data }].slice(-KEPT),
      })
    },
    end(n: number, state: JobState, rest: Partial<JobSnapshot> = {}) {
      change(n, { state, endedAt: new Date(START + base.clock.now()).toISOString(), ...rest })
    },
    /** An event about the job as it is now. */
    event(n: number, more: Partial<WindowEvent<'tool_job'>> = {}) {
      const { jobId, tool_id, state, lastSeq } = job(n)
      base.hub.emit('tool_job', {
        type: 'tool_job',
        window_uuid: 'w',
        job_id: jobId,
        tool_id,
        state,
        seq: lastSeq,
        event: state,
        terminal: !bed.active(n),
        ...more,
      })
    },
  })
  return bed
}
