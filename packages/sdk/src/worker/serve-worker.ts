import { expose, wrap } from 'comlink'
import { isHostRpcError } from '../errors.ts'
import type { Svc } from '../svc.ts'
import { bodyOf } from './carry-errors.ts'

/** What a call of a worker came to. */
export interface Answer {
  /** The result, or the number of what was made: a handle, or an iterator. */
  readonly value: unknown
  /** The fields of the handle that was made. */
  readonly made?: object
  /** The fields that the handle has now which was called. */
  readonly changed: object
}

/** What is called: 0 is `svc`, another number a handle or an iterator, a text the job of this id. */
export type Of = number | string

/**
 * What a document does for a worker, by the number that the worker gives it:
 *
 * - calls, or subscribes where the path names a method that takes a listener. `hasTaken` says that a signal, or a listener
 *   of progress, was taken out of the last argument, the options;
 * - without arguments it ends that: it unsubscribes, or aborts the signal with `path` as its reason. A number below 0 is
 *   that of a handle which the worker has no more.
 */
export type Room = (
  id: number,
  of?: Of,
  path?: string,
  args?: unknown[],
  hasTaken?: boolean,
  hasProgress?: boolean,
  isAborted?: boolean,
) => unknown

/** Takes news for a listener of a worker, and what changed in its handle. 0 is for the context. */
export type Tell = (id: number, news: unknown, changed: object) => unknown

/** An object of the client, whatever it has. */
type Thing = Record<string, unknown>

/** What a handle has besides its methods, as it is now. */
const fieldsOf = (thing: unknown): object =>
  Object.fromEntries(Object.entries(thing as Thing).filter(([, value]) => typeof value !== 'function'))

/** A value as a worker can revive it: an error that it is, or has, loses its class on the way. */
function plain(value: unknown): unknown {
  if (isHostRpcError(value)) return bodyOf(value)
  const { error } = Object(value)
  return isHostRpcError(error) ? { ...(value as object), error: bodyOf(error) } : value
}

function callIn(thing: unknown, path: string, args: readonly unknown[]): unknown {
  const names = path.split('.')
  const name = names.pop() as string
  const at = names.reduce((of, part) => of[part] as Thing, thing as Thing)
  const found = at[name]
  return typeof found === 'function' ? Reflect.apply(found, at, args) : found
}

/**
 * Lets a worker use `svc` over a port. Handles and iterators stay here, under a number. Returns how to end that, which
 * cancels what the worker began, and unsubscribes its listeners.
 *
 * @param onContext calls back when the context changed. Returns how to unsubscribe.
 */
export function serveWorker(
  svc: Svc,
  port: MessagePort,
  onContext: (hear: () => void) => () => void,
): () => void {
  const tell = wrap<Tell>(port)
  const things = new Map<Of, unknown>([[0, svc]])
  const iterators = new Set<AsyncIterator<unknown>>()
  /** How to end what is under way, by its number. */
  const stops = new Map<number, (reason?: string) => void>()
  const begun = new Set<AbortController>()
  const hearings = new Set<() => void>()
  const early: (() => void)[] = []
  let last = 0
  const at = (of: Of) => (typeof of === 'string' ? svc.tools.job(of) : things.get(of))
  const now = (of: Of, thing: unknown) => (of === 0 ? {} : fieldsOf(thing))

  function beginAll(): void {
    for (const begin of early.splice(0)) begin()
  }

  function hear(id: number, of: Of, path: string, args: unknown[]): void {
    const thing = at(of)
    stops.set(id, () => stops.delete(id))
    // Listeners of one tick hear a run together, and their messages come one after the other.
    if (early.push(begin) === 1) setTimeout(beginAll)
    function begin(): void {
      if (!stops.has(id)) return
      const told = (news: unknown) => tell(id, plain(news), now(of, thing))
      const stop = callIn(thing, path, [...args, told]) as () => void
      hearings.add(stop)
      stops.set(id, () => {
        hearings.delete(stop)
        stops.delete(id)
        stop()
      })
    }
  }

  async function call(
    id: number,
    of: Of,
    path: string,
    args: unknown[],
    hasTaken?: boolean,
    hasProgress?: boolean,
    isAborted?: boolean,
  ): Promise<Answer> {
    const thing = at(of)
    const stop = new AbortController()
    if (isAborted) stop.abort()
    const place = hasTaken ? args.length - 1 : 1
    if (hasTaken || of === 0 || path === 'run') {
      const onProgress = (news: unknown) => void tell(id, news, {})
      // What is no signal stays, for the client to refuse.
      const { signal = stop.signal, ...options } = Object(args[place])
      args[place] = { ...options, signal, ...(hasProgress && { onProgress }) }
    }
    // A reason that is no text is the browser's words for an abort without one.
    stops.set(id, (reason = '') => stop.abort(reason.startsWith('AbortError') ? undefined : reason))
    // What began elsewhere goes on without this worker.
    if (!/attach|result/.test(path)) begun.add(stop)
    const over = () => {
      stops.delete(id)
      begun.delete(stop)
    }
    let ended: unknown
    try {
      const value = await callIn(thing, path, args)
      const changed = now(of, thing)
      if (path === 'return' || (path === 'next' && (value as IteratorResult<unknown>).done)) {
        iterators.delete(thing as AsyncIterator<unknown>)
        things.delete(of)
        return { value: value ?? { done: true }, changed }
      }
      const { cancel, final, [Symbol.asyncIterator]: iterate } = Object(value)
      const iterator: AsyncIterator<unknown> | undefined = iterate && Reflect.apply(iterate, value, [])
      // Handles are what can be cancelled.
      if (!iterator && typeof cancel !== 'function') return { value, changed }
      if (iterator) iterators.add(iterator)
      // A run is over later than the call that began it.
      ended = final && Reflect.apply(final, value, [])
      things.set(++last, iterator ?? value)
      return { value: last, made: iterator ? {} : fieldsOf(value), changed }
    } finally {
      if (ended) (ended as Promise<unknown>).then(over, over)
      else over()
    }
  }

  const room: Room = (id, of = 0, path = '', args, ...more) => {
    if (args && /\bon/.test(path)) return hear(id, of, path, args)
    beginAll()
    if (args) return call(id, of, path, args, ...more)
    if (id < 0) things.delete(-id)
    else stops.get(id)?.(path || undefined)
  }
  expose(room, port)
  const tellContext = () => void tell(0, svc.context, {})
  const forget = onContext(tellContext)
  tellContext()

  return () => {
    forget()
    stops.clear()
    for (const stop of hearings) stop()
    for (const iterator of iterators) void iterator.return?.()
    for (const stop of begun) stop.abort('the worker that began it has ended')
    port.close()
  }
}
