import { JOB_HEARTBEAT_MS } from '@svc/contract/browser'
import { isActive, type Job } from './job.ts'
import { lengthText } from './length.ts'

const SECOND = 1_000

/** A process that gave no sign for so long may be gone: two signs were missed. */
export const LIFE_MS = 2 * JOB_HEARTBEAT_MS

/**
 * Tells the times of a job at `now`, in Unix ms of the host's clock: how long it waits, runs or ran, how long it still
 * may, and its last sign of life while it runs.
 */
export function timesOf(job: Job, now: number) {
  const started = timeOf(job.startedAt)
  return {
    spent: spentOf(job, started, now),
    left: isActive(job) ? leftOf(job.deadlineMs - now) : null,
    life: job.state === 'running' ? lifeOf(now - (timeOf(job.lastHeartbeatAt) ?? started ?? now)) : null,
  }
}

function spentOf(job: Job, started: number | null, now: number): string {
  const ended = timeOf(job.endedAt)
  const from = started ?? Date.parse(job.createdAt)
  if (isActive(job)) return `${started === null ? 'waiting' : 'running'} for ${lengthText(now - from)}`
  if (started === null || ended === null) return 'never started'
  // Rounded, as apps tell it; what still runs has not lasted longer than it says.
  const whole = Math.round((ended - started) / SECOND) * SECOND
  return ended - started < SECOND ? 'took under 1 s' : `took ${lengthText(whole)}`
}

const leftOf = (ms: number): string => (ms > 0 ? `${lengthText(ms)} left` : 'past its deadline')

function lifeOf(silent: number) {
  const late = silent > LIFE_MS
  const length = lengthText(silent)
  return late ? { text: `no update for ${length}`, late } : { text: `last update ${length} ago`, late }
}

const timeOf = (text: string | null): number | null => (text === null ? null : Date.parse(text))
