import { type Call, createCall } from '@svc/sdk/state'
import { useShown } from './use-shown.ts'

/**
 * Returns the state of a call, with `call` and `cancel`: for any method of `svc`. Nothing is called before `call` is. When
 * the component is unmounted, the call that runs is given up.
 *
 * @param run what calls. It gets a signal that fires when the call is given up.
 * @example
 * ```ts
 * const reply = useCall((signal, text: string) => svc.llm.complete(ask(text), { signal }))
 * await reply.call('Hi')
 * ```
 */
export const useCall = <Args extends readonly unknown[], Value>(
  run: (signal: AbortSignal, ...args: Args) => Promise<Value>,
): Call<Args, Value> => useShown(createCall(run))
