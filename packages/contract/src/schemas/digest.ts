import { createHash } from 'node:crypto'
import { type Reach, reachDigest } from './reach.ts'

/** JSON text with the keys of every object in order, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const pairs = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`)
  return `{${pairs.join(',')}}`
}

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
