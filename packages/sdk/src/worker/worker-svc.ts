import { WORKER_SHARED_MS } from '@svc/contract/browser'
import { expose, type Remote, wrap } from 'comlink'
import type { Svc } from '../svc.ts'
import { HostRpcError, revive } from './carry-errors.ts'
import type { Answer, Of, Room, Tell } from './serve-worker.ts'

/** The global object of a worker. */
export type WorkerPlace = Pick<Worker, 'postMessage'>

const ownError = (code: string, message: string) => new HostRpcError({ code, message, details: {} })

/** Takes news for a function of the app, and what changed in the handle that they are of. */
type Hear = (news: unknown, changed: object) => unknown

/** Makes `svc` of a worker: the document makes its calls, over a port that the worker sends it with the first. */
export function createWorkerSvc(place: WorkerPlace): Svc {
  const heard = new Map<number, Hear>()
  const handles = new FinalizationRegistry<number>((of) => void open()(-of))
  let room: Remote<Room> | undefined
  /** Resolves when the document shares its svc. */
  let shared: Promise<void>
  /** What is no call. */
  const own = {
    context: undefined,
    get ready() {
      return ask(0, 'ready', [], {})
    },
  }
  let last = 0

  function open(): Remote<Room> {
    if (room) return room
    const { port1, port2 } = new MessageChannel()
    shared = new Promise<void>((resolve, reject) => {
      heard.set(0, (context) => {
        Object.assign(own, { context })
        resolve()
      })
      const error = ownError('not_hosted', 'no document has wrapped this worker: use wrapWorker')
      setTimeout(reject, WORKER_SHARED_MS, error)
    })
    const tell: Tell = (id, news, changed) => heard.get(id)?.(revive(news), changed)
    expose(tell, port1)
    place.postMessage({ svc: 'worker' }, [port2])
    room = wrap<Room>(port1)
    return room
  }

  async function ask(of: Of, path: string, args: unknown[], fields: object): Promise<unknown> {
    const id = ++last
    const room = open()
    const { signal, onProgress, ...rest } = Object(args.at(-1))
    const has = !!(signal?.addEventListener || onProgress?.call)
    if (has) args.splice(-1, 1, rest)
    const abort = () => void room(id, 0, `${signal.reason}`)
    signal?.addEventListener?.('abort', abort)
    heard.set(id, onProgress)
    let handle: object | undefined
    try {
      // Sent in the tick of the call: what its caller changes later is not in it.
      const answer = room(id, of, path, args, has, !!onProgress, signal?.aborted) as Promise<Answer>
      const [{ value, made, changed }] = await Promise.all([answer, shared])
      Object.assign(fields, changed)
      if (!made) return value
      handle = thing(value as number, '', made)
      handles.register(handle, value as number)
      return handle
    } catch (error) {
      const { name, message } = error as Error
      throw name === 'DataCloneError' ? ownError('invalid_arg', `${path}: ${message}`) : error
    } finally {
      heard.delete(id)
      // That of a run is heard for as long as it may run.
      if (!handle) signal?.removeEventListener?.('abort', abort)
    }
  }

  function call(of: Of, path: string, args: unknown[], fields: object): unknown {
    // These return at once: how to unsubscribe, a handle, what can be iterated.
    if (/\bon/.test(path)) {
      const room = open()
      const id = ++last
      const listener = args.pop() as (news: unknown) => unknown
      heard.set(id, (news, changed) => {
        Object.assign(fields, changed)
        return listener(news)
      })
      void room(id, of, path, args)
      return () => {
        heard.delete(id)
        void room(id)
      }
    }
    if (path === 'tools.job') return thing(`${args[0]}`, '', { jobId: args[0] })
    if (!/^(text|frames|progress)$/.test(path)) return ask(of, path, args, fields)
    return {
      [Symbol.asyncIterator]() {
        const iterator = ask(of, path, args, fields) as Promise<Record<string, () => unknown>>
        const step = (name: string) => async () => (await iterator)[name]?.()
        return { next: step('next'), return: step('return') }
      },
    }
  }

  /** Makes what has the methods of a thing of the document, by their paths, and its fields. */
  const thing = (of: Of, path: string, fields: object, target = fields): object =>
    new Proxy(target, {
      get(_, name: string) {
        // Names that the language and consoles ask of any object are no methods.
        if (name in target || !/^(?!then$|toJSON$)[a-z]/.test(String(name))) return target[name as never]
        const longer = path + name
        return thing(of, `${longer}.`, fields, (...args: unknown[]) => call(of, longer, args, fields))
      },
    })

  return thing(0, '', own) as Svc
}

/**
 * The same `svc` as in the document that made this worker, over the connection of that document.
 *
 * @example
 * ```ts
 * import { expose, svc } from '@svc/sdk/worker'
 *
 * expose({
 *   async rows(key: string) {
 *     const { value } = await svc.storage.get({ key })
 *     return parse(value)
 *   },
 * })
 * ```
 */
export const svc: Svc = /* @__PURE__ */ createWorkerSvc(globalThis as unknown as WorkerPlace)
