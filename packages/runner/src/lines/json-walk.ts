import { action, begins, numberEnds, state, table } from './json-table.ts'
import { endOfPlain } from './plain-run.ts'
import { spareBytes } from './spare-bytes.ts'
import { clearSpot, type Spot } from './spot.ts'

const HEX_DIGITS = 4
/** The bytes of two escapes that are one character, and of that. */
const PAIR_ESCAPE_BYTES = 12
const PAIR_BYTES = 4
/** A name that is written with more bytes is not one that is looked for. */
const NAME_MAX_BYTES = 64

/**
 * Walks over JSON text that comes in pieces, and judges it as `JSON.parse` does, UTF-8 aside. Notes where the values are
 * that `root` names, counted from the first byte; of a name that comes twice it is the last. What nests deeper than
 * `maxDepth` is skipped.
 */
export class JsonWalk {
  readonly #root: Spot
  readonly #maxDepth: number
  /** What comes behind a value at each depth. */
  readonly #afters: Uint8Array
  /** What is looked for in the lists and objects around. */
  readonly #around: (Spot | undefined)[] = []
  #now: number = state.VALUE
  #depth = 0
  #isDeep = false
  /** Bytes of the pieces before. */
  #before = 0
  #spare = 0
  #parts = 0
  /** The value that comes, or is under way, where it is looked for. */
  #next: Spot | undefined
  #isName = false
  /** What has come of a name; `null`: it is not one that is looked for. */
  #name: string | null = null
  /** Where a name continues in this piece. */
  #nameFrom = 0
  /** The digits of an escape that have come, and where it begins. */
  #digits = 0
  #code = 0
  #escapeFrom = 0
  /** Where the last escape of a high surrogate ends. */
  #highTo = -1

  constructor(root: Spot, maxDepth: number) {
    this.#root = root
    this.#maxDepth = maxDepth
    this.#afters = new Uint8Array(maxDepth + 1).fill(state.DONE, 0, 1)
    this.#next = root
  }

