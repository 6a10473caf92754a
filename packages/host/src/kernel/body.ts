import { isUtf8 } from 'node:buffer'
import { endOfString } from '@svc/contract/depth'
import { type Refusal, refuse } from '@svc/contract/errors'
import { asNumbers, beginsNumber, endOfNumber, lookAt, parseExact } from '@svc/contract/exact-json'
import { type Limits, limits } from '@svc/contract/limits'

const SPACES: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d])
const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/**
 * Checks JSON text for what takes long to parse: lists and objects, and names of fields. They are counted in the bytes,
 * which costs a fraction of it. Errors: `invalid_arg`.
 */
export function checkParts(
  bytes: Uint8Array,
  limits: Pick<Limits, 'BODY_CONTAINERS_MAX' | 'BODY_NAMES_MAX'>,
): void {
  const { BODY_CONTAINERS_MAX: maxContainers, BODY_NAMES_MAX: maxNames } = limits
  // Each list has two bytes at least, each name four.
  if (bytes.length < 2 * Math.min(maxContainers, 2 * maxNames)) return
  let containers = 0
  let names = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfText(bytes, at + 1)
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) containers++
    else if (byte === COLON) names++
    if (containers > maxContainers) throw tooMany('lists and objects', maxContainers)
    if (names > maxNames) throw tooMany('names of fields', maxNames)
  }
}

/** The place of the quote that ends a text; short ones are walked, long ones searched. */
function endOfText(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(QUOTE, from); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    let slashes = 0
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes++
    if (slashes % 2 === 0) return at
  }
  return bytes.length
}

const tooMany = (what: string, max: number) =>
  refuse('invalid_arg', `the body may have at most ${max} ${what}, got more`, {
    max,
    hint: 'Send it in several calls, or as one text.',
  })

/**
 * Where an item of an array is in its bytes, `to` excluded, whether it nests too deep to be parsed, and how many
 * numbers it has that `JSON.stringify` would write in another way.
 */
export interface Item {
  readonly from: number
  readonly to: number
  readonly deep: boolean
  readonly odd: number
}

/** Whether JSON bytes are an array, if they are JSON at all. */
const isArray = (bytes: Uint8Array): boolean => bytes[skipSpace(bytes, 0)] === OPEN_LIST

/**
 * Finds the items of an array without parsing anything: one walk, which ends as soon as there are more than `maxItems`.
 * Depth counts the array itself. `null` where the array is not closed or something follows it; what is between the
 * commas is not checked.
 */
function itemsOf(bytes: Uint8Array, maxDepth: number, maxItems: number): Item[] | null {
  const start = skipSpace(bytes, 0)
  const items: Item[] = []
  let from = start + 1
  let depth = 0
  let deep = false
  let odd = 0
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfString(bytes, at + 1)
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (++depth > maxDepth) deep = true
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      if (--depth > 0) continue
      if (skipSpace(bytes, at + 1) < bytes.length) return null
      if (items.length > 0 || skipSpace(bytes, from) < at) items.push({ from, to: at, deep, odd })
      return items
    } else if (byte === COMMA && depth === 1) {
      items.push({ from, to: at, deep, odd })
      if (items.length > maxItems) return items
      from = at + 1
      deep = false
      odd = 0
    } else if (beginsNumber(byte)) {
      const end = endOfNumber(bytes, at)
      if (end < 0) odd++
      at = Math.abs(end) - 1
    }
  }
  return null
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from
  while (SPACES.has(bytes[at])) at++
  return at
}

/** One call of a body, parsed; `odd` where some of its numbers are raw JSON (`parseExact`). */
export interface ReadCall {
  readonly call: unknown
  readonly odd: boolean
  /** What another thread made of its arguments; their numbers are settled. */
  readonly apart?: ExtractedArgs
}

/** Arguments of a call that is not in the call, because another thread read it. */
export interface ExtractedArgs {
  /** Those that are passed on as text. */
  readonly texts: Readonly<Record<string, ArgText>>
  /** Those that hold a number which is refused, and why. */
  readonly faults: Readonly<Record<string, ArgFault>>
}

/** An argument as JSON text, as `JSON.stringify` writes it; `bare` is an empty value of its type. */
export interface ArgText {
  readonly json: string
  readonly bare: unknown
}

/** What is wrong with an argument: the parts of an `invalid_arg`. */
export interface ArgFault {
  readonly message: string
  readonly details: Readonly<Record<string, unknown>> | undefined
}

/** One call of a body, or why it is not looked at. */
export type Part = ReadCall | { readonly problem: string }

