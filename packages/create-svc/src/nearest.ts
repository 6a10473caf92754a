/**
 * What follows "there is no …": ``; did you mean `app-react`?``, or nothing. A name is meant by what differs from it, or from
 * its last part, by no more than a third of its characters.
 */
export function didYouMean(wrong: string, names: readonly string[]): string {
  let meant: string | undefined
  let least = Math.max(1, Math.floor(wrong.length / 3)) + 1
  for (const name of names) {
    const parts = [name, name.slice(name.lastIndexOf('-') + 1)]
    const steps = Math.min(...parts.map((part) => stepsBetween(wrong.toLowerCase(), part)))
    if (steps < least) [meant, least] = [name, steps]
  }
  return meant === undefined ? '' : `; did you mean \`${meant}\`?`
}

/** The distance of Levenshtein between two texts; two characters that are swapped count as one. */
function stepsBetween(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)]
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= b.length; j++) {
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : at(i - 1, j) + 1
      row[j] = Math.min(
        swapped,
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
      )
    }
  }
  return at(a.length, b.length)
}
