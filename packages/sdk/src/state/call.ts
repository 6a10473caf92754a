import type { HostRpcError } from '../errors.ts'
import { createState, type OwnState, type State } from './state.ts'

/** Where a call is. `value` is what the last one returned that succeeded. */
export type CallState<Value> =
  | {
      /** `idle`: nothing was called yet, or the call was cancelled. `running`: it has not returned. */
      readonly state: 'idle' | 'running'
      /** What the call before it returned. */
      readonly value: Value | undefined
      /** None. */
      readonly error: undefined
    }
  | {
      /** It returned. */
      readonly state: 'done'
      /** What it returned. */
      readonly value: Value
      /** None. */
      readonly error: undefined
    }
  | {
      /** It failed. */
      readonly state: 'failed'
      /** What the last call returned that succeeded. */
      readonly value: Value | undefined
      /** Why it failed. */
      readonly error: HostRpcError
    }

/** How to begin a call and to give it up. */
export interface CallActions<Args extends readonly unknown[], Value> {
  /**
   * Calls, and gives up the call before it that still runs; of several in one tick only the last is sent. Returns the state
   * when it has ended or was given up, and never rejects.
   */
  readonly call: (...args: Args) => Promise<CallState<Value>>
  /** Gives up the call that runs. Without one it does nothing. */
  readonly cancel: () => void
}

/** A call that can be made again and again: the state of the last one, and how to make the next. */
export type Call<Args extends readonly unknown[], Value> = CallState<Value> & CallActions<Args, Value>

/**
 * Makes the states of a call. It is given up when its last subscriber leaves: nobody is there to see what it returns.
 *
 * @param run what calls: it gets a signal that fires when the call is given up.
 */
export function createCall<Args extends readonly unknown[], Value>(
  run: (signal: AbortSignal, ...args: Args) => Promise<Value>,
): State<Call<Args, Value>> {
  let current: AbortController | undefined
  const state: OwnState<Call<Args, Value>> = createState<Call<Args, Value>>(
    { state: 'idle', value: undefined, error: undefined, call, cancel },
    () => cancel,
  )
  const { get, change } = state

  function cancel(): void {
    if (!current) return
    current.abort()
    current = undefined
    change({ state: 'idle' })
  }

  async function call(...args: Args): Promise<Call<Args, Value>> {
    current?.abort()
    const own = new AbortController()
    current = own
    change({ state: 'running', error: undefined })
    // React's StrictMode runs each effect twice in one tick: a call of an effect is sent once.
    await undefined
    if (current !== own) return get()
    const end = await run(own.signal, ...args).then(
      (value): Partial<CallState<Value>> => ({ state: 'done', value }),
      (error): Partial<CallState<Value>> => ({ state: 'failed', error }),
    )
    if (current === own) {
      current = undefined
      change(end)
    }
    return get()
  }

  return state
}