  /** Whether it is JSON text from beginning to end, the beginning of such, or neither. */
  get state(): 'whole' | 'cut' | 'broken' {
    if (this.#now === state.BROKEN) return 'broken'
    return this.#now === state.DONE ? 'whole' : 'cut'
  }

  /** Whether it nests deeper than `maxDepth`. */
  get isDeep(): boolean {
    return this.#isDeep
  }

  /** The values and names so far: what a parser spends its time on. */
  get parts(): number {
    return this.#parts
  }

  /** Takes the next piece of the text. */
  push(bytes: Uint8Array): void {
    const rules = table
    // A local name is read many times as fast as a member of a table of another file.
    const { TEXT, ESCAPE } = state
    const { FAIL, BEGIN, END_NUMBER, END_TEXT, CLOSE, BACKSLASH } = action
    const { length } = bytes
    let now = this.#now
    this.#nameFrom = 0
    for (let at = now === state.BROKEN ? length : 0; at < length; at++) {
      if (now === TEXT) {
        at = endOfPlain(bytes, at)
        if (at === length) break
      }
      const byte = bytes[at] as number
      const then = rules[(now << 8) | byte] as number
      if (then < FAIL) now = then
      else if (then === BEGIN) {
        this.#begin(at)
        this.#isName = false
        now = begins[byte] as number
      } else if (then === END_NUMBER) {
        now = this.#end(at)
        // The byte behind a number is looked at once more.
        at -= 1
      } else if (then === END_TEXT) now = this.#isName ? this.#endName(bytes, at) : this.#end(at + 1)
      else if (then === BACKSLASH) {
        this.#escapeFrom = this.#before + at
        now = ESCAPE
      } else if (then === CLOSE) now = this.#close(at)
      else {
        if (then === action.SKIP_WHITE) at = this.#skipWhite(bytes, at)
        else now = this.#act(then, byte, at)
        if (now === state.BROKEN) break
      }
    }
    if (this.#isName && now >= state.TEXT && now <= state.HEX) this.#keepName(bytes, length)
    this.#before += length
    this.#now = now
  }

  /** The text has ended: its last number has, too. */
  end(): void {
    if (numberEnds.has(this.#now) && this.#depth === 0) this.#now = this.#end(0)
  }

  /** Begins again. */
  reset(): void {
    clearSpot(this.#root)
    this.#now = state.VALUE
    this.#depth = 0
    this.#isDeep = false
    this.#before = 0
    this.#spare = 0
    this.#parts = 0
    this.#next = this.#root
    this.#highTo = -1
  }

  /** Does what is not done often, and returns the next state. */
  #act(then: number, byte: number, at: number): number {
    switch (then) {
      case action.BEGIN_NAME:
        this.#beginName(at)
        return state.TEXT
      case action.END_NAME:
        if (this.#next !== undefined) this.#next.from = this.#before + at + 1
        return state.VALUE
      case action.HEX_DIGIT:
        return this.#hexDigit(byte, at)
      case action.OPEN_LIST:
        return this.#open(at, state.AFTER_ITEM, state.FIRST_ITEM)
      case action.OPEN_OBJECT:
        return this.#open(at, state.AFTER_MEMBER, state.FIRST_NAME)
      case action.END_LITERAL:
        return this.#end(at + 1)
      case action.SLASH:
        this.#spare += 1
        return state.TEXT
      case action.BEGIN_HEX:
        this.#code = 0
        this.#digits = 0
        return state.HEX
      case action.DEEPER:
        this.#depth += 1
        return state.DEEP
      case action.LESS_DEEP:
        this.#depth -= 1
        return this.#depth > this.#maxDepth ? state.DEEP : this.#end(at + 1)
      default:
        return state.BROKEN
    }
  }

  #begin(at: number): void {
    this.#parts += 1
    if (this.#next === undefined) return
    this.#next.from = this.#before + at
    this.#next.spare = this.#spare
  }

  /** `at` is the place behind the value. */
  #end(at: number): number {
    if (this.#next !== undefined) {
      this.#next.to = this.#before + at
      this.#next.spare = this.#spare - this.#next.spare
      this.#next = undefined
    }
    return this.#afters[this.#depth] as number
  }

  #open(at: number, after: number, first: number): number {
    this.#begin(at)
    this.#depth += 1
    if (this.#depth > this.#maxDepth) {
      this.#isDeep = true
      return state.DEEP
    }
    this.#afters[this.#depth] = after
    this.#around[this.#depth] = this.#next
    this.#next = undefined
    return first
  }

  #close(at: number): number {
    this.#next = this.#around[this.#depth]
    this.#depth -= 1
    return this.#end(at + 1)
  }

  #beginName(at: number): void {
    this.#parts += 1
    this.#isName = true
    this.#name = this.#around[this.#depth]?.members ? '' : null
    this.#nameFrom = at + 1
  }

  /** Keeps a name up to `at`. */
  #keepName(bytes: Uint8Array, at: number): void {
    if (this.#name === null) return
    if (this.#name.length + at - this.#nameFrom > NAME_MAX_BYTES) this.#name = null
    else this.#name += String.fromCharCode(...bytes.subarray(this.#nameFrom, at))
  }

  #endName(bytes: Uint8Array, at: number): number {
    if (this.#name === null) return state.NAME_END
    this.#keepName(bytes, at)
    const name = this.#name ?? ''
    this.#next = this.#around[this.#depth]?.members?.get(name.includes('\\') ? JSON.parse(`"${name}"`) : name)
    if (this.#next) clearSpot(this.#next)
    return state.NAME_END
  }

  /** Returns the place of the last byte of white space. */
  #skipWhite(bytes: Uint8Array, from: number): number {
    let to = from + 1
    while (to < bytes.length && isWhite(bytes[to] as number)) to++
    this.#spare += to - from
    return to - 1
  }

  #hexDigit(byte: number, at: number): number {
    this.#code = this.#code * 16 + (byte <= NINE ? byte - ZERO : (byte & 0x0f) + 9)
    this.#digits += 1
    if (this.#digits < HEX_DIGITS) return state.HEX
    const code = this.#code
    if (code >= 0xd800 && code <= 0xdbff) this.#highTo = this.#before + at + 1
    else if (code < 0xdc00 || code > 0xdfff) this.#spare += spareBytes(code)
    else if (this.#escapeFrom === this.#highTo) this.#spare += PAIR_ESCAPE_BYTES - PAIR_BYTES
    return state.TEXT
  }
}

const SPACE = 0x20
const ZERO = 0x30
const NINE = 0x39
const isWhite = (byte: number) => byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09
