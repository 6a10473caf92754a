import type { Limits } from '@svc/contract'
import { isDeeper } from '@svc/contract/depth'
import { readPayloadInTurns } from '@svc/runner'

/** JSON that came over a link: the text, and what it says. */
export interface ReadJson {
  readonly json: string
  readonly value: unknown
}

/** Reads JSON from a machine; `null`: it is none, or nested deeper than a payload may be. */
export function readJson(body: Buffer, limits: Limits): ReadJson | null {
  if (isDeeper(body, limits.RESULT_DEPTH_MAX)) return null
  const json = body.toString()
  try {
    return { json, value: JSON.parse(json) }
  } catch {
    return null
  }
}

/** Reads a JSON object; `null`: it is none. */
export const readObject = (body: Buffer, limits: Limits): Fields | null =>
  fieldsOf(readJson(body, limits)?.value)

/**
 * Reads a JSON object, a long one in turns with others; `null`: it is none, or has more values and names than the request
 * of a plugin may have.
 */
export async function readRequest(body: Buffer, limits: Limits): Promise<Fields | null> {
  if (body.length <= limits.LINK_PART_BYTES) return readObject(body, limits)
  const caps = { maxDepth: limits.RESULT_DEPTH_MAX, maxParts: limits.SUBCALL_VALUES_MAX }
  return fieldsOf((await readPayloadInTurns(body, caps))?.payload)
}

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null