/** A parsed body: one call, or the array form, each of whose calls is judged by itself. */
export type Body = { readonly one: Part } | { readonly many: readonly Part[] }

/** What a body may have. */
export type BodyCaps = Pick<
  Limits,
  'BODY_CONTAINERS_MAX' | 'BODY_DEPTH_MAX' | 'BODY_NAMES_MAX' | 'BATCH_MAX_CALLS'
>

/**
 * Reads a body. Depth, counted from its root, and the number of calls are read from the bytes: what is too deep or too
 * many is never parsed. Of an array with a call that is too deep the others are parsed one by one; where one of them is
 * not JSON, the body is none. Errors: `invalid_arg`.
 */
export function readBody(bytes: Buffer, caps: BodyCaps): Body {
  if (!isUtf8(bytes)) throw notUtf8()
  if (isArray(bytes)) return { many: readCalls(bytes, caps) }
  const look = lookAt(bytes, caps.BODY_DEPTH_MAX)
  if (look === 'deep') throw refuse('invalid_arg', depthProblem(caps))
  if (look === 'many') throw tooManyNumbers()
  checkParts(bytes, caps)
  return { one: partOf(bytes.toString('utf8'), look === 'odd') }
}

function readCalls(bytes: Buffer, caps: BodyCaps): Part[] {
  const max = caps.BATCH_MAX_CALLS
  const items = itemsOf(bytes, caps.BODY_DEPTH_MAX, max)
  if (!items) throw notJson()
  if (items.length === 0 || items.length > max)
    throw refuse(
      'invalid_arg',
      `an array of calls must have 1 to ${max}, got ${items.length === 0 ? 'none' : 'more'}`,
    )
  const odd = items.reduce((sum, item) => sum + item.odd, 0)
  if (odd > limits.EXACT_NUMBERS_MAX) throw tooManyNumbers()
  const parsed = items.filter(({ deep }) => !deep)
  checkParts(Buffer.concat(parsed.map(({ from, to }) => bytes.subarray(from, to))), caps)
  if (parsed.length === items.length) {
    const calls = parse(bytes.toString('utf8'), odd > 0)
    if (Array.isArray(calls)) return calls.map((call, at) => ({ call, odd: items[at]?.odd !== 0 }))
    throw notJson()
  }
  const problem = depthProblem(caps)
  return items.map(({ from, to, deep, odd }) =>
    deep ? { problem } : partOf(bytes.toString('utf8', from, to), odd > 0),
  )
}

/** What is wrong with a body that is too deep. */
export const depthProblem = ({ BODY_DEPTH_MAX }: Pick<BodyCaps, 'BODY_DEPTH_MAX'>): string =>
  `the body must nest at most ${BODY_DEPTH_MAX} levels deep`
/** The refusal of a body with more such numbers than may be kept as text. */
export const tooManyNumbers = (): Refusal =>
  refuse(
    'invalid_arg',
    `the body may have at most ${limits.EXACT_NUMBERS_MAX} numbers whose text JavaScript would change, such as 1.0, 1E5 and 1e400, got more`,
    { hint: 'Write them as JavaScript prints them (1, 100000), or send them as strings.' },
  )
/** The refusal of bytes that are not text. */
export const notUtf8 = (): Refusal => refuse('invalid_arg', 'the body must be UTF-8')
/** The refusal of text that is not JSON. */
export const notJson = (): Refusal => refuse('invalid_arg', 'the body must be JSON')

const partOf = (text: string, odd: boolean): Part => ({ call: parse(text, odd), odd })

function parse(text: string, odd: boolean): unknown {
  try {
    return odd ? parseExact(text) : JSON.parse(text)
  } catch {
    throw notJson()
  }
}

/** The JSON object of a route, with numbers of JavaScript. Errors: `invalid_arg`. */
export function readObject(bytes: Buffer, caps: Omit<BodyCaps, 'BATCH_MAX_CALLS'>): Record<string, unknown> {
  if (!isUtf8(bytes)) throw notUtf8()
  checkParts(bytes, caps)
  const look = lookAt(bytes, caps.BODY_DEPTH_MAX)
  if (look === 'deep') throw refuse('invalid_arg', depthProblem(caps))
  if (look === 'many') throw tooManyNumbers()
  const value = parse(bytes.toString('utf8'), look === 'odd')
  return asObject(look === 'odd' ? asNumbers(value, '') : value)
}

/** A value as an object with fields. Errors: `invalid_arg`. */
export function asObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refuse('invalid_arg', 'the body must be a JSON object')
  return value as Record<string, unknown>
}
