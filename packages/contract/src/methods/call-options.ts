/** Options of every call. */
export interface CallOptions {
  /** The longest wait for the result in ms; then the call rejects with `timeout`. Default: what the method needs. */
  readonly timeoutMs?: number
  /** Cancels the call: it rejects with `cancelled`, and the host is notified. */
  readonly signal?: AbortSignal
}
