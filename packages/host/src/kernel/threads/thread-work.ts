import type { ImageType } from '@svc/contract'
import { Refusal, refuse } from '@svc/contract/errors'
import { asNumbers, checkRange } from '@svc/contract/exact-json'
import {
  type ArgFault,
  type ArgText,
  type Body,
  type BodyCaps,
  type ExtractedArgs,
  type Part,
  readBody,
  readObject,
} from '../body.ts'
import { type ImageSize, imageSizeOf } from './image-size.ts'

/** A body that another thread reads, and what it may be. */
export interface ThreadBody {
  readonly bytes: Uint8Array
  readonly caps: BodyCaps
  /** Values that may come back: those cost the thread that takes them a turn. */
  readonly maxValues: number
}

/** What a method takes: the names of its arguments, and which of them are passed on as text. */
export interface AcceptedArgs {
  readonly names: readonly string[]
  readonly verbatim: readonly string[]
}

/** Calls that another thread reads, and what methods take, by `ns.method`. */
export interface ThreadCalls extends ThreadBody {
  readonly taken: Readonly<Record<string, AcceptedArgs>>
}

/** The value, or why there is none: the parts of an `invalid_arg`. */
export type ThreadResult<Value> = { readonly value: Value } | { readonly fault: ArgFault }

/**
 * Reads a body of calls (`readBody`): what is passed on as text comes back as text, what no method takes does not come
 * back, and nothing of it is raw JSON.
 */
export const readCallsHere = ({ bytes, caps, maxValues, taken }: ThreadCalls): ThreadResult<Body> =>
  asResult(() => {
    const body = readBody(bufferOf(bytes), caps)
    const count = openCount(maxValues)
    const settle = (part: Part): Part => {
      if ('problem' in part) return part
      const { call, apart } = takeCall(part.call, part.odd, taken)
      count(call)
      return { call, odd: false, ...(apart && { apart }) }
    }
    return 'one' in body ? { one: settle(body.one) } : { many: body.many.map(settle) }
  })

/** Reads the JSON object of a route (`readObject`). */
export const readObjectHere = ({
  bytes,
  caps,
  maxValues,
}: ThreadBody): ThreadResult<Record<string, unknown>> =>
  asResult(() => {
    const value = readObject(bufferOf(bytes), caps)
    openCount(maxValues)(value)
    return value
  })

/** Goes through the parts of an image (`imageSizeOf`). */
export const imageSizeHere = ({ type, bytes }: { type: ImageType; bytes: Uint8Array }): ImageSize =>
  imageSizeOf(type, bufferOf(bytes))

const bufferOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

function asResult<Value>(work: () => Value): ThreadResult<Value> {
  try {
    return { value: work() }
  } catch (error) {
    return { fault: faultOf(error) }
  }
}

function faultOf(error: unknown): ArgFault {
  if (!(error instanceof Refusal)) throw error
  return { message: error.message, details: error.details }
}

/** Counts values and names. Errors: `invalid_arg` past `max`. */
function openCount(max: number): (value: unknown) => void {
  let left = max
  const count = (value: unknown): void => {
    if (--left < 0)
      throw refuse('invalid_arg', `a long body may have at most ${max} values that no tool or key takes`, {
        max,
        hint: 'Send it in several calls, or as one text.',
      })
    if (typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) {
      for (const item of value) count(item)
      return
    }
    for (const name of Object.keys(value)) {
      left -= 1
      count((value as Record<string, unknown>)[name])
    }
  }
  return count
}

const FIELDS = ['id', 'window_uuid', 'ns', 'method'] as const

/** A call without what is passed on as text, and with the numbers of JavaScript. */
function takeCall(
  read: unknown,
  odd: boolean,
  taken: ThreadCalls['taken'],
): { readonly call: unknown; readonly apart?: ExtractedArgs } {
  if (!isFields(read)) return { call: Array.isArray(read) ? [] : null }
  const call: Record<string, unknown> = {}
  for (const name of FIELDS) {
    const value = read[name]
    // Anything but text is refused as such, whatever it is.
    if (Object.hasOwn(read, name)) call[name] = typeof value === 'string' ? value : null
  }
  const { args } = read
  if (!isFields(args)) return { call: { ...call, args: null } }
  const { names, verbatim } = taken[`${call.ns}.${call.method}`] ?? { names: [], verbatim: [] }
  const kept: Record<string, unknown> = {}
  const texts: Record<string, ArgText> = {}
  const faults: Record<string, ArgFault> = {}
  for (const name of names) {
    if (!Object.hasOwn(args, name)) continue
    const value = args[name]
    kept[name] = null
    try {
      if (!verbatim.includes(name)) kept[name] = odd ? asNumbers(value, name) : value
      else {
        if (odd) checkRange(value, name)
        texts[name] = { json: JSON.stringify(value), bare: bareOf(value) }
      }
    } catch (error) {
      faults[name] = faultOf(error)
    }
  }
  return { call: { ...call, args: kept }, apart: { texts, faults } }
}

/** An empty value of the same type. */
function bareOf(value: unknown): unknown {
  if (Array.isArray(value)) return []
  if (isFields(value)) return {}
  return typeof value === 'string' ? '' : null
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRaw(value)

/** A number that is kept as text is an object to JavaScript. */
const isRaw = (value: object) => (JSON as unknown as { isRawJSON(value: unknown): boolean }).isRawJSON(value)
