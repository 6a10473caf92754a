import { FAST_CONNECTIONS_MAX, SLOW_CONNECTIONS_MAX } from '@svc/contract/browser'

/** Who has calls to send: each window's queue. */
export interface Source {
  /** Sends the next thing over a connection of a lane; it ends when the connection is free again, and never rejects. */
  next(slow: boolean): Promise<void> | undefined
}

/** The connections that all windows of a page share. */
export interface Lanes {
  /** Lets a source take part; returns how to leave. */
  join(source: Source): () => void
  /** Sends what can be sent now. */
  pump(): void
  /** Sends after the work of this tick, so that places falling free together are filled together. */
  soon(): void
}

/**
 * Shares out the connections (docs/decisions/0017-lanes-and-batches.md): a browser allows six an origin, one is the
 * event stream, three carry methods that may take seconds, two the rest. Windows take turns. While `isWide`, a body
 * needs no connection of its own.
 */
export function createLanes(isWide: () => boolean): Lanes {
  const sources = new Set<Source>()
  const lanes = [
    { slow: false, free: FAST_CONNECTIONS_MAX },
    { slow: true, free: SLOW_CONNECTIONS_MAX },
  ]
  let planned = false

  /** The first source with something to send sends it, and goes to the end of the row. */
  function take(slow: boolean): Promise<void> | undefined {
    for (const source of sources) {
      const sent = source.next(slow)
      if (!sent) continue
      sources.delete(source)
      sources.add(source)
      return sent
    }
    return undefined
  }

  function pump(): void {
    for (const lane of lanes) {
      while (lane.free > 0 || isWide()) {
        const sent = take(lane.slow)
        if (!sent) break
        lane.free--
        void sent.then(() => {
          lane.free++
          pump()
        })
      }
    }
  }

  return {
    join(source) {
      sources.add(source)
      return () => {
        sources.delete(source)
      }
    },
    pump,
    soon() {
      if (planned) return
      planned = true
      queueMicrotask(() => {
        planned = false
        pump()
      })
    },
  }
}
