import { getEventListeners } from 'node:events'
import { frozenClock } from '@svc/conformance/testing/frozen-clock'
import type { Client, ErrorBody } from '@svc/contract'
import { createCalls } from '../calls.ts'
import type { Clock } from '../clock.ts'
import { createEventHub, type EventHub } from '../events.ts'
import { createClient } from '../proxy.ts'

/** How a test answers a call: the result, or the body of a refusal; `undefined` never answers. */
export type Answer = { readonly result: unknown } | { readonly error: ErrorBody } | undefined

/** A refusal of any call. */
export const refusal = (code: string, details?: Record<string, unknown>): Answer => ({
  error: { code, message: code, ...(details && { details }) },
})

/** The last turn of the event loop is over. */
export const settled = () => new Promise<void>((done) => setImmediate(done))

/** Methods of a host in a test, by their names. */
export type FakeMethods = Readonly<Record<string, (args: Record<string, unknown>) => Answer>>

/** A client on a frozen clock, before a host whose methods a test gives; its calls are seen, and may be held. */
export function callBed(methods: FakeMethods) {
  const clock = frozenClock()
  const hub = createEventHub()
  const ended = new AbortController()
  const taps = new Set<object>()
  const timers = new Set<unknown>()
  const held: (() => void)[] = []
  const calls = createCalls(
    () => ({
      call(id, _ns, method, text) {
        const args = JSON.parse(text) as Record<string, unknown>
        bed.seen.push({ method, args })
        const answer = bed.answer(method, args)
        const reply = () => {
          if (answer) calls.answer(id, JSON.stringify({ id: String(id), ok: 'result' in answer, ...answer }))
        }
        if (bed.holding === method) held.push(reply)
        else queueMicrotask(reply)
      },
      drop: () => undefined,
    }),
    clock,
  )
  // The calls keep a timer of their own on the same time; only those of what is tested are counted.
  const counted: Clock = {
    now: clock.now,
    setTimeout(run, ms) {
      const timer = clock.setTimeout(() => {
        timers.delete(timer)
        run()
      }, ms)
      timers.add(timer)
      return timer
    },
    clearTimeout(timer) {
      timers.delete(timer)
      clock.clearTimeout(timer)
    },
  }
  const tap: EventHub['tap'] = (hear) => {
    const mine = {}
    taps.add(mine)
    const stop = hub.tap(hear)
    return () => {
      taps.delete(mine)
      stop()
    }
  }
  const rpc: Client = createClient((ns, method, args, options) => calls.call(ns, method, args, options))

  const bed = {
    clock,
    hub,
    ended,
    /** What the tested part of the client is made with. */
    parts: { rpc, on: hub.on, tap, clock: counted, ended: ended.signal },
    /** Every call, in order. */
    seen: [] as { method: string; args: Record<string, unknown> }[],
    /** What answers a call; a test may put its own in place. */
    answer: (method: string, args: Record<string, unknown>): Answer =>
      methods[method]?.(args) ?? refusal('not_implemented'),
    /** The method whose answers wait for `release`; they tell what was true when it was called. */
    holding: undefined as string | undefined,
    async release() {
      bed.holding = undefined
      for (const reply of held.splice(0)) reply()
      await settled()
    },
    count: (method: string) => bed.seen.filter((call) => call.method === method).length,
    /** Everything that waits is rejected, as when the channel is lost. */
    failAll: calls.failAll,
    /** Moves time on in small steps, with all that follows from each. */
    async pass(ms: number) {
      await settled()
      for (let left = ms; left > 0; left -= 100) {
        clock.advance(Math.min(left, 100))
        await settled()
      }
    },
    /** Taps, timers and listeners of signals that are left. */
    left: (...signals: AbortSignal[]) =>
      taps.size +
      timers.size +
      [ended.signal, ...signals].flatMap((signal) => getEventListeners(signal, 'abort')).length,
  }
  return bed
}
