import { JSON_DEPTH_MAX } from '../limits/browser.ts'
import { codeOf, matchAt, oddAnywhere, oddItem, shown, tokenAt } from './json-odd.ts'

/** What keeps a text from being JSON. */
export interface JsonProblem {
  /** The place in the text, from 0. */
  readonly at: number
  /** What is there, as the end of a sentence: `has a comment; JSON has none`. */
  readonly what: string
}

/** Whether a number would be read as another: a whole one with more digits than JavaScript keeps, or one too large. */
function isLost(scalar: string): boolean {
  const number = Number(scalar)
  if (!/\d/.test(scalar)) return false
  return !Number.isFinite(number) || (/^-?\d+$/.test(scalar) && BigInt(scalar) !== BigInt(number))
}

const SPACE = /[ \t\r\n]*/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\p{L}\d_.$+-])/uy
/** Each level calls the next: without an end a text of brackets would overflow the stack. */
const RECURSION_MAX = 1_000
const QUOTE = 0x22
const BACKSLASH = 0x5c
const FIRST_PLAIN = 0x20

/**
 * Finds the first thing that keeps a text from being JSON; a name that an object has twice counts, since one of its values
 * would be lost, and so does nesting over `JSON_DEPTH_MAX`. `anyValue` asks only what a parser refuses, and takes
 * `RECURSION_MAX` levels. `null`: it is JSON.
 */
export function jsonProblem(text: string, anyValue = false): JsonProblem | null {
  /** Where brackets are open. */
  const open: number[] = []

  function skip(from: number): number {
    const at = from + matchAt(SPACE, text, from).length
    const what = oddAnywhere(text, at)
    if (what !== null) throw new Found(at, what)
    return at
  }

  function value(at: number): number {
    if (text[at] === '{') return items(at, '}', member)
    if (text[at] === '[') return items(at, ']', value)
    if (text[at] === '"') return string(at)
    const scalar = matchAt(SCALAR, text, at)
    if (scalar === '') throw odd(at, 'a value')
    if (!anyValue && isLost(scalar))
      throw new Found(
        at,
        `has the number ${shown(scalar)}, which cannot be kept as it is; write it as a text`,
      )
    return at + scalar.length
  }

  function items(
    from: number,
    close: string,
    item: (at: number, names: Map<string, number>) => number,
  ): number {
    const names = new Map<string, number>()
    open.push(from)
    const max = anyValue ? RECURSION_MAX : JSON_DEPTH_MAX
    if (open.length > max) throw new Found(from, `nests deeper than ${max} levels`)
    let at = skip(from + 1)
    while (text[at] !== close) {
      at = skip(item(at, names))
      if (text[at] === close) break
      if (text[at] !== ',') throw notNext(at, close)
      const next = skip(at + 1)
      if (text[next] === close) throw new Found(at, `has a comma before ${close}; JSON has none there`)
      at = next
    }
    open.pop()
    return at + 1
  }

  function member(at: number, names: Map<string, number>): number {
    if (text[at] !== '"') throw odd(at, 'a name')
    const end = string(at)
    const name = JSON.parse(text.slice(at, end)) as string
    const first = names.get(name)
    if (first !== undefined && !anyValue)
      throw new Found(
        at,
        `has the name ${nameOf(name)} twice in one object; the first is in line ${placeIn(text, first).line}`,
      )
    names.set(name, at)
    const colon = skip(end)
    if (colon === text.length) throw unfinished()
    if (text[colon] !== ':') throw new Found(colon, `has no colon after the name ${nameOf(name)}`)
    return value(skip(colon + 1))
  }

  function string(from: number): number {
    for (let at = from + 1; ; at++) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) return at + 1
      if (Number.isNaN(code)) throw new Found(from, 'has a text that does not end; a " closes it')
      if (code === BACKSLASH) {
        const escaped = matchAt(ESCAPE, text, at)
        if (escaped === '')
          throw new Found(at, `has ${shown(text.slice(at, at + 2))} in a text; a backslash is written \\\\`)
        at += escaped.length - 1
      } else if (code < FIRST_PLAIN) throw new Found(at, controlIn(text[at] ?? ''))
    }
  }

  function notNext(at: number, close: string): Found {
    if (at === text.length) return unfinished()
    if (text[at] !== '}' && text[at] !== ']') return new Found(at, `has no comma before ${tokenAt(text, at)}`)
    return new Found(at, `has ${text[at]} in place of ${close}: ${opened()} is open`)
  }

  const opened = () => {
    const from = open.at(-1) ?? 0
    return `the ${text[from]} of line ${placeIn(text, from).line}`
  }
  const unfinished = () => new Found(text.length, `ends too early: ${opened()} is not closed`)

  function odd(at: number, due: 'a name' | 'a value'): Found {
    if (at < text.length) return new Found(at, oddItem(text, at, due))
    return open.length > 0 ? unfinished() : new Found(at, 'is empty; the shortest JSON is {}')
  }

  try {
    const at = skip(value(skip(0)))
    return at === text.length ? null : new Found(at, `goes on after its end with ${tokenAt(text, at)}`)
  } catch (error) {
    if (error instanceof Found) return error
    throw error
  }
}

class Found implements JsonProblem {
  readonly at: number
  readonly what: string

  constructor(at: number, what: string) {
    this.at = at
    this.what = what
  }
}

const nameOf = (name: string) => JSON.stringify(shown(name))

const controlIn = (sign: string) =>
  sign === '\t'
    ? 'has a tab in a text; it is written \\t'
    : /[\r\n]/.test(sign)
      ? 'has a text that does not end in its line; a line break is written \\n'
      : `has the control character ${codeOf(sign)} in a text`

/** The line and column of a place, both from 1; CRLF, LF and CR end a line. */
export function placeIn(text: string, at: number): { readonly line: number; readonly column: number } {
  const lines = text.slice(0, at).split(/\r\n?|\n/)
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
}
