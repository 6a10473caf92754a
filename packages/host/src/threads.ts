import { Worker } from 'node:worker_threads'

/** What another thread does: a script that names nothing from outside, what it is given, and what changes hands. */
export interface ThreadWork {
  readonly script: string
  readonly given: unknown
  readonly transfer: readonly ArrayBuffer[]
}

/** The one place for work that takes long and cannot be cut into slices. */
export interface Threads {
  /**
   * Does one piece of work after the other and resolves with the message of each. Users take turns: who has much
   * waiting delays another by one piece. Rejects when the thread fails, or the host is closed.
   */
  run<Found>(userId: string, work: ThreadWork): Promise<Found>
  /** Ends what is under way, and what waits. */
  close(): Promise<void>
}

/** What a thread may have: the longest body twice, with two bytes a character. */
const HEAP_MIB = 1_024

/** Opens it. A thread lives as long as one piece of work, so that nothing of it stays. */
export function openThreads(begin = runThread): Threads {
  const waiting = new Map<string, (() => void)[]>()
  const end = new AbortController()
  let busy: Promise<unknown> | null = null

  /** The user who waits longest has the next turn, for one piece. */
  function next(): void {
    const [first] = waiting
    if (busy || !first) return
    const [userId, [start, ...others]] = first
    waiting.delete(userId)
    if (others.length > 0) waiting.set(userId, others)
    start?.()
  }

  return {
    run<Found>(userId: string, work: ThreadWork) {
      return new Promise<Found>((resolve, reject) => {
        const start = () => {
          const done = begin(work, end.signal)
          busy = done
            .catch(() => {})
            .then(() => {
              busy = null
              next()
            })
          done.then((found) => resolve(found as Found), reject)
        }
        const line = waiting.get(userId)
        if (line) line.push(start)
        else waiting.set(userId, [start])
        next()
      })
    },
    async close() {
      end.abort(new Error('the threads of the host are closed'))
      while (busy) await busy
    },
  }
}

async function runThread({ script, given, transfer }: ThreadWork, end: AbortSignal): Promise<unknown> {
  end.throwIfAborted()
  const thread = new Worker(script, {
    ...{ eval: true, name: 'svc-thread', env: {}, execArgv: [] },
    ...{ workerData: given, transferList: [...transfer] },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  })
  const stop = () => void thread.terminate()
  end.addEventListener('abort', stop)
  try {
    return await new Promise((resolve, reject) => {
      thread.once('message', resolve).once('error', reject)
      thread.once('exit', (code) => reject(new Error(`a thread ended with ${code} before it was done`)))
    })
  } finally {
    end.removeEventListener('abort', stop)
    await thread.terminate()
  }
}
