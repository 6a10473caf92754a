import type { Clock } from '@svc/node'
import { BusError } from './bus-error.ts'
import type { AskOptions } from './port.ts'

/** The questions of one bus that wait for their answers, for any driver. */
export interface Waits {
  /**
   * Waits for what `start` promises, no longer than `options` allow. The signal that `start` gets aborts when the
   * waiting ended without it. Throws `BusError` `deadline`, `aborted` or `closed`, or what `start` throws.
   */
  wait<T>(what: string, options: AskOptions, start: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Fails every question that still waits. */
  close(): void
}

/** Makes an empty set of waits that read their deadlines on `clock`. */
export function makeWaits(clock: Clock): Waits {
  const waiting = new Set<(error: BusError) => void>()
  return {
    wait(what, { deadline, signal }, start) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) throw aborted(what, signal)
        if (clock.now() >= deadline) throw late(what)
        const gone = new AbortController()
        const end = () => {
          waiting.delete(fail)
          signal?.removeEventListener('abort', onAbort)
          stopTimer()
        }
        const fail = (error: BusError) => {
          end()
          reject(error)
          gone.abort(error)
        }
        const onAbort = () => fail(aborted(what, signal))
        const stopTimer = clock.setTimer(() => fail(late(what)), deadline - clock.now())
        signal?.addEventListener('abort', onAbort)
        waiting.add(fail)
        start(gone.signal).finally(end).then(resolve, reject)
      })
    },
    close() {
      for (const fail of waiting) fail(new BusError('closed', 'the bus was closed'))
    },
  }
}

const late = (what: string) => new BusError('deadline', `${what} was not answered before its deadline`)
const aborted = (what: string, signal?: AbortSignal) =>
  new BusError('aborted', `${what} was given up`, { cause: signal?.reason })
