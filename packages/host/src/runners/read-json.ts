import type { Limits } from '@svc/contract'
import { isDeeper } from '@svc/contract/depth'

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
export function readObject(body: Buffer, limits: Limits): Readonly<Record<string, unknown>> | null {
  const value = readJson(body, limits)?.value
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null
}
