import type { Limits } from '@svc/contract/limits'
import type { JobInput } from './runner.ts'

/**
 * Lets the progress of one job through: `PROGRESS_PER_SECOND` a second from a bucket that holds as many, each with at
 * most `PROGRESS_MAX_BYTES` of data; the rest is counted. What is not let through costs the bucket
 * nothing.
 */
export function openProgress(
  { onProgress, onDropped }: Pick<JobInput, 'onProgress' | 'onDropped'>,
  limits: Limits,
  now: () => number,
) {
  const most = limits.PROGRESS_PER_SECOND
  let left = most
  let filledMs = now()

  /** A clock that was set back fills nothing, and takes nothing either. */
  const fill = () => {
    const time = now()
    left = Math.min(most, left + (Math.max(0, time - filledMs) * most) / 1_000)
    filledMs = time
  }

  /** The JSON text of data that may pass. */
  const pass = (type: string, data: unknown): string | undefined => {
    fill()
    if (left < 1 || type.length > limits.NAME_MAX_CHARS) return undefined
    const json = JSON.stringify(data ?? null)
    if (Buffer.byteLength(json) > limits.PROGRESS_MAX_BYTES) return undefined
    left--
    return json
  }

  return {
    /** Passes one progress message on, or counts it as dropped. */
    take(type: string, data: unknown): void {
      const json = pass(type, data)
      if (json === undefined) onDropped(1)
      else onProgress({ type, json })
    },
    /** Counts progress that was not read because its line alone is too long. */
    drop: () => onDropped(1),
  }
}

/** See `openProgress`. */
export type ProgressGate = ReturnType<typeof openProgress>
