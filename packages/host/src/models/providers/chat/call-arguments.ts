import { parsed } from '../members.ts'

/** Whether a text is JSON. */
export const isJson = (text: string): boolean => parsed(text) !== undefined

const EMPTY = '{}'
/** What models write before and behind a block of code. */
const FENCE = '```'

/**
 * The arguments of a call as JSON text, of all that came of them and the last piece of it. Servers send them again when
 * they are complete, or with each piece all so far, begin with an empty object, or write JSON into a text of JSON. What
 * cannot be mended stays as it is.
 */
export function callArguments(text: string, last: string): string {
  const whole = text.trim()
  const half = whole.slice(whole.length / 2)
  const candidates = [
    whole,
    ...(whole.startsWith(EMPTY) ? [whole.slice(EMPTY.length)] : []),
    last,
    ...(half + half === whole ? [half] : []),
    ...(whole.startsWith(FENCE) ? [whole.slice(whole.indexOf('\n'), -FENCE.length).trim()] : []),
  ]
  const found = candidates.find(isJson)
  if (whole === '' || found === 'null') return EMPTY
  return found === undefined ? text : unwrapped(found)
}

/** The text that a text of JSON holds, where it is an object; else the text. */
function unwrapped(json: string): string {
  const inner: unknown = json.startsWith('"') ? JSON.parse(json) : null
  return typeof inner === 'string' && inner.trim().startsWith('{') && isJson(inner) ? inner : json
}
