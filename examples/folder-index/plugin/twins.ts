import { COMPARED_WORDS, ENTRY_WORDS, TEXT_SHOWN, TWIN_SHARE, TWINS_LISTED, type Twin } from './report.ts'
import type { Parts, Run } from './texts.ts'

/** An entry that is compared, and the text it is in; `at` counts the entries. */
export interface Passage {
  readonly at: number
  readonly file: number
  readonly text: string
  readonly words: Run
}

/** The entries that take part: long enough, and each wording once. */
export function passagesOf(texts: readonly Parts[]): Passage[] {
  const seen = new Set<string>()
  let at = 0
  return texts.flatMap(({ entries }, file) =>
    entries.flatMap(({ text, words: all }) => {
      const words = all.subarray(0, COMPARED_WORDS)
      const wording = words.join(' ')
      if (words.length < ENTRY_WORDS || seen.has(wording)) return []
      seen.add(wording)
      return [{ at: at++, file, text, words }]
    }),
  )
}

/** Pairs that are held before the best of them are picked: a folder may have millions. */
const HELD = 10_000

/** Gathers pairs that are alike enough. */
export function collectTwins() {
  const found: { share: number; a: Passage; b: Passage }[] = []
  /** Keeps the best. */
  function pick(): void {
    found.sort(
      (one, other) =>
        other.share - one.share ||
        wordsOf(other) - wordsOf(one) ||
        one.a.at - other.a.at ||
        one.b.at - other.b.at,
    )
    found.splice(TWINS_LISTED)
  }

  return {
    take(share: number, a: Passage, b: Passage): void {
      if (share < TWIN_SHARE || a.file === b.file) return
      found.push({ share, a, b })
      if (found.length === HELD) pick()
    },
    best(): Twin[] {
      pick()
      return found.map(({ share, a, b }) => ({ share, a: side(a), b: side(b) }))
    },
  }
}

const wordsOf = ({ a, b }: { a: Passage; b: Passage }) => a.words.length + b.words.length

const side = ({ file, text }: Passage) => ({
  file,
  text: text.length > TEXT_SHOWN ? `${text.slice(0, TEXT_SHOWN - 1)}…` : text,
})
