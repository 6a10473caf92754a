/** A line break in JSON is white space between two tokens: in a string it is written as an escape. */
const BREAK = /[\r\n]/g

/**
 * Returns JSON text as one line. Answers, events and frames end at a line break, so one in a text that a stranger
 * wrote would end them early, and what follows it would be read as an answer to somebody else.
 */
export const oneLine = (json: string): string =>
  json.includes('\n') || json.includes('\r') ? json.replace(BREAK, ' ') : json

/**
 * A result, or an argument that goes on as text, that is JSON text already, in one line: large payloads are not parsed
 * into the answer and written again.
 */
export class JsonText {
  readonly json: string

  /** `isOneLine`: `JSON.stringify` wrote it, so nobody has to look. */
  constructor(json: string, isOneLine = false) {
    this.json = isOneLine ? json : oneLine(json)
  }
}

/** The JSON text of a value, which may be text already. */
export const jsonOf = (value: unknown): string =>
  value instanceof JsonText ? value.json : JSON.stringify(value)
