import { Worker } from 'node:worker_threads'
import type { Request } from '../threads/batches.ts'
import type { Failure } from '../threads/failure.ts'
import type { Notice, Sent } from '../threads/serve.ts'
import type { ThreadData } from '../threads/thread-data.ts'
import { source } from './thread-source.ts'

/** What hears of a thread. */
export interface ThreadEvents {
  readonly onNotice?: (notice: Notice) => void
  /** Each batch that writes: null where it was done, or why a write in it was not. */
  readonly onWrites?: (failure: Failure | null) => void
  readonly makeError: (failure: Failure) => Error
  /** The thread has ended by itself after it had opened its files: what it was asked, and is asked later, is refused. */
  readonly onLost?: ((error: Error) => void) | undefined
}

/** A thread of a folder. */
export interface Thread {
  /** Runs a verb; what is asked within one turn of the event loop goes as one message. */
  call<Outcome>(verb: string, ...args: readonly unknown[]): Promise<Outcome>
  /** Lets the thread finish what it was asked, and ends it; twice is harmless. */
  close(): Promise<void>
  /** Settles when the thread has ended, by itself or because it was closed. */
  readonly ended: Promise<void>
}

interface Waiting {
  readonly resolve: (outcome: never) => void
  readonly reject: (error: Error) => void
}

/**
 * Where modules are kept as they were compiled, if that was asked for. Of sources in TypeScript it also keeps what is left
 * without types: then no thread has to start the parser for them.
 */
const cacheOf = ({ NODE_COMPILE_CACHE: dir }: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  dir === undefined ? {} : { NODE_COMPILE_CACHE: dir }

/** Starts a thread; resolves when it has opened its files. Rejects with what it says of them. */
export async function startThread(data: ThreadData, events: ThreadEvents): Promise<Thread> {
  const worker = new Worker(source, {
    eval: true,
    workerData: data,
    name: `svc-state-${data.role}`,
    env: cacheOf(process.env),
    execArgv: [],
    stdin: false,
  })
  const waiting = new Map<number, Waiting>()
  const opened = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  let last = 0
  let queue: Request[] = []
  let isOpen = false
  let isClosing = false
  let gone: Error | null = null

  function fail(failure: Failure): void {
    gone = events.makeError(failure)
    opened.reject(gone)
    for (const { reject } of waiting.values()) reject(gone)
    waiting.clear()
    if (!isOpen || isClosing) return
    events.onWrites?.(failure)
    events.onLost?.(gone)
  }

  worker.on('message', (sent: Sent) => {
    if ('ready' in sent) return opened.resolve()
    if ('failed' in sent) return fail(sent.failed)
    if ('closed' in sent) return
    for (const [number, outcome, failure] of sent.replies) {
      const call = waiting.get(number)
      waiting.delete(number)
      if (failure) call?.reject(events.makeError(failure))
      else call?.resolve(outcome as never)
    }
    if (waiting.size === 0 && !isClosing) worker.unref()
    if (sent.writes !== 'none') events.onWrites?.(sent.writes)
    if (sent.notice) events.onNotice?.(sent.notice)
  })
  worker.on('error', (error) =>
    fail({ code: 'unavailable', message: `its thread for ${data.role} failed: ${error}` }),
  )
  worker.on('exit', () => {
    if (!gone) fail({ code: 'unavailable', message: `its thread for ${data.role} has ended` })
    ended.resolve()
  })

  function send(): void {
    worker.postMessage(queue)
    queue = []
  }

  await opened.promise
  isOpen = true
  worker.unref()
  return {
    call(verb, ...args) {
      if (gone) return Promise.reject(gone)
      return new Promise((resolve, reject) => {
        last += 1
        waiting.set(last, { resolve, reject })
        if (queue.length === 0) process.nextTick(send)
        queue.push([last, verb, args])
        if (waiting.size === 1) worker.ref()
      })
    },
    async close() {
      if (!isClosing && !gone) {
        isClosing = true
        worker.ref()
        if (queue.length > 0) send()
        worker.postMessage('close')
      }
      await ended.promise
    },
    ended: ended.promise,
  }
}
