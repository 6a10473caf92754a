import type { Digest } from './fields.ts'

const TITLE_WORDS = 10
const SUMMARY_SENTENCES = 2
const KEY_SENTENCES = 3
/** Shorter words say little about what a text is about. */
const TELLING_LETTERS = 5

const MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December'
const DATE = new RegExp(
  `\\b(?:\\d{1,2} )?(?:(?:${MONTHS}) )?(?:1\\d|20)\\d{2}\\b|\\b\\d{1,2} (?:${MONTHS})\\b`,
  'g',
)

/**
 * Picks what can be had of a text without a model: its first words, its first sentences, those that hold its most
 * frequent words, and its dates. It understands nothing, so it names no people and no places.
 */
export function pickDigest(text: string): Digest {
  const sentences = sentencesOf(text)
  const [first = ''] = sentences
  const words = first.split(' ')
  const title = words
    .slice(0, TITLE_WORDS)
    .join(' ')
    .replace(/[.,;:]$/, '')
  const counts = countsOf(text)
  /** How often its words come elsewhere too. */
  const weight = (sentence: string) =>
    [...new Set(wordsOf(sentence))].reduce((sum, word) => sum + (counts.get(word) ?? 1) - 1, 0)
  const rest = sentences.slice(SUMMARY_SENTENCES)
  const key = new Set([...rest].sort((a, b) => weight(b) - weight(a)).slice(0, KEY_SENTENCES))
  const dates = [...new Set(text.match(DATE) ?? [])]
  return {
    ...(title !== '' && { title: [words.length > TITLE_WORDS ? `${title} …` : title] }),
    ...(first !== '' && { summary: [sentences.slice(0, SUMMARY_SENTENCES).join(' ')] }),
    ...(key.size > 0 && { key_points: rest.filter((sentence) => key.has(sentence)) }),
    ...(dates.length > 0 && { dates }),
  }
}

/** The sentences of a text, each on one line. */
const sentencesOf = (text: string): string[] =>
  [...new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text)]
    .map(({ segment }) => segment.replaceAll(/\s+/g, ' ').trim())
    .filter((sentence) => sentence !== '')

const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/\p{L}+/gu) ?? []).filter(({ length }) => length >= TELLING_LETTERS)

function countsOf(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}
