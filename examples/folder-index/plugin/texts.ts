import { COMPARED_WORDS, WORD } from './report.ts'

/** Gives each word a number, the same for the same word. */
export interface Vocabulary {
  numberOf(word: string): number
  readonly words: readonly string[]
}

/** A run of words as their numbers. */
export type Run = Uint32Array

/** An entry of a text: how it is written, and its words. */
export interface Entry {
  readonly text: string
  readonly words: Run
}

/** A text taken apart. */
export interface Parts {
  readonly title: string
  readonly entries: readonly Entry[]
}

/** An empty vocabulary. */
export function createVocabulary(): Vocabulary {
  const numbers = new Map<string, number>()
  const words: string[] = []
  return {
    words,
    numberOf(word) {
      const known = numbers.get(word)
      if (known !== undefined) return known
      numbers.set(word, words.length)
      return words.push(word) - 1
    },
  }
}

/** Takes a text apart; its first line is the title, whatever stands there. */
export function partsOf(text: string, vocabulary: Vocabulary): Parts {
  const [title = '', ...lines] = text.split('\n')
  return {
    title: title.trim(),
    entries: lines
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const entry = line.slice(line.indexOf(': ') + 1).trim()
        const words = entry.toLowerCase().match(WORD) ?? []
        return { text: entry, words: Uint32Array.from(words, vocabulary.numberOf) }
      }),
  }
}

/** All words of a text in a row, as many as are compared. */
export function wholeOf({ entries }: Parts): Run {
  const all = entries.flatMap(({ words }) => [...words])
  return Uint32Array.from(all.slice(0, COMPARED_WORDS))
}
