import { linesOf, matchLines } from './lines.ts'

/** A merged text, and in how many places both sides had changed the same lines. */
export interface Merged {
  readonly text: string
  readonly clashes: number
}

/**
 * Merges two texts that both come from `base`: a change of one side is taken; where both changed the same lines
 * in different ways, both versions stand there, mine first.
 */
export function merge(base: string, mine: string, theirs: string): Merged {
  const [from, left, right] = [linesOf(base), linesOf(mine), linesOf(theirs)]
  const inLeft = counterparts(from, left)
  const inRight = counterparts(from, right)
  const merged: string[] = []
  let clashes = 0
  let [atBase, atLeft, atRight] = [0, 0, 0]

  /** Takes the stretch up to these places, where nothing of the base stands unchanged on both sides. */
  function take(toBase: number, toLeft: number, toRight: number): void {
    const was = from.slice(atBase, toBase)
    const mineNow = left.slice(atLeft, toLeft)
    const theirsNow = right.slice(atRight, toRight)
    if (isSame(mineNow, theirsNow) || isSame(theirsNow, was)) merged.push(...mineNow)
    else if (isSame(mineNow, was)) merged.push(...theirsNow)
    else {
      merged.push(...mineNow, ...theirsNow)
      clashes++
    }
  }

  for (const line of from.keys()) {
    const [toLeft, toRight] = [inLeft.get(line), inRight.get(line)]
    if (toLeft === undefined || toRight === undefined) continue
    take(line, toLeft, toRight)
    merged.push(left[toLeft] ?? '')
    ;[atBase, atLeft, atRight] = [line + 1, toLeft + 1, toRight + 1]
  }
  take(from.length, left.length, right.length)
  return { text: merged.join('\n'), clashes }
}

/** Line of the base → the same line in the other text. */
function counterparts(base: readonly string[], other: readonly string[]): Map<number, number> {
  return new Map(
    matchLines(base, other).flatMap(({ a, b, length }) =>
      Array.from({ length }, (_line, at): [number, number] => [a + at, b + at]),
    ),
  )
}

const isSame = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((line, at) => line === b[at])
