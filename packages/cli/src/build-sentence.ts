import { stripVTControlCharacters } from 'node:util'

/** Colours, source lines and a stack are for a screen of their own: what is wrong and where is one sentence. */
const TAG = /^(Error: )?(\[[^\]]*\]:? )*/
const PLACE = /\[ (\S.*:\d+:\d+) \]/

/** What a failed build says, in one sentence: the first problem, its place, and how many more there are. */
export function buildSentence(error: unknown): string {
  const errors =
    error instanceof Error && 'errors' in error && Array.isArray(error.errors) ? error.errors : []
  const first: unknown = errors[0] ?? error
  const text = stripVTControlCharacters(first instanceof Error ? first.message : messageOf(first))
  const lines = text.split('\n').map((line) => line.trim())
  const said = lines.filter((line) => line !== '')
  const cause = said[said.indexOf('Caused by:') + 1]
  const sentence = (said.includes('Caused by:') && cause ? cause : (said[0] ?? 'no reason was given'))
    .replace(TAG, '')
    .replace(/\.$/, '')
  const place = PLACE.exec(text)?.[1]
  const at = place === undefined || sentence.includes(place) ? '' : ` at ${place}`
  const more = errors.length > 1 ? `, and ${errors.length - 1} more` : ''
  return `${sentence}${at}${more}`
}

const messageOf = (value: unknown) =>
  typeof value === 'object' && value !== null && 'message' in value ? String(value.message) : String(value)
