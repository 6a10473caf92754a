import { limits } from '../limits/index.ts'
import { visibleText } from '../values/visible-text.ts'
import { jsonProblem } from './json-problem.ts'
import type { LineId } from './stdio.ts'

/** A line that is meant as a message, and cannot be read as one. */
export interface MeantLine {
  /** What is wrong with it, as the end of a sentence: `has NaN as a value; JSON has no such number`. */
  readonly what: string
  /** What its author does about it, in a sentence. */
  readonly hint: string
  /** Its beginning as it may be shown: at most `MEANT_SHOWN_CHARS`, in which what cannot be seen is escaped. */
  readonly shown: string
  /** The ids that it may answer; none where it shows none. */
  readonly ids: readonly LineId[]
}

/** `"jsonrpc":` in the quotes of any language, and escaped in a text. */
const QUOTED = /["'`]jsonrpc\\?["'`]\s*(?::|,|=>|\]\s*=>)/
/** How languages print a value for people: `{ jsonrpc: '2.0'`, `{jsonrpc=2.0`, `[jsonrpc] => 2.0`. */
const PRINTED = /[{[,]\s*:?jsonrpc\]?\s*(?::|=>?)|^\s+jsonrpc: ["']2/
/** The same in Go: `map[id:1 jsonrpc:2.0`. In one pattern each beginning would be followed to the end of the line. */
function isMap(text: string): boolean {
  const at = text.indexOf('map[')
  return at !== -1 && text.includes(' jsonrpc:2', at)
}
const REPLY_ID = /["']?\bid\\?["']?\]?\s*(?::|=>?)\s*\\?(?:"([^"\\]*)\\?"|'([^']*)'|(-?\d+))/g
const METHOD = /\bmethod\\?["']?\]?\s*(?::|=>?)\s*\\?["']([^"'\\]*)/
const ANSWER = /["']?\b(?:result|error)\\?["']?\]?\s*(?::|=>?)/
/** What is told and needs no answer: without it the call goes on. */
const TOLD = /^(?:progress|cancel|notifications\/.*)$/
const BEGINS = /^\s*[{["'%]/
const HEADER = /^content-length:\s*\d+\s*$/i
/** What may stand between it and the empty line. */
const OTHER_HEADER = /^content-type:/i
/** Past this length only the beginning is looked at. */
const JUDGED_CHARS = 262_144

const LIBRARY =
  'Write it with a JSON library: JSON.stringify(…) in JavaScript, json.dumps(…) in Python, json_encode(…) in PHP.'
const hints = {
  frames: 'Write each message as one line of JSON that ends with a line feed, without headers.',
  utf16: 'Write UTF-8: in PowerShell [Console]::OutputEncoding = [Text.UTF8Encoding]::new($false).',
  utf8: 'Write UTF-8 to stdout: PYTHONIOENCODING=utf-8 for Python, -Dstdout.encoding=UTF-8 for Java, binmode(STDOUT, ":utf8") in Perl.',
  number:
    'Write null or a text in place of NaN and Infinity; json.dumps(…, allow_nan=False) in Python names the value.',
  indent:
    'Write each message in one line, without an indent: json.dumps(…), JSON.stringify(…) without a third argument, jq -c.',
  batch: 'Write each message in a line of its own, not in a list.',
  twice: 'Write the object itself: it went through a JSON library twice.',
  before:
    'Write a message from the beginning of a line, and print what is for people to stderr with a line feed of its own.',
  after: 'End each message with a line feed; print what is for people to stderr.',
  cut: 'Write a message whole and in one line: a line break in a text is \\n, as a JSON library writes it.',
  id: 'Write the id of the request into its answer, as it came.',
  control: 'A control character in a text is escaped, as a JSON library does: \\t, \\u0000.',
  library: LIBRARY,
} as const

/** What is wrong with a line, and what helps. */
type Fault = readonly [what: string, hint: string]

/**
 * Judges the lines of one stream that are not messages, one after the other, while a request waits: a banner, a warning, a
 * record of a log give nothing. `waits` says whether a request has this id: a line that shows only other ids is about
 * something else. Whoever asks waits a moment for a right answer behind it, as a log may show one before it is sent.
 *
 * @example
 * const judge = meantLines()
 * judge(Buffer.from('{"jsonrpc":"2.0","id":"a","result":{"output":NaN}}'), (id) => id === 'a')?.what
 */
export function meantLines(): (line: Uint8Array, waits: (id: LineId) => boolean) => MeantLine | undefined {
  let isHeader = false
  return (line, waits) => {
    const utf16 = withoutNuls(line)
    const text = utf16 ?? textOf(line)
    const wasHeader = isHeader
    isHeader = HEADER.test(text) || (wasHeader && OTHER_HEADER.test(text))
    if (wasHeader && text.trim() === '')
      return meant('is the header Content-Length of a frame', hints.frames, 'Content-Length: …', [])
    if (text.trim() === '' || !isMessage(text, waits)) return undefined
    const [what, hint] = utf16 === undefined ? faultOf(text, line) : [UTF16, hints.utf16]
    return meant(what, hint, text, idsIn(text).filter(waits))
  }
}

/** Returns what is said of a message that was read, but is not UTF-8. */
export function notUtf8(line: Uint8Array): MeantLine {
  const text = textOf(line)
  return meant(`is not UTF-8${byteOf(line)}`, hints.utf8, text, idsIn(text))
}

/** Returns what is said of a message that is an answer and has no id; `undefined`: it is none, as a record of a log. */
export function withoutId(message: object): MeantLine | undefined {
  const { jsonrpc, id, method, result, error } = message as Readonly<Record<string, unknown>>
  const isNamed = typeof id === 'string' || typeof id === 'number'
  const isAnswer = jsonrpc !== undefined && method === undefined && (result ?? error ?? null) !== null
  if (isNamed || !isAnswer) return undefined
  const what =
    id === undefined ? 'has no id' : `has ${JSON.stringify(id).slice(0, SHOWN_BEFORE_CHARS)} as its id`
  return meant(`is an answer that ${what}`, hints.id, JSON.stringify(message), [])
}

/** Whether a line of so many bytes, which ends with this chunk so far, may be a whole message; see `withoutEnd`. */
export const mayBeWhole = (chunk: Uint8Array, heldBytes: number): boolean =>
  heldBytes > 0 && heldBytes <= JUDGED_CHARS && LAST_BYTES.has(chunk.at(-1))

/** The last byte of a message whose writer ends no lines: a bracket, CR or NUL. */
const LAST_BYTES: ReadonlySet<unknown> = new Set([0x7d, 0x0d, 0x00])

/** Returns what is said of a whole message that waits for the end of its line; `undefined`: it is not one. */
export function withoutEnd(line: Uint8Array, waits: (id: LineId) => boolean): MeantLine | undefined {
  const text = textOf(line)
  return parsed(text) && isMessage(text, waits)
    ? meant('does not end with a line feed', hints.after, text, idsIn(text).filter(waits))
    : undefined
}

/** Returns the sentence about a line of `writer`, such as `The plugin "notes"`. */
export const meantSentence = (writer: string, { what, shown }: MeantLine): string =>
  `${writer} wrote a line that is meant as a message and cannot be read: it ${what}. It begins: ${shown}`

const UTF16 = 'is UTF-16, and not UTF-8'

const meant = (what: string, hint: string, text: string, ids: readonly LineId[]): MeantLine => ({
  what,
  hint,
  shown: shownBeginning(text),
  ids,
})

function shownBeginning(text: string): string {
  const max = limits.MEANT_SHOWN_CHARS
  const shown = visibleText(text.trim().slice(0, max + 1)).replace(/\n/g, '\\n')
  return shown.length > max ? `${shown.slice(0, max)}…` : shown
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const textOf = (line: Uint8Array): string => decoder.decode(line.subarray(0, JUDGED_CHARS))

function isUtf8(line: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(line)
    return true
  } catch {
    return false
  }
}

const FIRST_HIGH = 0x80
const HEX = 16

/** The first byte that is none of ASCII, of text that is not UTF-8. */
function byteOf(line: Uint8Array): string {
  const byte = line.find((one) => one >= FIRST_HIGH)
  return byte === undefined ? '' : `: it has the byte 0x${byte.toString(HEX)}`
}

/** The text of what may be UTF-16 or UTF-32: about every second byte at least is 0. */
function withoutNuls(line: Uint8Array): string | undefined {
  const head = line.subarray(0, limits.MEANT_SHOWN_CHARS * 2)
  const nuls = head.filter((byte) => byte === 0).length
  const isWide = head.length > 2 && nuls >= Math.floor(head.length / 2) - 1
  return isWide ? textOf(line.subarray(0, JUDGED_CHARS).filter((byte) => byte !== 0)) : undefined
}

/** Whether a text shows that it is a message which somebody waits for. */
function isMessage(text: string, waits: (id: LineId) => boolean): boolean {
  const ids = idsIn(text)
  const begins = BEGINS.test(text)
  if (!QUOTED.test(text) && !PRINTED.test(text) && !isMap(text))
    return begins && ids.some((id) => typeof id === 'string' && waits(id))
  const method = METHOD.exec(text)
  const answer = ANSWER.exec(text)
  // A request of the host is in the log of many a program.
  if (method && !(answer && answer.index < method.index)) return begins && !TOLD.test(method[1] ?? '')
  return ids.length === 0 || ids.some(waits)
}

function idsIn(text: string): LineId[] {
  return [...text.matchAll(REPLY_ID)].map(([, double, single, digits]) => double ?? single ?? Number(digits))
}

/** What keeps a text from being one message. */
function faultOf(text: string, line: Uint8Array): Fault {
  const value = parsed(text)
  if (Array.isArray(value?.value)) return ['is a list of messages (a batch)', hints.batch]
  if (typeof value?.value === 'string') return ['is a text with a message in it', hints.twice]
  if (!isUtf8(line)) return [`is not UTF-8${byteOf(line)}`, hints.utf8]
  const start = text.search(/\{\s*\\?["']?(?:jsonrpc|id|result|error)\b/)
  const before = start > 0 ? text.slice(0, start).trim() : ''
  if (before !== '' && !/^[[{%:]+$/.test(before))
    return [
      `has ${JSON.stringify(visibleText(before.slice(-SHOWN_BEFORE_CHARS)))} before the message`,
      hints.before,
    ]
  if (start === -1 && /^\s+\S|^\s*[{[]\s*$/.test(text))
    return ['is one of several lines of a message', hints.indent]
  return problemOf(text)
}

const SHOWN_BEFORE_CHARS = 40

function problemOf(text: string): Fault {
  const problem = jsonProblem(text, true)
  if (!problem || (problem.at >= JUDGED_CHARS - 1 && text.length >= JUDGED_CHARS))
    return ['is not JSON', LIBRARY]
  const { what, at } = problem
  if (/^goes on after its end/.test(what))
    return /^\s*\{/.test(text.slice(at)) ? ['has two messages', hints.after] : [what, hints.after]
  if (/^ends too early|^has a text that does not end;/.test(what)) return [what, hints.cut]
  const where = `${what} (at character ${at + 1})`
  if (/no such number/.test(what)) return [where, hints.number]
  if (/^has a tab|control character|in its line/.test(what)) return [where, hints.control]
  return [where, LIBRARY]
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}
