import type { Clock } from '@svc/node'

/**
 * Does work that may not keep to its signal: settles with it, with the reason of `signal`, or with that of `late`
 * after `ms`, whichever comes first. The work's own signal fires with either reason.
 */
export async function inTime<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { clock, ms, signal, late }: { clock: Clock; ms: number; signal: AbortSignal; late: () => Error },
): Promise<T> {
  signal.throwIfAborted()
  const end = new AbortController()
  const leave = () => end.abort(signal.reason)
  signal.addEventListener('abort', leave, { once: true })
  const stop = clock.setTimer(() => end.abort(late()), ms)
  try {
    return await untilAborted(end.signal, () => work(end.signal))
  } finally {
    stop()
    signal.removeEventListener('abort', leave)
  }
}

/** Does work that may not keep to `signal`: settles with it, or with the reason of `signal`, whichever comes first. */
export async function untilAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const left = Promise.withResolvers<never>()
  const leave = () => left.reject(signal.reason)
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([left.promise, work()])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
