import { createHash } from 'node:crypto'
import { canonicalJson } from '../values/canonical-json.ts'
import { type Reach, reachDigest } from './reach.ts'

export { canonicalJson }

/** Returns 32 hexadecimal digits that equal values share. */
export const jsonDigest = (value: unknown): string =>
  createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 32)

/** What decides what runs of a published plugin, and by whom it is. */
export interface DigestedTerms {
  /** The id of the plugin. */
  readonly tool_id: string
  /** The id of its author; `null`: it is not known. */
  readonly owner: string | null
  /** The version. */
  readonly version: string
  /** How it comes onto a machine. */
  readonly distribution: object
  /** What it may reach; left out: nothing. */
  readonly reach: Reach | undefined
}

/**
 * Returns the digest of terms: another where id, author, version, distribution or reach is another. The host computes it
 * for what its user agrees to, and the machine for what it is about to start.
 */
export const termsDigest = ({ tool_id, owner, version, distribution, reach }: DigestedTerms): string =>
  jsonDigest({ tool_id, owner, version, distribution, reach: reachDigest(reach) })
