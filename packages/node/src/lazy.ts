/** Returns a function that calls `load` the first time, and returns what that returned from then on. */
export function lazy<T>(load: () => T): () => T {
  let loaded: { readonly value: T } | undefined
  return () => {
    loaded ??= { value: load() }
    return loaded.value
  }
}
