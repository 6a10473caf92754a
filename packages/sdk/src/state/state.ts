/** A value that changes: a store of Svelte as it is, and what React and Vue need to show one. */
export interface State<Value> {
  /** Returns the value as it is now: the same one until it changes. */
  get(): Value
  /** Calls a listener at once, and after each change. Returns how to unsubscribe; twice is harmless. */
  subscribe(listener: (value: Value) => void): () => void
}

/** A state for those who change it. */
export interface OwnState<Value> extends State<Value> {
  /** Sets some properties of the value. */
  change(news: Partial<Value>): void
}

/**
 * Makes a state. `start` is called for the first subscriber, and what it returns after the last one has left; one that
 * returns nothing is called for each subscriber. Who comes back in the same tick never left: React's StrictMode mounts
 * each component twice. On a server, which renders once and shows nothing that comes later, `start` is not called.
 */
export function createState<Value extends object>(
  initial: Value,
  start: () => (() => void) | undefined,
): OwnState<Value> {
  const listeners = new Set<(value: Value) => void>()
  let value = initial
  let stop: (() => void) | undefined

  return {
    get: () => value,
    change(news) {
      value = { ...value, ...news }
      for (const hear of [...listeners]) hear(value)
    },
    subscribe(listener) {
      listeners.add(listener)
      if (typeof window !== 'undefined') stop ??= start()
      listener(value)
      return () => {
        listeners.delete(listener)
        queueMicrotask(() => {
          if (listeners.size) return
          stop?.()
          stop = undefined
        })
      }
    },
  }
}
