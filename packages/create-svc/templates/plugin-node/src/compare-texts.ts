/** What is different between two texts: whole lines, each with its number in its text, from 1. */
export interface Difference {
  readonly same: number
  readonly removed: readonly NumberedLine[]
  readonly added: readonly NumberedLine[]
}

/** One line of a text. */
export interface NumberedLine {
  readonly line: number
  readonly text: string
}

/** The table of the comparison grows with the product of the lines. */
const CELLS_MAX = 25_000_000

/** Compares two texts line by line: the longest run of lines in common, in their order, stays; the rest is told. */
export function compareTexts(before: string, after: string): Difference {
  const a = before.split('\n')
  const b = after.split('\n')
  const cells = (a.length + 1) * (b.length + 1)
  if (cells > CELLS_MAX)
    throw new Error(
      `the texts are too long to compare: ${a.length} and ${b.length} lines make more than ${CELLS_MAX} pairs`,
    )

  // common[i][j]: how many lines the rest of `a` from i and the rest of `b` from j have in common.
  const width = b.length + 1
  const common = new Uint32Array(cells)
  const at = (i: number, j: number) => common[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))

  const removed: NumberedLine[] = []
  const added: NumberedLine[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      i++
      j++
    } else if (j === b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) {
      removed.push({ line: i + 1, text: a[i] ?? '' })
      i++
    } else {
      added.push({ line: j + 1, text: b[j] ?? '' })
      j++
    }
  }
  return { same: at(0, 0), removed, added }
}
