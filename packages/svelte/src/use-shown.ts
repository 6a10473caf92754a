import type { State } from '@svc/sdk/state'
import { onMount } from 'svelte'
import { createSubscriber } from 'svelte/reactivity'

/**
 * Returns an object whose properties are those of a state as it is now: templates, `$derived` and `$effect` follow those
 * that they read. Actions are not followed, so that an effect can call one. The state has a subscriber while the component
 * is mounted, also one that shows nothing of it. A server renders it as it begins, and subscribes to nothing.
 */
export function useShown<Value extends object>({ get, subscribe }: State<Value>): Value {
  let changed: (() => void) | undefined
  const follow = createSubscriber((update) => {
    changed = update
  })
  onMount(() => subscribe(() => changed?.()))
  const shown = {} as Value
  for (const name in get())
    Object.defineProperty(shown, name, {
      enumerable: true,
      get() {
        const value = get()[name]
        if (typeof value !== 'function') follow()
        return value
      },
    })
  return shown
}
