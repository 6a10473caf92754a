import type { State } from '@svc/sdk/state'
import { type DependencyList, useMemo, useSyncExternalStore } from 'react'

/** Makes a state, and another one where a dependency changes, and shows it. A server renders it as it begins. */
export function useShown<Value>(make: () => State<Value>, dependencies: DependencyList): Value {
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are those of the caller.
  const { subscribe, get } = useMemo(make, dependencies)
  return useSyncExternalStore(subscribe, get, get)
}
