import { isTelling, MARKS_LISTED, PLACES_LISTED, WORDS_LISTED, type WordFacts } from './report.ts'
import type { Parts, Vocabulary } from './texts.ts'

/** What counting found. */
export interface Counts {
  readonly words: WordFacts[]
  /** The words that mark each text. */
  readonly marks: string[][]
}

/** Counts the words of all texts. */
export function countWords(texts: readonly Parts[], vocabulary: Vocabulary): Counts {
  const total = new Uint32Array(vocabulary.words.length)
  const perText = texts.map(({ entries }) => {
    const counts = new Map<number, number>()
    for (const { words } of entries)
      for (const word of words) {
        counts.set(word, (counts.get(word) ?? 0) + 1)
        total[word] = (total[word] ?? 0) + 1
      }
    return counts
  })
  const wordOf = (number: number) => vocabulary.words[number] ?? ''
  const totalOf = (number: number) => total[number] ?? 0

  const words = [...total.keys()]
    .filter((number) => isTelling(wordOf(number)))
    .sort((a, b) => totalOf(b) - totalOf(a) || byCodeUnit(wordOf(a), wordOf(b)))
    .slice(0, WORDS_LISTED)
    .map((number) => {
      const places = perText.flatMap((counts, file): [number, number][] => {
        const count = counts.get(number)
        return count === undefined ? [] : [[file, count]]
      })
      return {
        word: wordOf(number),
        count: totalOf(number),
        files: places.length,
        // The sort is stable: texts with equal counts stay in their order.
        places: places.sort(([, a], [, b]) => b - a).slice(0, PLACES_LISTED),
      }
    })

  const marks = perText.map((counts) =>
    [...counts]
      .filter(([number]) => isTelling(wordOf(number)))
      .map(([number, count]) => ({ word: wordOf(number), weight: (count * count) / totalOf(number) }))
      .sort((a, b) => b.weight - a.weight || byCodeUnit(a.word, b.word))
      .slice(0, MARKS_LISTED)
      .map(({ word }) => word),
  )
  return { words, marks }
}

const byCodeUnit = (a: string, b: string) => (a < b ? -1 : Number(a > b))
