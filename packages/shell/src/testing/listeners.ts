/** Is called with what happened. */
export type Listener = (payload?: unknown) => void

/** Listeners by the type of what they listen to. */
export type Listeners = Map<string, Set<Listener>>

/** Adds a listener; returns what removes it. */
export function listen(listeners: Listeners, type: string, listener: Listener): () => void {
  listeners.set(type, (listeners.get(type) ?? new Set()).add(listener))
  return () => {
    listeners.get(type)?.delete(listener)
  }
}

/** Calls all of a type. */
export function tell(listeners: Listeners | undefined, type: string, payload: unknown): void {
  for (const listener of [...(listeners?.get(type) ?? [])]) listener(payload)
}
