import { refuse } from '@svc/contract'

/** What came from a public URL. */
export interface Fetched {
  readonly bytes: Buffer
  /** The media type that the server named, without parameters, in lower case; `''` where it named none. */
  readonly type: string
}

/** Fetches URLs that users give, under the rule for them (decisions, SSRF). */
export interface PublicFetch {
  /**
   * Judges the text of a URL without the network: an IP literal is judged here too. Errors: `invalid_arg` with the
   * rule that it breaks.
   */
  judge(text: string): URL
  /** Fetches one. Errors: `invalid_arg` that says which rule refused or what failed; the reason of `signal`. */
  get(url: URL, options: { maxBytes: number; signal: AbortSignal }): Promise<Fetched>
}

/** Opens the fetching of public URLs. */
export function openPublicFetch(): PublicFetch {
  return {
    judge() {
      throw refuse('not_implemented')
    },
    async get() {
      throw refuse('not_implemented')
    },
  }
}
