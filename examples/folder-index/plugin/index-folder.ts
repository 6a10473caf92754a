import type { Context } from '@svc/plugin'
import { costOfAll, createCompare } from './alike.ts'
import { countWords } from './count-words.ts'
import { eachPair, pairsOf } from './each-pair.ts'
import { readText, textsIn } from './folders.ts'
import { collectLikes } from './likes.ts'
import { keepPace } from './pace.ts'
import type { Progress, Report } from './report.ts'
import { createVocabulary, type Parts, partsOf, wholeOf } from './texts.ts'
import { collectTwins, type Passage, passagesOf } from './twins.ts'

/** How long to compare where nobody says, and at most. */
const SECONDS = { preset: 25, max: 3_600 }

/**
 * Reads how long to compare, in seconds.
 *
 * @throws Error with a sentence for the user
 */
export function readSeconds(value: unknown = SECONDS.preset): number {
  if (typeof value === 'number' && value >= 1 && value <= SECONDS.max) return value
  throw new Error(`seconds must be a number from 1 to ${SECONDS.max}, got ${JSON.stringify(value)}`)
}

/**
 * Reads a folder's texts, counts their words, and compares every entry with every other and every text with every
 * other, word by word: some ten thousand million steps for the whole world. When the time is up, the first texts
 * have been compared with each other.
 *
 * @throws Error with a sentence for the user; the signal's reason when it fires
 */
export async function indexFolder(
  folder: string,
  seconds: number,
  ctx: Context,
  now?: () => number,
): Promise<Report> {
  const pace = keepPace(ctx, seconds * 1_000, now)
  const files = textsIn(folder)
  const rest = (stage: Progress['stage'], file: number, of = files.length) =>
    pace.rest({ stage, done: file, of, file: files[file] ?? '' })

  const vocabulary = createVocabulary()
  const texts: Parts[] = []
  for (const [number, file] of files.entries()) {
    await rest('reads the texts', number)
    texts.push(partsOf(await readText(folder, file, ctx.signal), vocabulary))
  }
  const { words, marks } = countWords(texts, vocabulary)

  const passages = passagesOf(texts)
  const entries = passages.map((passage) => passage.words)
  const wholes = texts.map(wholeOf)
  const costs = { entries: costOfAll(entries), wholes: costOfAll(wholes) }
  pace.expect(costs.entries + costs.wholes)
  const compare = createCompare(
    [...entries, ...wholes].reduce((most, { length }) => Math.max(most, length), 0),
  )

  const twins = collectTwins()
  const passage = (number: number) => passages[number] as Passage
  const timeOfEntries = costs.entries / (costs.entries + costs.wholes)
  const comparedEntries = await eachPair(entries, {
    compare,
    pace,
    // Between two texts only: those before are whole.
    stops: (at) => at > 0 && passage(at - 1).file !== passage(at).file && pace.isUp(timeOfEntries),
    rest: (at) => rest('compares the entries', passage(at).file),
    take: (share, first, second) => twins.take(share, passage(first), passage(second)),
  })
  const compared = passages[comparedEntries]?.file ?? texts.length
  const comparedWholes = wholes.slice(0, compared)
  pace.expect(costOfAll(comparedWholes))
  const likes = collectLikes(texts.length)
  await eachPair(comparedWholes, {
    compare,
    pace,
    stops: () => false,
    rest: (at) => rest('compares the texts', at, compared),
    take: likes.take,
  })

  const facts = {
    files: files.length,
    entries: texts.reduce((sum, text) => sum + text.entries.length, 0),
    words: texts.reduce((sum, text) => sum + wordsIn(text), 0),
    distinct: vocabulary.words.length,
    compared,
    comparisons: pairsOf(comparedEntries) + pairsOf(compared),
  }
  const filesFacts = texts.map((text, number) => ({
    path: (files[number] ?? '').replace(/\.txt$/, ''),
    title: text.title,
    words: wordsIn(text),
    marks: marks[number] ?? [],
    like: likes.of(number),
  }))
  return { folder, facts, files: filesFacts, words, twins: twins.best() }
}

const wordsIn = ({ entries }: Parts) => entries.reduce((sum, { words }) => sum + words.length, 0)
