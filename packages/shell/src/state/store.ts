/** A value with subscribers that are notified when it changes. */
export interface Store<State> {
  get(): State
  /** Puts `change(state)` in its place; the same object means no change. */
  set(change: (state: State) => State): void
  /** Listens; returns how to stop. */
  subscribe(listener: () => void): () => void
}

/** Makes a store. */
export function createStore<State>(initial: State): Store<State> {
  const listeners = new Set<() => void>()
  let state = initial
  return {
    get: () => state,
    set(change) {
      const next = change(state)
      if (next === state) return
      state = next
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
