import type { State } from '@svc/sdk/state'
import { onScopeDispose, type ShallowRef, shallowRef } from 'vue'

/** Shows a state until the scope ends. A server renders it as it begins, and subscribes to nothing. */
export function useShown<Value>({ get, subscribe }: State<Value>): Readonly<ShallowRef<Value>> {
  const shown = shallowRef(get())
  if (typeof window !== 'undefined')
    onScopeDispose(
      subscribe((value) => {
        shown.value = value
      }),
    )
  return shown
}
