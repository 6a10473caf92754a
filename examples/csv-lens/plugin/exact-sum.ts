/**
 * The sum of the numbers as if added without any error and rounded once at the end, half to even. It keeps the
 * errors of each addition as further numbers (Shewchuk 1997); Python's `math.fsum` gives the same bits.
 *
 * @param values finite, and no partial sum of them past the range of a double
 */
export function exactSum(values: Iterable<number>): number {
  const parts: number[] = []
  for (const value of values) {
    let high = value
    let kept = 0
    for (const part of parts) {
      const [sum, error] = twoSum(high, part)
      if (error !== 0) parts[kept++] = error
      high = sum
    }
    parts.length = kept
    parts.push(high)
  }
  return rounded(parts)
}

/** The rounded sum of two numbers and what rounding took from it. */
function twoSum(a: number, b: number): [sum: number, error: number] {
  const [large, small] = Math.abs(a) < Math.abs(b) ? [b, a] : [a, b]
  const sum = large + small
  return [sum, small - (sum - large)]
}

/** Adds parts that do not overlap, the smallest first, into the nearest double. */
function rounded(parts: readonly number[]): number {
  let at = parts.length - 1
  let total = parts[at] ?? 0
  while (at > 0) {
    at--
    const [sum, error] = twoSum(total, parts[at] ?? 0)
    total = sum
    if (error === 0) continue
    // Halfway between two doubles, the sign of the parts below decides, not the even one.
    const below = parts[at - 1] ?? 0
    if (Math.sign(error) === Math.sign(below)) {
      const up = total + 2 * error
      if (2 * error === up - total) total = up
    }
    break
  }
  return total
}
