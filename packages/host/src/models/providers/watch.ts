import type { Limits } from '@svc/contract'
import type { Clock } from '@svc/node'
import { type Cost, higherCost, ModelFailure } from './failure.ts'
import { failureOf } from './failure-of.ts'

/** What a watch needs of the host's services. */
export interface WatchParts {
  readonly clock: Clock
  readonly limits: Pick<Limits, 'MODEL_IDLE_MS' | 'MODEL_TOTAL_MS'>
}

const SILENT =
  'The server took the request and sent nothing: it may still load the model or read a long prompt. Load it before, or raise the limit MODEL_IDLE_MS.'

/** Opens the watch over a request to the model `name`; it ends with `caller` at the latest. */
export function openWatch(name: string, { clock, limits }: WatchParts, caller?: AbortSignal) {
  const controller = new AbortController()
  // The declarations of the package cannot name the type that is inferred here.
  const signal: AbortSignal = controller.signal
  let wake: (() => void) | undefined
  /** Unix ms since which the request is waited for; `null`: it is not. */
  let heldSince: number | null = null
  let stopIdle: (() => void) | null = null

  const left = () => end(caller?.reason)
  const stopTotal = clock.setTimer(
    () => end(new ModelFailure(name, 'slow', { timeout_ms: limits.MODEL_TOTAL_MS })),
    limits.MODEL_TOTAL_MS,
  )
  function end(reason: unknown) {
    if (signal.aborted) return
    close()
    controller.abort(reason)
    wake?.()
  }
  /** One timer for all waits: a model may give thousands of parts a second. */
  function planIdle(ms: number) {
    stopIdle = clock.setTimer(() => {
      stopIdle = null
      if (heldSince === null) return
      const left = heldSince + limits.MODEL_IDLE_MS - clock.now()
      if (left > 0) planIdle(left)
      else
        end(
          new ModelFailure(name, 'silent', { timeout_ms: limits.MODEL_IDLE_MS }, 'nothing', { fix: SILENT }),
        )
    }, ms)
  }
  function close() {
    stopTotal()
    stopIdle?.()
    caller?.removeEventListener('abort', left)
  }
  /** One wait at a time: whatever ends the request wakes it. */
  function wait<T>(
    begin: (resolve: (value: T) => void, reject: (error: unknown) => void) => void,
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      wake = () => reject(signal.reason)
      begin(resolve, reject)
      if (signal.aborted) wake()
    })
  }
  if (caller?.aborted) left()
  else caller?.addEventListener('abort', left, { once: true })

  return {
    /** Fires when the request is stopped; its reason says why. */
    signal,
    /** Stops the request. */
    end,
    /** Removes timers and listeners; twice is harmless. */
    close,
    /** Waits for `work`, at most `MODEL_IDLE_MS` and until the request is stopped; rejects with the reason. */
    hold<T>(work: PromiseLike<T>): Promise<T> {
      heldSince = clock.now()
      if (!stopIdle && !signal.aborted) planIdle(limits.MODEL_IDLE_MS)
      // Once for each piece of an answer: so it makes one promise.
      return wait<T>((resolve, reject) => {
        void work.then(
          (value) => {
            heldSince = null
            resolve(value)
          },
          (error) => {
            heldSince = null
            reject(error)
          },
        )
      })
    },
    /** Unix ms. */
    now: clock.now,
    /** Lets `ms` pass. */
    async pause(ms: number) {
      let stop = () => {}
      try {
        await wait<void>((resolve) => {
          stop = clock.setTimer(resolve, ms)
        })
      } finally {
        stop()
      }
    },
  }
}

/** Ends one request to a model when its time is over or its caller is gone. */
export type Watch = ReturnType<typeof openWatch>

/**
 * Asks a model until it begins to answer: a failure that may pass is tried again `MODEL_RETRIES` times, when its server
 * says, if that is within `MODEL_RETRY_AFTER_MAX_MS`. `spent` is what was asked before and may have cost. Rejects with a
 * `ModelFailure` that counts every try, or with the reason of whoever stopped the request.
 */
export async function persist<T>(
  model: string,
  limits: Pick<Limits, 'MODEL_RETRIES' | 'MODEL_RETRY_AFTER_MAX_MS' | 'MODEL_RETRY_MS'>,
  watch: Watch,
  ask: () => Promise<T>,
  spent: Cost = 'nothing',
): Promise<T> {
  let cost = spent
  for (let tries = 0; ; tries += 1) {
    try {
      return await ask()
    } catch (error) {
      if (watch.signal.aborted) throw watch.signal.reason
      const failure = failureOf(model, error, watch.now())
      cost = higherCost(cost, failure.cost)
      const { retriable, retryAfterMs } = failure
      const isLong = retryAfterMs !== null && retryAfterMs > limits.MODEL_RETRY_AFTER_MAX_MS
      if (!retriable || isLong || tries >= limits.MODEL_RETRIES)
        throw new ModelFailure(model, failure.reason, failure.details, cost, failure.note)
      await watch.pause(Math.max(retryAfterMs ?? 0, limits.MODEL_RETRY_MS * 2 ** tries))
    }
  }
}
