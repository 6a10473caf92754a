import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { BuildProblem } from '@svc/contract'

/** Colours, source lines and a stack are for a screen of their own: what is wrong and where is one sentence. */
const TAG = /^(Error: )?(\[[^\]]*\]:? )*/
const PLACE = /\[ (\S.*:\d+:\d+) \]/

/** What a failed build says, in one sentence: the first problem, its place, and how many more there are. */
export function buildSentence(error: unknown): string {
  const { sentence, place, more } = readError(error)
  const at = place === undefined || sentence.includes(place) ? '' : ` at ${place}`
  return `${sentence}${at}${more}`
}

/** The same for the page, with the place by itself: its file is told relative to the app's folder. */
export function buildProblem(error: unknown, dir: string): BuildProblem {
  const { sentence, place, more } = readError(error)
  const [, file, line] = /^(.*):(\d+):\d+$/.exec(place ?? '') ?? []
  return {
    message: `${place === undefined ? sentence : sentence.replace(`${place} `, '')}${more}`,
    file: file === undefined ? null : path.relative(dir, path.resolve(file)),
    line: line === undefined ? null : Number(line),
  }
}

function readError(error: unknown) {
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
  const more = errors.length > 1 ? `, and ${errors.length - 1} more` : ''
  return { sentence, place: PLACE.exec(text)?.[1] ?? placeOf(first), more }
}

/** Where the error of a plugin says that it is. */
function placeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const { id, loc } = error as Located
  const file = loc?.file ?? id
  return file === undefined
    ? undefined
    : `${file.replace(/[?#].*$/, '')}:${loc?.line ?? 1}:${loc?.column ?? 0}`
}

interface Located {
  readonly id?: string
  readonly loc?: { readonly file?: string; readonly line?: number; readonly column?: number }
}

const messageOf = (value: unknown) =>
  typeof value === 'object' && value !== null && 'message' in value ? String(value.message) : String(value)
