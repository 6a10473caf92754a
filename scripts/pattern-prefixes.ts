import { type AST, RegExpParser } from '@eslint-community/regexpp'

/** Characters by which two sets are compared. */
const FIRST = 9
const LAST = 255
const characters = Array.from({ length: LAST - FIRST + 1 }, (_, at) => String.fromCodePoint(FIRST + at))

/**
 * Whether a pattern has a beginning that a repetition behind it takes as well, such as `map\[[^\]]*x`: in a text of such
 * beginnings each is followed to the end, so a search takes quadratic time. A beginning with a lookbehind is left to it.
 */
export function beginsInItsRepetition(source: string, flags: string): boolean {
  if (flags.includes('y')) return false
  const has = (part: AST.Element) => {
    const one = new RegExp(`^(?:${part.raw})$`, flags.replace('g', ''))
    return characters.filter((character) => one.test(character))
  }

  /** Whether a part can be made of these characters. */
  function isMadeOf(part: AST.Element, set: readonly string[]): boolean {
    if (part.type === 'Quantifier') return part.min === 0 || isMadeOf(part.element, set)
    if (part.type === 'Group' || part.type === 'CapturingGroup')
      return part.alternatives.some(({ elements }) => elements.every((one) => isMadeOf(one, set)))
    if (part.type === 'Assertion') return part.kind === 'word' || part.kind === 'lookahead'
    if (part.type === 'Backreference') return false
    return has(part).some((character) => set.includes(character))
  }

  function isSlow(
    { elements }: AST.Alternative,
    before: readonly AST.Element[],
    after: readonly AST.Element[],
  ): boolean {
    return elements.some((part, at) => {
      const left = [...before, ...elements.slice(0, at)]
      const right = [...elements.slice(at + 1), ...after]
      const inner = part.type === 'Quantifier' ? part.element : part
      if (inner.type === 'Group' || inner.type === 'CapturingGroup')
        return inner.alternatives.some((one) => isSlow(one, left, right))
      if (part.type !== 'Quantifier' || part.max !== Number.POSITIVE_INFINITY || left.length === 0)
        return false
      const set = has(inner)
      return left.every((one) => isMadeOf(one, set)) && right.some((one) => !isEmpty(one))
    })
  }

  const unicode = flags.includes('u')
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode })
  return pattern.alternatives.some((one) => isSlow(one, [], []))
}

/** Whether a part may match nothing. */
const isEmpty = (part: AST.Element): boolean => part.type === 'Quantifier' && part.min === 0
