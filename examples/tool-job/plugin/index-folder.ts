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

/**
 * Reads a folder's texts, counts their words, and holds every entry against every other and every text against
 * every other, word by word: some ten thousand million steps for the whole world.
 *
 * @throws Error with a sentence for the user; the signal's reason when it fires
 */
export async function indexFolder(folder: string, ctx: Context): Promise<Report> {
  const pace = keepPace(ctx)
  const files = textsIn(folder)
  const rest = (stage: Progress['stage'], file: number) =>
    pace.rest({ stage, done: file, of: files.length, file: files[file] ?? '' })

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
  pace.expect(costOfAll(entries) + costOfAll(wholes))
  const compare = createCompare(
    [...entries, ...wholes].reduce((most, { length }) => Math.max(most, length), 0),
  )

  const twins = collectTwins()
  const passage = (number: number) => passages[number] as Passage
  await eachPair(entries, {
    compare,
    pace,
    rest: (first) => rest('compares the entries', passage(first).file),
    take: (share, first, second) => twins.take(share, passage(first), passage(second)),
  })
  const likes = collectLikes(texts.length)
  await eachPair(wholes, {
    compare,
    pace,
    rest: (first) => rest('compares the texts', first),
    take: likes.take,
  })

  const facts = {
    files: files.length,
    entries: texts.reduce((sum, text) => sum + text.entries.length, 0),
    words: texts.reduce((sum, text) => sum + wordsIn(text), 0),
    distinct: vocabulary.words.length,
    comparisons: pairsOf(entries.length) + pairsOf(wholes.length),
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
