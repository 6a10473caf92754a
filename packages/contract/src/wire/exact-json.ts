import { refuse } from '../errors/errors.ts'
import { limits } from '../limits/index.ts'
import { endOfString } from '../values/depth.ts'

const { EXACT_NUMBERS_MAX } = limits

const QUOTE = 0x22
const PLUS = 0x2b
const MINUS = 0x2d
const DOT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const UPPER_E = 0x45
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const LOWER_E = 0x65
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
/** An integer of so many digits, or a decimal of as many that does not end in 0, is written as it was read. */
const SAFE_DIGITS = 15
const SHOWN_CHARS = 60
/** A text without one has no number. */
const DIGIT = /\d/

/** What JavaScript has of JSON text that the types of the language do not know yet. */
interface SourceJson {
  rawJSON(text: string): object
  isRawJSON(value: unknown): value is { readonly rawJSON: string }
}
const sourceJson = JSON as unknown as SourceJson

/**
 * The place behind the number that begins at `from`; negative (`-end`) where `JSON.stringify` writes its value in
 * another way than it is written there: `1.0`, `-0`, `1e400`, more digits than a number holds.
 */
export function endOfNumber(bytes: Uint8Array, from: number): number {
  let digits = 0
  let isPlain = true
  let end = from
  for (; end < bytes.length; end++) {
    const byte = bytes[end] as number
    if (byte >= ZERO && byte <= NINE) digits++
    else if (byte === DOT || byte === MINUS) isPlain = isPlain && byte === MINUS && end === from
    else if (byte === LOWER_E || byte === UPPER_E || byte === PLUS) isPlain = false
    else break
  }
  if (isPlain && digits <= SAFE_DIGITS && !(bytes[from] === MINUS && bytes[from + 1] === ZERO)) return end
  let text = ''
  for (let at = from; at < end; at++) text += String.fromCharCode(bytes[at] as number)
  return written(Number(text)) === text ? end : -end
}

/** `String(value)` looks doubles up in a cache where most of them are not, and takes twice as long. */
const written = (value: number) => JSON.stringify(value)

/** Whether a number of JSON text begins with this byte. */
export const beginsNumber = (byte: number | undefined): boolean =>
  byte !== undefined && byte <= NINE && (byte >= ZERO || byte === MINUS)

/** What a walk over JSON text found: see `lookAt`. */
export type Look = 'deep' | 'many' | 'odd' | 'plain'

/**
 * One walk over JSON text before it is parsed: `deep` where it nests deeper than `maxDepth`; else `odd` where
 * `JSON.stringify` would write one of its numbers in another way than it is written there, and `many` where more than
 * `EXACT_NUMBERS_MAX`; else `plain`.
 */
export function lookAt(bytes: Uint8Array, maxDepth: number): Look {
  let depth = 0
  let odd = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfString(bytes, at + 1)
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (++depth > maxDepth) return 'deep'
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--
    else if (beginsNumber(byte)) {
      const end = endOfNumber(bytes, at)
      if (end < 0) odd++
      at = Math.abs(end) - 1
    }
  }
  if (odd === 0) return 'plain'
  return odd > EXACT_NUMBERS_MAX ? 'many' : 'odd'
}

/** Whether JSON text is worth `parseExact`: a plain parse is enough for no odd number, and for too many of them. */
export const needsExact = (bytes: Uint8Array): boolean => lookAt(bytes, bytes.length) === 'odd'

/**
 * Parses JSON text so that `JSON.stringify` writes its numbers as they are there: one that it would write otherwise
 * becomes a piece of raw JSON. Numbers as JavaScript has them: `asNumbers`. Errors: `SyntaxError`.
 *
 * A reviver of `JSON.parse` costs fifty times a plain parse. So such numbers are replaced by marks before the text is
 * parsed, and the marks by what they stand for afterwards.
 */
export function parseExact(text: string): unknown {
  const { marked, numbers } = markNumbers(text)
  return unmark(JSON.parse(marked), numbers)
}

