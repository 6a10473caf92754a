import type { Context } from '@svc/plugin'
import { costOf, costOfAll, createCompare } from './alike.ts'
import { countWords } from './count-words.ts'
import { readText, textsIn } from './folders.ts'
import { keepPace } from './pace.ts'
import type { FileFacts, Progress, Report } from './report.ts'
import { createVocabulary, type Parts, partsOf, type Run, wholeOf } from './texts.ts'
import { collectTwins, passagesOf } from './twins.ts'

/**
 * Reads a folder's texts, counts their words, and holds every entry against every other and every text against
 * every other, word by word: some ten thousand million steps for the whole world.
 *
 * @throws Error with a sentence for the user; the signal's reason when it fires
 */
export async function indexFolder(folder: string, ctx: Context): Promise<Report> {
  const pace = keepPace(ctx)
  const files = textsIn(folder)
  const at = (stage: Progress['stage'], file: number) =>
    pace.rest({ stage, done: file, of: files.length, file: files[file] ?? '' })

  const vocabulary = createVocabulary()
  const texts: Parts[] = []
  for (const [number, file] of files.entries()) {
    await at('read', number)
    texts.push(partsOf(await readText(folder, file, ctx.signal), vocabulary))
  }
  const { words, marks } = countWords(texts, vocabulary)

  const passages = passagesOf(texts)
  const entries = passages.map((passage) => passage.words)
  const wholes = texts.map(wholeOf)
  pace.expect(costOfAll(entries) + costOfAll(wholes))
  const compare = createCompare(Math.max(0, ...[...entries, ...wholes].map((run) => run.length)))

  /** Compares each run with each after it. */
  async function eachPair(
    runs: readonly Run[],
    rest: (first: number) => Promise<void>,
    take: (share: number, first: number, second: number) => void,
  ): Promise<void> {
    for (const [first, a] of runs.entries())
      for (let second = first + 1; second < runs.length; second++) {
        const b = runs[second] as Run
        take(compare(a, b), first, second)
        if (pace.did(costOf(a, b))) await rest(first)
      }
  }

  const twins = collectTwins()
  const passage = (number: number) => passages[number] as (typeof passages)[number]
  await eachPair(
    entries,
    (first) => at('entries', passage(first).file),
    (share, first, second) => twins.take(share, passage(first), passage(second)),
  )

  const like: FileFacts['like'][] = texts.map(() => null)
  const consider = (file: number, other: number, share: number) => {
    const best = like[file]
    if (share > 0 && (!best || share > best.share || (share === best.share && other < best.file)))
      like[file] = { file: other, share }
  }
  await eachPair(
    wholes,
    (first) => at('texts', first),
    (share, first, second) => {
      consider(first, second, share)
      consider(second, first, share)
    },
  )

  const pairs = (count: number) => (count * (count - 1)) / 2
  return {
    folder,
    facts: {
      files: files.length,
      entries: texts.reduce((sum, text) => sum + text.entries.length, 0),
      words: wordsIn(texts),
      distinct: vocabulary.words.length,
      comparisons: pairs(entries.length) + pairs(wholes.length),
    },
    files: texts.map((text, number) => ({
      path: (files[number] ?? '').replace(/\.txt$/, ''),
      title: text.title,
      words: wordsIn([text]),
      marks: marks[number] ?? [],
      like: like[number] ?? null,
    })),
    words,
    twins: twins.best(),
  }
}

const wordsIn = (texts: readonly Parts[]) =>
  texts.reduce((sum, { entries }) => sum + entries.reduce((all, { words }) => all + words.length, 0), 0)
