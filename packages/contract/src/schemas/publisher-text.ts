import { quoted, visibleText } from '../values/visible-text.ts'

/** Who published a plugin, as others are shown it. */
export interface Publisher {
  /** The name that the operator verified; else the id of the user. */
  readonly name: string
  /** Whether the operator of the host says that it is their name. */
  readonly verified: boolean
}

/** An id that cannot be read as a sentence. */
const PLAIN_ID = /^[\p{L}\p{M}\p{N}._@:|+~/-]+$/u

/**
 * Returns who published a plugin in words: `Discord Inc. (verified by this host)`, `discord@evil (not verified)`. An id
 * with other characters than ids have is quoted, so that it cannot say of itself that it is verified.
 */
export function publisherText({ name, verified }: Publisher): string {
  if (verified) return `${name} (verified by this host)`
  const isPlain = PLAIN_ID.test(name) && visibleText(name) === name
  return `${isPlain ? name : quoted(name)} (not verified)`
}