/** A mark is an integer that no number left in the text is: those are shorter, or written with an exponent above 20. */
const FIRST_MARK = 10_000_000
const UNMARKED_CHARS = 7
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** The text with marks in place of numbers, and what each mark stands for, from `FIRST_MARK` on. */
function markNumbers(text: string): { marked: string; numbers: unknown[] } {
  const bytes = Buffer.from(text)
  /** A character a byte, so that places in both are the same. */
  const characters = bytes.toString('latin1')
  const numbers: unknown[] = []
  let marked = ''
  let from = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfString(bytes, at + 1)
    else if (beginsNumber(byte)) {
      const found = endOfNumber(bytes, at)
      const end = Math.abs(found)
      if (found < 0 || end - at > UNMARKED_CHARS) {
        const source = characters.slice(at, end)
        // The parse tells what is wrong.
        if (!NUMBER.test(source)) return { marked: text, numbers: [] }
        marked += characters.slice(from, at) + (FIRST_MARK + numbers.length)
        numbers.push(found < 0 ? sourceJson.rawJSON(source) : Number(source))
        from = end
      }
      at = end - 1
    }
  }
  return { marked: Buffer.from(marked + characters.slice(from), 'latin1').toString(), numbers }
}

/** Puts what marks stand for in their places. */
function unmark(value: unknown, numbers: readonly unknown[]): unknown {
  if (typeof value === 'number') return numbers[value - FIRST_MARK] ?? value
  if (typeof value !== 'object' || value === null) return value
  const members = value as Record<string | number, unknown>
  for (const name of namesOf(value)) {
    const before = members[name]
    const after = unmark(before, numbers)
    if (after !== before) members[name] = after
  }
  return value
}

/** Parses JSON text, of which `bytes` are the bytes where they are at hand, exactly where that makes a difference. */
export const parseKeeping = (text: string, bytes?: Uint8Array): unknown =>
  DIGIT.test(text) && needsExact(bytes ?? new TextEncoder().encode(text))
    ? parseExact(text)
    : JSON.parse(text)

/**
 * What `parseExact` made, with the numbers of JavaScript in place of raw JSON. `path` names the value. Errors:
 * `invalid_arg` for a number whose value JavaScript cannot hold, with `details.path`.
 */
export const asNumbers = (value: unknown, path: string): unknown => settle(value, [path], numberOf)

/**
 * Checks what `parseExact` made, and what is passed on as text, against the range of a double: past it readers make
 * infinity of a number, which JSON does not have. Errors: `invalid_arg`, with `details.path`.
 */
export function checkRange(value: unknown, path: string): void {
  settle(value, [path], (source, raw) => (Number.isFinite(Number(source)) ? raw : undefined))
}

/** Puts something else in the place of raw JSON; nothing refuses its number. */
function settle(
  value: unknown,
  trail: (string | number)[],
  settled: (source: string, raw: object) => number | object | undefined,
): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (sourceJson.isRawJSON(value)) {
    const next = settled(value.rawJSON, value)
    if (next === undefined) throw notKept(value.rawJSON, pathOf(trail))
    return next
  }
  const members = value as Record<string | number, unknown>
  for (const name of namesOf(value)) {
    trail.push(name)
    members[name] = settle(members[name], trail, settled)
    trail.pop()
  }
  return value
}

/** The indexes of a list, or the names of an object's members. */
const namesOf = (value: object): Iterable<string | number> =>
  Array.isArray(value) ? value.keys() : Object.keys(value)

const pathOf = ([first, ...names]: readonly (string | number)[]) =>
  names.reduce<string>(
    (path, name) => (typeof name === 'number' ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`),
    String(first),
  )

/** The value of a number's text, or nothing where JavaScript cannot hold it. */
function numberOf(source: string): number | undefined {
  const value = Number(source)
  return Number.isFinite(value) && decimalOf(written(value)) === decimalOf(source) ? value : undefined
}

function notKept(source: string, path: string) {
  const shown = source.length > SHOWN_CHARS ? `${source.slice(0, SHOWN_CHARS)}…` : source
  return refuse('invalid_arg', `${path}: ${shown} cannot be kept exactly; send it as a string`, { path })
}

/**
 * The value of a number's text as digits, so that texts of one value are equal: its digits and the power of ten behind
 * them.
 */
function decimalOf(text: string): string {
  const [, sign = '', whole = '', part = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const digits = `${whole}${part}`.replace(/^0+/, '')
  const significant = trimZeros(digits)
  if (significant === '') return '0'
  return `${sign}${significant}e${Number(power) - part.length + digits.length - significant.length}`
}

/** Without the zeros at its end; a regular expression would look for them from every zero on. */
function trimZeros(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.slice(0, end)
}
