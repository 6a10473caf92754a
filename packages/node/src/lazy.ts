/**
 * Returns a function that calls `load` the first time, and returns what that resolved with from then on. A load that fails
 * is tried again with the next call: a process may be out of file handles for a moment.
 */
export function lazy<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = null
      throw error
    })
    return loading
  }
}
