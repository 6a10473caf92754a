import { pause } from '@svc/node'
import { piecesOf } from '../text-pieces.ts'
import { JsonText } from './json-text.ts'

/** Characters that are written before others have their turn. */
const TURN_CHARS = 262_144
/** Below this many levels a value is written at once, but for its texts: messages of a session, and not what tools said. */
const LEVELS = 5

/** Writes a plain value that may hold long texts as JSON, in turns with others. */
export async function jsonInTurns(value: object): Promise<JsonText> {
  let json = ''
  let chars = 0
  for (const part of partsOf(value, LEVELS)) {
    json += part
    chars += part.length
    if (chars < TURN_CHARS) continue
    chars = 0
    await pause()
  }
  return new JsonText(json, true)
}

function* partsOf(value: unknown, levels: number): Generator<string> {
  if (typeof value === 'string') yield* textParts(value)
  else if (typeof value !== 'object' || value === null || levels === 0) yield JSON.stringify(value)
  else if (Array.isArray(value)) {
    yield '['
    for (const [at, item] of value.entries()) {
      if (at > 0) yield ','
      yield* partsOf(item ?? null, levels - 1)
    }
    yield ']'
  } else {
    yield '{'
    let comma = ''
    for (const [name, field] of Object.entries(value)) {
      if (field === undefined) continue
      yield `${comma}${JSON.stringify(name)}:`
      comma = ','
      yield* partsOf(field, levels - 1)
    }
    yield '}'
  }
}

function* textParts(text: string): Generator<string> {
  yield '"'
  for (const piece of piecesOf(text, TURN_CHARS)) yield JSON.stringify(piece).slice(1, -1)
  yield '"'
}
