/**
 * Returns the name that a misspelt one was most likely meant to be: one that differs from it by no more than a third of
 * its characters, counted as characters put in, left out, changed or swapped, whatever their case. `null` where none is
 * near.
 */
export function nearest(wrong: string, names: Iterable<string>): string | null {
  let best: string | null = null
  let least = Math.max(1, Math.floor(wrong.length / 3)) + 1
  for (const name of names) {
    const steps = stepsBetween(wrong.toLowerCase(), name.toLowerCase())
    if (steps < least) [best, least] = [name, steps]
  }
  return best
}

/** What follows "unknown …" in an error: `; did you mean \`origins\`?`, or nothing. */
export function didYouMean(wrong: string, names: Iterable<string>): string {
  const name = nearest(wrong, names)
  return name === null ? '' : `; did you mean \`${name}\`?`
}

/** The distance of Damerau and Levenshtein between two texts. */
function stepsBetween(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = last
    last = row
  }
  return last[b.length] ?? 0
}
