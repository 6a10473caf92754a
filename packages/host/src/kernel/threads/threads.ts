import { Worker } from 'node:worker_threads'
import { type Clock, systemClock } from '@svc/node'

/** What another thread does: the text of a function that names nothing from outside, and what it is given. */
export interface ThreadWork {
  /** A function of what it is given, which returns `{found, transfer}`; it may use `require`. */
  readonly script: string
  readonly given: unknown
  readonly transfer: readonly ArrayBuffer[]
}

/** Where the work is done. */
export interface Thread {
  run(work: ThreadWork, end: AbortSignal): Promise<unknown>
  /** Ends it where it waits for work. */
  close(): Promise<void>
}

/** What a thread may have: the longest body twice, with two bytes a character. */
const HEAP_MIB = 1_024
/** A thread that had a piece of more than this ends with it, so that the memory goes back. */
const KEEP_BYTES = 16_777_216
/** How long a thread waits for its next piece: its start takes longer than most of them. */
const IDLE_MS = 10_000
/** How long one piece may take: everybody's wait for it. The longest body takes a few seconds. */
const PIECE_MS = 60_000

/** Opens it. */
export function openThreads(thread: Thread = openThread()) {
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
    /**
     * Does one piece of work after the other and resolves with the message of each. Users take turns: who has much
     * waiting delays another by one piece. Rejects when the thread fails, or the host is closed.
     */
    run<Found>(userId: string, work: ThreadWork) {
      return new Promise<Found>((resolve, reject) => {
        const start = () => {
          const done = thread.run(work, end.signal)
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
    /** Ends what is under way, and what waits. */
    async close() {
      end.abort(new Error('the threads of the host are closed'))
      while (busy) await busy
      await thread.close()
    },
  }
}

/** The one place for work that takes long and cannot be cut into slices. */
export type Threads = ReturnType<typeof openThreads>

/** How much less a thread gets of a busy machine than the event loop, where the system knows priorities of threads. */
export const THREAD_NICE = 5

/** What a thread runs: one piece after the other, each function made once. */
const LOOP = `
const { parentPort } = require('node:worker_threads')
const { existsSync, readlinkSync } = require('node:fs')
const SELF = '/proc/thread-self'
try {
  if (existsSync(SELF)) require('node:os').setPriority(Number(readlinkSync(SELF).split('/').at(-1)), ${THREAD_NICE})
} catch {
  // A system that forbids it has the thread as it is.
}
const works = new Map()
parentPort.on('message', ({ script, given }) => {
  if (!works.has(script)) works.set(script, new Function('require', 'return ' + script)(require))
  const { found, transfer } = works.get(script)(given)
  parentPort.postMessage(found, transfer)
})`

/** A thread that is started for the first piece, and again after one that failed, was large, or was long in coming. */
export function openThread(clock: Clock = systemClock): Thread {
  let warm: Worker | null = null
  let stopIdle: (() => void) | undefined

  function take(): Worker {
    stopIdle?.()
    const worker = warm ?? start()
    warm = null
    return worker
  }

  function start(): Worker {
    const worker = new Worker(LOOP, {
      eval: true,
      name: 'svc-thread',
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
    })
    // One that fails while it waits is one that is not there.
    const gone = () => {
      if (warm === worker) warm = null
    }
    return worker.on('error', gone).on('exit', gone)
  }

  async function close(): Promise<void> {
    stopIdle?.()
    const worker = warm
    warm = null
    await worker?.terminate()
  }

  function keep(worker: Worker): void {
    warm = worker
    worker.unref()
    stopIdle = clock.setTimer(() => void close(), IDLE_MS)
  }

  return {
    close,
    async run({ script, given, transfer }, end) {
      end.throwIfAborted()
      const isLarge = transfer.reduce((sum, { byteLength }) => sum + byteLength, 0) > KEEP_BYTES
      const worker = take()
      worker.ref()
      const stop = () => void worker.terminate()
      end.addEventListener('abort', stop)
      const done = Promise.withResolvers<unknown>()
      const exited = (code: number) =>
        done.reject(new Error(`a thread ended with ${code} before it was done`))
      const stopLate = clock.setTimer(() => {
        done.reject(new Error(`a thread was not done after ${PIECE_MS} ms`))
      }, PIECE_MS)
      worker.on('message', done.resolve).on('messageerror', done.reject)
      worker.on('error', done.reject).on('exit', exited)
      let isWell = false
      try {
        worker.postMessage({ script, given }, transfer)
        const found = await done.promise
        isWell = !isLarge && !end.aborted
        return found
      } finally {
        end.removeEventListener('abort', stop)
        stopLate()
        worker.off('message', done.resolve).off('messageerror', done.reject)
        worker.off('error', done.reject).off('exit', exited)
        if (isWell) keep(worker)
        else await worker.terminate()
      }
    },
  }
}
