/** A piece of a text, and whether the other text has it too. */
export interface Piece {
  readonly text: string
  readonly common: boolean
}

/** Cuts two texts into pieces that they share, in their order, and pieces that only one has; words are compared. */
export function commonWords(a: string, b: string): [Piece[], Piece[]] {
  const [left, right] = [tokensOf(a), tokensOf(b)]
  const rows = [Array.from(right, () => 0).concat(0)]
  // From the end, so that the way through can be walked from the beginning.
  for (const word of left.toReversed()) {
    const below = rows[0] ?? []
    const row = below.slice()
    for (let at = right.length - 1; at >= 0; at--)
      row[at] = same(word, right[at]) ? (below[at + 1] ?? 0) + 1 : Math.max(below[at] ?? 0, row[at + 1] ?? 0)
    rows.unshift(row)
  }
  const common: [Set<number>, Set<number>] = [new Set(), new Set()]
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    if (same(left[i], right[j])) {
      common[0].add(i++)
      common[1].add(j++)
    } else if ((rows[i + 1]?.[j] ?? 0) >= (rows[i]?.[j + 1] ?? 0)) i++
    else j++
  }
  return [piecesOf(left, common[0]), piecesOf(right, common[1])]
}

/** A text cut behind each word: `red, white` → `red, `, `white`. */
const tokensOf = (text: string): string[] =>
  text.match(/[^\p{L}]*\p{L}+[^\p{L}]*$|[^\p{L}]*\p{L}+|.+/gsu) ?? []

const wordOf = (token: string | undefined) => token?.match(/\p{L}+/u)?.[0].toLowerCase()
const same = (a: string | undefined, b: string | undefined) =>
  wordOf(a) !== undefined && wordOf(a) === wordOf(b)

/** Neighbours of one kind become one piece. */
function piecesOf(tokens: readonly string[], common: ReadonlySet<number>): Piece[] {
  const pieces: { text: string; common: boolean }[] = []
  for (const [at, text] of tokens.entries()) {
    const last = pieces.at(-1)
    if (last && last.common === common.has(at)) last.text += text
    else pieces.push({ text, common: common.has(at) })
  }
  return pieces
}
