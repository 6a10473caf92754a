/**
 * An independent check of the figures: it shares with the plugin the type of the report and its numbers, no code.
 *
 *   node check-figures.ts [folder]     prints the report that is right for a folder (world/south-america by default)
 *
 * It works on words as they are written, and finds what two runs have in common by the places of their words: the
 * longest rising row of places (Hunt and Szymanski), where the plugin fills a table.
 */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import {
  COMPARED_WORDS,
  ENTRY_WORDS,
  LITTLE_WORDS,
  MARKS_LISTED,
  PLACES_LISTED,
  type Report,
  TEXT_SHOWN,
  TWIN_SHARE,
  TWINS_LISTED,
  type Twin,
  WORDS_LISTED,
} from './plugin/report.ts'

interface Entry {
  readonly file: number
  readonly text: string
  readonly words: readonly string[]
}

/** The right report of a folder of which the first texts were compared, all where it is left out. */
export function figuresOf(folder: string, first = Number.POSITIVE_INFINITY): Report {
  const root = path.join(import.meta.dirname, 'data', folder)
  const paths = globSync('**/*.txt', { cwd: root }).sort()
  const texts = paths.map((file) => readFileSync(path.join(root, file), 'utf8').split('\n'))
  const entries = texts.flatMap((lines, file) =>
    lines.slice(1).flatMap((line): Entry[] => {
      const text = line.replace(/^.*?: /, '').trim()
      return text === ''
        ? []
        : [{ file, text, words: [...text.toLowerCase().matchAll(/\p{L}+/gu)].map(String) }]
    }),
  )
  const all = entries.flatMap(({ file, words }) => words.map((word) => ({ file, word })))
  const telling = all.filter(({ word }) => word.length >= 3 && !LITTLE_WORDS.has(word))
  const byWord = new Map([...Map.groupBy(telling, ({ word }) => word)].sort(([a], [b]) => (a < b ? -1 : 1)))
  const wholes = texts.map((_, file) => all.filter((one) => one.file === file).map(({ word }) => word))
  const texted = wholes.slice(0, first)
  const alike = texted.map((a) => texted.map((b) => (a === b ? 0 : shareOf(a, b))))
  const compared = [...Map.groupBy(entries, ({ words }) => words.slice(0, COMPARED_WORDS).join(' ')).values()]
    .flatMap(([first]) => first ?? [])
    .filter(({ file, words }) => words.length >= ENTRY_WORDS && file < first)

  return {
    folder,
    facts: {
      files: texts.length,
      entries: entries.length,
      words: all.length,
      distinct: new Set(all.map(({ word }) => word)).size,
      compared: texted.length,
      comparisons: half(compared.length) + half(texted.length),
    },
    files: texts.map(([title = ''], file) => {
      const share = Math.max(0, ...(alike[file] ?? []))
      return {
        path: (paths[file] ?? '').slice(0, -4),
        title: title.trim(),
        words: wholes[file]?.length ?? 0,
        marks: [...byWord]
          .map(([word, found]) => ({
            word,
            here: found.filter((one) => one.file === file).length,
            of: found.length,
          }))
          .filter(({ here }) => here > 0)
          .sort((a, b) => (b.here * b.here) / b.of - (a.here * a.here) / a.of)
          .slice(0, MARKS_LISTED)
          .map(({ word }) => word),
        like: share === 0 ? null : { file: alike[file]?.indexOf(share) ?? -1, share },
      }
    }),
    words: [...byWord]
      .sort(([, a], [, b]) => b.length - a.length)
      .slice(0, WORDS_LISTED)
      .map(([word, found]) => {
        const places = [...Map.groupBy(found, ({ file }) => file)].map(([file, here]): [number, number] => [
          file,
          here.length,
        ])
        const most = places.toSorted(([, a], [, b]) => b - a).slice(0, PLACES_LISTED)
        return { word, count: found.length, files: places.length, places: most }
      }),
    twins: twinsAmong(compared),
  }
}

function twinsAmong(entries: readonly Entry[]): Twin[] {
  const cut = ({ file, text }: Entry) => ({
    file,
    text: text.length <= TEXT_SHOWN ? text : text.slice(0, TEXT_SHOWN - 1).concat('…'),
  })
  return entries
    .flatMap((a, at) => entries.slice(at + 1).map((b) => ({ a, b })))
    .filter(({ a, b }) => a.file !== b.file)
    .map(({ a, b }) => ({
      share: shareOf(a.words, b.words),
      words: a.words.length + b.words.length,
      a: cut(a),
      b: cut(b),
    }))
    .filter(({ share }) => share >= TWIN_SHARE)
    .sort((one, other) => other.share - one.share || other.words - one.words)
    .slice(0, TWINS_LISTED)
    .map(({ share, a, b }) => ({ share, a, b }))
}

function shareOf(a: readonly string[], b: readonly string[]): number {
  const [left, right] = [a.slice(0, COMPARED_WORDS), b.slice(0, COMPARED_WORDS)]
  const places = Map.groupBy(right.keys(), (place) => right[place] ?? '')
  /** The least place at which a rising row of each length ends. */
  const ends: number[] = []
  for (const word of left)
    for (const place of (places.get(word) ?? []).toReversed()) {
      const length = ends.findIndex((end) => end >= place)
      ends[length === -1 ? ends.length : length] = place
    }
  return (2 * ends.length) / (left.length + right.length)
}

const half = (count: number) => (count * (count - 1)) / 2

if (import.meta.main)
  console.log(JSON.stringify(figuresOf(process.argv[2] ?? 'world/south-america'), undefined, 2))
