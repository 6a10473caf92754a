import { needsExact, parseExact } from '@svc/contract/exact-json'
import { asciiOrUtf8 } from './line-text.ts'

/** A JSON object that came over the wire; nothing about its fields is known. */
export type Fields = Readonly<Record<string, unknown>>

/** A message whose values go on as JSON text: with its numbers as they came. */
export const exactly = (message: Fields, line: Buffer): Fields =>
  needsExact(line) ? (parseExact(asciiOrUtf8(line).text) as Fields) : message

/** A message is an object; what begins otherwise is not worth the cost of a failed parse. */
export function parse(text: string): Fields | undefined {
  if (!/^\s*\{/.test(text)) return undefined
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** The value as an object with fields; lists and scalars have none. */
export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}
