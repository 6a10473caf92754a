/**
 * Compares two texts by code point: negative, zero or positive. JavaScript's own `<` compares UTF-16 units, which
 * puts the characters past U+FFFF below U+E000 … U+FFFF; Python compares code points. Surrogates must stand in pairs.
 */
export function compareCodePoints(a: string, b: string): number {
  const shared = Math.min(a.length, b.length)
  for (let at = 0; at < shared; at++) {
    const left = a.charCodeAt(at)
    const right = b.charCodeAt(at)
    if (left !== right) return rank(left) - rank(right)
  }
  return a.length - b.length
}

/** A UTF-16 unit's place among code points: surrogates, which begin the highest ones, move above all others. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}

/** The text itself, or its first `max - 1` code points and `…`; a pair of surrogates is never parted. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  // A code point takes two units at most, so these units hold all that can be kept and show whether more follows.
  const points = Array.from(text.slice(0, 2 * max + 2))
  return points.length <= max ? text : `${points.slice(0, max - 1).join('')}…`
}
