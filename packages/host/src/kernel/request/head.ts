/** What a front knows of a request before its body: the same for `node:http` and for a web `Request`. */
export interface Head {
  readonly method: string
  /** Path and query, as in the request line. */
  readonly url: string
  /** The address at the other end of the connection; `undefined` where the front does not know it. */
  readonly peer?: string | undefined
  /** A header by its lower-case name; several of one name are joined, as HTTP does. */
  get(name: string): string | undefined
  /** The request in its web form, for an operator's `authenticate`. */
  request(): Request
}
