import type { Limits } from '@svc/contract'
import { isDeeper } from '@svc/contract/depth'
import { type CallFailureCode, callFailures } from '@svc/contract/stdio'
import {
  type CallOutcome,
  type DescribeOutcome,
  type Failure,
  failure,
  type Payload,
  parseDescription,
  readPayloadInTurns,
} from '@svc/runner'

/** JSON that came over a link: the text, and what it says. */
export interface ReadJson {
  readonly json: string
  readonly value: unknown
}

/** Reads JSON from a machine; `null`: it is not JSON, or nested deeper than a payload may be. */
export function readJson(body: Buffer, limits: Limits): ReadJson | null {
  if (isDeeper(body, limits.RESULT_DEPTH_MAX)) return null
  const json = body.toString()
  try {
    return { json, value: JSON.parse(json) }
  } catch {
    return null
  }
}

/** Reads a JSON object; `null`: it is not one. */
const readObject = (body: Buffer, limits: Limits): Fields | null => fieldsOf(readJson(body, limits)?.value)

/**
 * Reads a JSON object, a long one in turns with others; `null`: it is not one, or has more values and names than the
 * request of a plugin may have.
 */
export async function readRequest(body: Buffer, limits: Limits): Promise<Fields | null> {
  if (body.length <= limits.LINK_PART_BYTES) return readObject(body, limits)
  const caps = { maxDepth: limits.RESULT_DEPTH_MAX, maxParts: limits.SUBCALL_VALUES_MAX }
  return fieldsOf((await readPayloadInTurns(body, caps))?.payload)
}

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null

/** The failure for an outcome that no runner sends. */
export const invalidOutcome = (problem: string): Failure =>
  failure('plug_unavailable', `The runner gave no valid outcome: ${problem}.`)

/**
 * Reads the payload of a call. The machine has judged it; the host checks it again. A long one is read in turns with
 * others.
 */
export async function readPayload(body: Buffer, maxBytes: number, limits: Limits): Promise<CallOutcome> {
  const read =
    body.length > limits.LINK_PART_BYTES
      ? await readPayloadInTurns(body, { maxDepth: limits.RESULT_DEPTH_MAX })
      : readShort(body, limits)
  if (!read) return invalidOutcome('its payload is not JSON, or too deep')
  const { bytes } = read
  if (bytes > maxBytes) return invalidOutcome(`its payload must have at most ${maxBytes} bytes, got ${bytes}`)
  return read
}

function readShort(body: Buffer, limits: Limits): Payload | null {
  const read = readJson(body, limits)
  return read && { ok: true, payload: read.value, json: read.json, bytes: Buffer.byteLength(read.json) }
}

/** Reads what a plugin is, once more. */
export function readDescription(body: Buffer, limits: Limits): DescribeOutcome {
  const read = readObject(body, limits)
  const description = read ? parseDescription(read, limits) : 'it is not an object'
  return typeof description === 'string' ? invalidOutcome(description) : { ok: true, description }
}

/** Reads how it failed. */
export function readFailure(body: Buffer, limits: Limits): Failure {
  const { code, message, details } = readObject(body, limits) ?? {}
  if (!isFailureCode(code) || typeof message !== 'string')
    return invalidOutcome('its failure has no known code')
  const isDetailed = typeof details === 'object' && details !== null && !Array.isArray(details)
  return failure(
    code,
    message.slice(0, limits.ERROR_MESSAGE_MAX_CHARS),
    // Who refused is not for a machine to say: what a closing host refused, pages send again.
    isDetailed ? { ...details, by: undefined } : undefined,
  )
}

const codes: ReadonlySet<unknown> = new Set(callFailures)
const isFailureCode = (code: unknown): code is CallFailureCode => codes.has(code)
