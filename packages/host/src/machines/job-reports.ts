import type { Limits } from '@svc/contract'
import type { Clock } from '@svc/node'
import { type JobInput, openProgress } from '@svc/runner'
import type { LinkHead } from '@svc/runner/link'
import { readJson } from './read-outcome.ts'

/**
 * A machine limits progress to its rate, but delayed messages arrive in bursts: the host accepts this many times the
 * rate.
 */
const BUNCHED = 4

/**
 * Checks what a machine reports of a job: once that it started, progress within its rate, and beats when they are due.
 */
export function openJobReports(input: JobInput, { clock, limits }: { clock: Clock; limits: Limits }) {
  const perSecond = BUNCHED * limits.PROGRESS_PER_SECOND
  const progress = openProgress(input, { ...limits, PROGRESS_PER_SECOND: perSecond }, clock.now)
  let isStarted = false
  let beatAt = Number.NEGATIVE_INFINITY
  let droppedAt = Number.NEGATIVE_INFINITY

  const handlers: Readonly<Record<string, (head: LinkHead, body: Buffer) => void>> = {
    started() {
      if (!isStarted) input.onStarted()
      isStarted = true
    },
    progress({ name }, body) {
      const data = readJson(body, limits)
      if (typeof name === 'string' && data) progress.take(name, data.value)
    },
    dropped({ count }) {
      const now = clock.now()
      if (
        !Number.isSafeInteger(count) ||
        (count as number) < 1 ||
        now - droppedAt < limits.LINK_DROPPED_MS / BUNCHED
      )
        return
      droppedAt = now
      input.onDropped(count as number)
    },
    beat() {
      const now = clock.now()
      if (now - beatAt < limits.JOB_HEARTBEAT_MS / BUNCHED) return
      beatAt = now
      input.onHeartbeat()
    },
  }

  return {
    /** How long the body of such a message may be; `null`: it is not such a message. */
    room: ({ type }: LinkHead) => (Object.hasOwn(handlers, type) ? limits.PROGRESS_MAX_BYTES : null),
    take: (head: LinkHead, body: Buffer) => handlers[head.type]?.(head, body),
  }
}

/** The reports of a job from its machine, which is not trusted. */
export type JobReports = ReturnType<typeof openJobReports>
