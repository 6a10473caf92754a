import type { Limits } from '@svc/contract/limits'
import type { Clock } from '@svc/node'
import type { JobInput } from '../port/runner.ts'
import type { SendToHost } from './send.ts'

/** What telling of a job takes. */
export interface JobReporterParts {
  readonly clock: Clock
  readonly limits: Limits
  readonly send: SendToHost
  /** Bytes of small messages that wait for the host. */
  readonly waitingBytes: () => number
}

/** Tells the host how a job goes. Where the host reads too slowly for it, progress is dropped and counted. */
export function openJobReporter(id: number, { clock, limits, send, waitingBytes }: JobReporterParts) {
  let dropped = 0
  let stop: (() => void) | undefined

  function reportDropped(): void {
    stop?.()
    stop = undefined
    if (dropped > 0) send({ type: 'dropped', id, count: dropped })
    dropped = 0
  }
  function drop(count: number): void {
    dropped += count
    stop ??= clock.setTimer(reportDropped, limits.LINK_DROPPED_MS)
  }

  const face: Pick<JobInput, 'onStarted' | 'onProgress' | 'onDropped' | 'onHeartbeat'> = {
    onStarted: () => void send({ type: 'started', id }),
    onProgress({ type: name, json }) {
      if (waitingBytes() > limits.LINK_QUEUE_MAX_BYTES) drop(1)
      else send({ type: 'progress', id, name }, Buffer.from(json))
    },
    onDropped: drop,
    onHeartbeat: () => void send({ type: 'beat', id }),
  }
  return {
    face,
    /** The job is over: what was counted is reported. */
    close: reportDropped,
  }
}
