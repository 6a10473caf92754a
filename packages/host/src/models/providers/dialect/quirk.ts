import type { Body } from './body.ts'
import type { RefusalWords } from './refusal-words.ts'

/** What a server may be known for: how a refusal tells of it, and what is changed in a request. */
export interface Quirk {
  /** What the host does then, for the operator; a sentence without its subject. */
  readonly means: string
  /**
   * Whether a refusal of a body is about it. A quirk with a number returns the number, lower than that of the body.
   */
  isTold(words: RefusalWords, body: Body): boolean | number
  /** The body as the server takes it. */
  adapt(body: Body, value: number): Body
}
