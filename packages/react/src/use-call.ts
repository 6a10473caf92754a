import { type Call, createCall } from '@svc/sdk/state'
import { useEffect, useRef } from 'react'
import { useShown } from './use-shown.ts'

/**
 * Returns the state of a call, with `call` and `cancel`: for any method of `svc`. Nothing is called before `call` is. An
 * unmount gives up the call that runs.
 *
 * @param run what calls; that of the last render. It gets a signal that fires when the call is given up.
 * @example
 * ```tsx
 * const { state, value, call } = useCall((signal, text: string) => svc.llm.complete(ask(text), { signal }))
 * return <button disabled={state === 'running'} onClick={() => call('Hi')}>{value?.content.text}</button>
 * ```
 */
export function useCall<Args extends readonly unknown[], Value>(
  run: (signal: AbortSignal, ...args: Args) => Promise<Value>,
): Call<Args, Value> {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  return useShown(() => createCall((signal, ...args: Args) => latest.current(signal, ...args)), [])
}
