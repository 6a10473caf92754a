import { pause } from '@svc/node'

/** Cuts a text so that no piece has more than `max` characters, and none parts a letter of two; most are one piece. */
export function* piecesOf(text: string, max: number): Generator<string> {
  if (text.length <= max) {
    if (text !== '') yield text
    return
  }
  for (let from = 0; from < text.length; ) {
    const isSplitPair = (text.codePointAt(from + max - 1) ?? 0) > 0xffff
    const to = from + max - (isSplitPair ? 1 : 0)
    yield text.slice(from, to)
    from = to
  }
}

/** A line break in JSON is white space between two tokens: in a string it is written as an escape. */
const BREAK = /[\r\n]/g

/**
 * Returns JSON text as one line. Answers, events and frames end at a line break, so one in a text that a stranger
 * wrote would end them early, and what follows it would be read as an answer to somebody else.
 */
export const oneLine = (json: string): string =>
  json.includes('\n') || json.includes('\r') ? json.replace(BREAK, ' ') : json

/**
 * A result, or an argument that is passed on as text, that is JSON text already, in one line: large payloads are not
 * parsed into the answer and written again.
 */
export class JsonText {
  readonly json: string
  /**
   * The same text in parts, where it is long and was written in turns. Who sends these spares the engine from copying
   * the whole into one piece of memory, which takes 90 ms for 25 MB on a slow machine.
   */
  readonly parts: readonly string[] | undefined

  /** `parts`: `JSON.stringify` wrote them, so nobody has to look for line breaks. */
  constructor(json: string | readonly string[]) {
    this.parts = typeof json === 'string' ? undefined : json
    // Adding texts up copies none of them; joining them does.
    this.json = typeof json === 'string' ? oneLine(json) : json.reduce((whole, part) => whole + part, '')
  }
}

/** The JSON text of a value, which may be text already. */
export const jsonOf = (value: unknown): string =>
  value instanceof JsonText ? value.json : JSON.stringify(value)

/** Characters that are written before others have their turn. */
const TURN_CHARS = 262_144
/** Below this many levels a value is written at once, but for its texts: messages of a session, and not what tools said. */
const LEVELS = 5

/** Writes a plain value that may hold long texts as JSON, in turns with others. */
export async function jsonInTurns(value: object): Promise<JsonText> {
  const parts: string[] = []
  let part = ''
  for (const piece of piecesOfJson(value, LEVELS)) {
    part += piece
    if (part.length < TURN_CHARS) continue
    parts.push(part)
    part = ''
    await pause()
  }
  return new JsonText([...parts, part])
}

function* piecesOfJson(value: unknown, levels: number): Generator<string> {
  if (typeof value === 'string') yield* textParts(value)
  else if (typeof value !== 'object' || value === null || levels === 0) yield JSON.stringify(value)
  else if (Array.isArray(value)) {
    yield '['
    for (const [at, item] of value.entries()) {
      if (at > 0) yield ','
      yield* piecesOfJson(item ?? null, levels - 1)
    }
    yield ']'
  } else {
    yield '{'
    let comma = ''
    for (const [name, field] of Object.entries(value)) {
      if (field === undefined) continue
      yield `${comma}${JSON.stringify(name)}:`
      comma = ','
      yield* piecesOfJson(field, levels - 1)
    }
    yield '}'
  }
}

function* textParts(text: string): Generator<string> {
  yield '"'
  for (const piece of piecesOf(text, TURN_CHARS)) yield JSON.stringify(piece).slice(1, -1)
  yield '"'
}
