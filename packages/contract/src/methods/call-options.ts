/** Options of every call. */
export interface CallOptions {
  /** The longest wait for the result in ms; then the call rejects with `timeout`. Default: what the method needs. */
  readonly timeoutMs?: number
  /** Gives the call up: it rejects with `cancelled`, and the host is told to stop. */
  readonly signal?: AbortSignal
}
