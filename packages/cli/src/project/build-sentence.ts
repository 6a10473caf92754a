import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { BuildProblem } from '@svc/contract'

/** Colours, source lines and a stack are for a screen of their own: what is wrong and where is one sentence. */
const TAG = /^(Error: )?(\[[^\]]*\]:? )*/
const PLACE = /\[ (\S.*):(\d+):(\d+) \]/

/** What tells of errors that windows throw. */
export const THREW = 'svc:window-errors'

/** How to put right what a bundler names, by its code or by the plugin that found it. */
const hints: ReadonlyMap<string, string> = new Map([
  ['UNRESOLVED_IMPORT', 'Correct the path of the import, or install the package.'],
  ['vite:import-analysis', 'Correct the path of the import, or install the package.'],
  ['MISSING_EXPORT', 'Export this name, or change the import.'],
  [THREW, 'Correct this place, or catch the error.'],
])
const HINT = 'Correct this place and save the file.'

/** What a failed build says, in one sentence: the first problem, its place, and how many more there are. */
export function buildSentence(error: unknown): string {
  const { sentence, place, more } = readError(error)
  const isSaid = place === null || sentence.includes(`${place.file}:${place.line}:`)
  return `${sentence}${isSaid ? '' : ` at ${textOf(place)}`}${more}`
}

/** The same for the page, with the place by itself: its file is told relative to the app's folder. */
export function buildProblem(error: unknown, dir: string): Omit<BuildProblem, 'part'> {
  const { sentence, place, more, hint } = readError(error)
  return {
    message: `${place === null ? sentence : withoutPlace(sentence, place)}${more}`,
    file: place && path.relative(dir, path.resolve(place.file)),
    line: place?.line ?? null,
    column: place?.column ?? null,
    hint,
  }
}

/** Where something is wrong; lines and columns from 1. */
interface Place {
  readonly file: string
  readonly line: number | null
  readonly column: number | null
}

/** As terminals make a link of it: from the folder where the command runs. */
const textOf = ({ file, line, column }: Place) =>
  [nearFile(file), ...(line === null ? [] : [line, ...(column === null ? [] : [column])])].join(':')

function nearFile(file: string): string {
  const near = path.relative('', path.resolve(file))
  return near.startsWith('..') ? file : near
}

/** A sentence without the place that it begins with. */
const withoutPlace = (sentence: string, { file }: Place): string =>
  sentence.startsWith(`${file}:`) ? sentence.slice(file.length).replace(/^:\d+:\d+ /, '') : sentence

function readError(error: unknown) {
  const errors =
    error instanceof Error && 'errors' in error && Array.isArray(error.errors) ? error.errors : []
  const first: unknown = errors[0] ?? error
  const text = stripVTControlCharacters(first instanceof Error ? first.message : messageOf(first))
  const lines = text.split('\n').map((line) => line.trim())
  // The build of a worker is a build of its own, in whose error the one that is meant is inside.
  const said = lines.filter((line) => line !== '' && !/^Build failed with \d+ errors?:$/.test(line))
  const cause = said[said.indexOf('Caused by:') + 1]
  const sentence = (said.includes('Caused by:') && cause ? cause : (said[0] ?? 'no reason was given'))
    .replace(TAG, '')
    .replace(/\.$/, '')
  const more = errors.length > 1 ? `, and ${errors.length - 1} more` : ''
  const { code = '', plugin = '', hint: own } = isObject(first) ? first : {}
  const place = shownPlace(text) ?? placeOf(first)
  const hint =
    (plugin === THREW ? own : undefined) ??
    hints.get(code) ??
    hints.get(plugin) ??
    (place === null ? null : HINT)
  return { sentence, place, more, hint }
}

function shownPlace(text: string): Place | null {
  const [, file, line, column] = PLACE.exec(text) ?? []
  return file === undefined ? null : { file, line: Number(line), column: Number(column) }
}

/** Where the error of a plugin says that it is; its columns are from 0. */
function placeOf(error: unknown): Place | null {
  if (!isObject(error)) return null
  const { id, loc } = error
  const file = loc?.file ?? id
  if (file === undefined) return null
  const column = loc?.column === undefined ? null : loc.column + 1
  return { file: file.split(/[?#]/, 1)[0] ?? file, line: loc?.line ?? null, column }
}

/** What errors of bundlers have besides a message. */
interface Located {
  readonly code?: string
  readonly plugin?: string
  readonly hint?: string
  readonly id?: string
  readonly loc?: { readonly file?: string; readonly line?: number; readonly column?: number }
}

const isObject = (error: unknown): error is Located => typeof error === 'object' && error !== null

const messageOf = (value: unknown) =>
  isObject(value) && 'message' in value ? String(value.message) : String(value)
