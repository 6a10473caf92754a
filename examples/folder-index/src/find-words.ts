import type { WordFacts } from '../plugin/report.ts'

/** The words that hold what was typed: those that begin with it first, else in their order. Nothing typed finds all. */
export function findWords(words: readonly WordFacts[], typed: string): WordFacts[] {
  const part = typed.trim().toLowerCase()
  const found = words.filter(({ word }) => word.includes(part))
  return [
    ...found.filter(({ word }) => word.startsWith(part)),
    ...found.filter(({ word }) => !word.startsWith(part)),
  ]
}
