/** A run of lines that two texts have in common: where it begins in each, and how many lines it has. */
export interface Match {
  readonly a: number
  readonly b: number
  readonly length: number
}

/** Cells of the table that compares what remains: 16 MB of memory. */
const CELLS_MAX = 4_000_000

/** The lines of a text; every line break counts alike. */
export const linesOf = (text: string): string[] => text.split(/\r\n|\r|\n/)

/**
 * The longest common subsequence of two lists of lines, as runs in order. Equal beginnings and ends are taken off
 * first; time and memory grow with the product of what remains, so past {@link CELLS_MAX} that counts as differing.
 */
export function matchLines(a: readonly string[], b: readonly string[]): Match[] {
  const shorter = Math.min(a.length, b.length)
  let head = 0
  while (head < shorter && a[head] === b[head]) head++
  let tail = 0
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++

  const middle = matchMiddle(a.slice(head, a.length - tail), b.slice(head, b.length - tail))
  return [
    { a: 0, b: 0, length: head },
    ...middle.map((match) => ({ ...match, a: match.a + head, b: match.b + head })),
    { a: a.length - tail, b: b.length - tail, length: tail },
  ].filter(({ length }) => length > 0)
}

function matchMiddle(a: readonly string[], b: readonly string[]): Match[] {
  const width = b.length + 1
  if ((a.length + 1) * width > CELLS_MAX) return []
  // longest[i * width + j]: how many lines a from i and b from j on have in common.
  const longest = new Uint32Array((a.length + 1) * width)
  const at = (i: number, j: number) => longest[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      longest[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))

  const matches: Match[] = []
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      const last = matches.at(-1)
      if (last && last.a + last.length === i && last.b + last.length === j)
        matches[matches.length - 1] = { ...last, length: last.length + 1 }
      else matches.push({ a: i, b: j, length: 1 })
      i++
      j++
    } else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  }
  return matches
}

/** Which lines of `a` have no counterpart in `b`. */
export function onlyIn(a: readonly string[], b: readonly string[]): Set<number> {
  const only = new Set(a.keys())
  for (const { a: from, length } of matchLines(a, b))
    for (let line = from; line < from + length; line++) only.delete(line)
  return only
}
