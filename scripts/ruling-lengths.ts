import type { Page } from './markdown-links.ts'

const LINES_MIN = 10
const LINES_MAX = 25

/** One sentence for each ruling that is too long for one topic, or too short to have reasons. */
export function wrongLengths(rulings: readonly Page[]): string[] {
  return rulings
    .map(({ file, text }) => ({ file, lines: text.split('\n').length - 1 }))
    .filter(({ lines }) => lines < LINES_MIN || lines > LINES_MAX)
    .map(({ file, lines }) => `${file}: a ruling must have ${LINES_MIN} to ${LINES_MAX} lines, got ${lines}`)
}
