import { unreachable } from './bridge-error.ts'
import type { Clock } from './clock.ts'

/** A wait with an end. */
export interface Deadline {
  /** Aborts when the caller's signal does, or with `host_unreachable` when the time is up. */
  readonly signal: AbortSignal
  /** Begins the time anew, from now on `ms` where that is given. */
  renew(ms?: number): void
  /** Stops the timer; whoever sets a deadline ends it. */
  end(): void
}

/** Sets a deadline `ms` from now on a wait that `signal` can give up. */
export function setDeadline(clock: Clock, ms: number, signal: AbortSignal): Deadline {
  const own = new AbortController()
  let timer: unknown
  const end = () => clock.clearTimeout(timer)
  const renew = (ofNow = ms) => {
    end()
    timer = clock.setTimeout(() => own.abort(unreachable(`no answer within ${ofNow} ms`)), ofNow)
  }
  renew()
  return { signal: AbortSignal.any([signal, own.signal]), renew, end }
}

/** Waits `ms`, or shorter when the signal aborts; never rejects. */
export async function pause(clock: Clock, ms: number, shorter: AbortSignal): Promise<void> {
  const { signal, end } = setDeadline(clock, ms, shorter)
  if (!signal.aborted)
    await new Promise((resolve) => {
      signal.onabort = resolve
    })
  end()
}
