import { type Endpoint, type Remote, releaseProxy, wrap } from 'comlink'
import { HostRpcError, ownError } from '../errors.ts'
import { openSvc, type Svc, svc } from '../svc.ts'
import { bodyOf, made } from './carry-errors.ts'

/** What of a worker is used. */
export type WorkerLike = Pick<Worker, 'addEventListener' | 'postMessage' | 'terminate'>

/** A message of Comlink. */
interface Message {
  readonly id?: string
  readonly type?: string
  readonly name?: string
  readonly value?: unknown
}

type Hear = (event: { readonly data: Message }) => void

/** Hears changes of the context of the document as nobody's listener: what came early stays for those of the app. */
const onContext = (hear: () => void) => openSvc().tap((type) => void (type === 'context' && hear()))

/**
 * Wraps a worker: what it exposes with `expose` (or Comlink's) is called on what this returns, and `svc` of
 * `@svc/sdk/worker` works in it, over the connection of this document. In a worker, `shared` is the `svc` that a worker of
 * it gets.
 *
 * `api[releaseProxy]()` and `worker.terminate()` end the worker. What it began with `svc` is cancelled then, and every
 * call that waits for it rejects with `cancelled`. A worker that fails before its first answer is ended too, and its calls
 * reject with `load_failed`.
 *
 * @example
 * ```ts
 * import { wrapWorker } from '@svc/sdk/worker'
 * import type { Api } from './worker.ts'
 *
 * const api = wrapWorker<Api>(new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }))
 * const rows = await api.rows('table')
 * ```
 */
export function wrapWorker<Api>(worker: WorkerLike, shared: Svc = svc): Remote<Api> {
  // In a document, what a worker throws is of the class of the document.
  made.by = HostRpcError
  // Loaded beside the worker, which takes longer.
  const serving = import('./serve-worker.ts')
  serving.catch((cause) => end(ownError('load_failed', `the part of the client for workers: ${cause}`)))
  const waiting = new Map<string, Hear>()
  let close: (() => void) | undefined
  let failure: HostRpcError | undefined
  let hasAnswered = false

  const fail = (id: string, hear: Hear) => {
    const value = failure && { isError: true, value: bodyOf(failure) }
    hear({ data: { id, type: 'HANDLER', name: 'throw', value } })
  }

  /** Remembers what waits at an endpoint: Comlink alone leaves it waiting when the worker is gone. */
  function watch(at: Endpoint): Endpoint {
    let hear: Hear = () => {}
    return {
      postMessage(message: Message, transfer) {
        const id = message.id as string
        if (failure) return fail(id, hear)
        at.postMessage(message, transfer as Transferable[])
        waiting.set(id, hear)
      },
      addEventListener(_, listener) {
        hear = listener as unknown as Hear
        at.addEventListener('message', (event) => {
          const { data } = event as MessageEvent<Message | null>
          if (!data?.id || !waiting.delete(data.id)) return
          hasAnswered = true
          const { name, value } = data
          hear({ data: name === 'proxy' ? { ...data, value: watch(value as Endpoint) } : data })
        })
      },
      removeEventListener() {},
      start: () => at.start?.(),
    }
  }

  const terminate = worker.terminate.bind(worker)
  function end(error: HostRpcError): void {
    if (failure) return
    failure = error
    terminate()
    close?.()
    globalThis.removeEventListener?.('pagehide', leave)
    for (const [id, hear] of waiting) fail(id, hear)
    waiting.clear()
  }
  const cancel = () => end(ownError('cancelled', 'the worker has ended'))
  const leave = ({ persisted }: PageTransitionEvent) =>
    persisted || end(ownError('bridge_reset', 'the document goes away, and its worker with it'))
  globalThis.addEventListener?.('pagehide', leave)
  worker.terminate = cancel
  worker.addEventListener('error', ({ message }) => {
    if (!hasAnswered) end(ownError('load_failed', `the worker failed before its first answer: ${message}`))
  })
  // What the prelude of a document makes of `close()` in a worker.
  worker.addEventListener('close' as 'error', cancel)
  worker.addEventListener('message', async (event) => {
    const { data, ports } = event
    if (data?.svc !== 'worker') return
    event.stopImmediatePropagation()
    const { serveWorker } = await serving
    if (failure) return
    const news = shared === svc ? onContext : (hear: () => void) => shared.on('context', hear)
    close = serveWorker(shared, ports[0] as MessagePort, news)
  })

  const remote = wrap<Api>(watch(worker as unknown as Endpoint)) as Remote<Api> & object
  return new Proxy(remote, {
    get: (at, name) => (name === releaseProxy ? cancel : Reflect.get(at, name)),
  })
}
