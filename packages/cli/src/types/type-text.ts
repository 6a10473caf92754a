/** A type as text; what it is put together from says where a larger type needs parentheses. */
export interface TypeText {
  readonly text: string
  /** Of a union: the types that it is any of. */
  readonly members?: readonly TypeText[]
  readonly isIntersection?: true
}

/** A union that is longer has a line for each of its members. */
const LINE_CHARS = 90

export const one = (text: string): TypeText => ({ text })

export const UNKNOWN = one('unknown')
export const NEVER = one('never')

/** Each text once. */
const unique = (types: readonly TypeText[]): Map<string, TypeText> =>
  new Map(types.map((type) => [type.text, type]))

/** Any of some types; `indent` is that of the line on which the union begins. */
export function union(types: readonly TypeText[], indent: string): TypeText {
  const texts = unique(types.flatMap((type) => type.members ?? [type]))
  texts.delete(NEVER.text)
  const members = [...texts.values()]
  const [first = NEVER] = members
  if (texts.has(UNKNOWN.text)) return UNKNOWN
  if (members.length < 2) return first
  const written = members.map(({ text, isIntersection }) => (isIntersection ? `(${text})` : text))
  const line = written.join(' | ')
  const isShort = line.includes('\n') || line.length <= LINE_CHARS
  return { text: isShort ? line : written.map((text) => `\n${indent}  | ${text}`).join(''), members }
}

/** All of some types at once. */
export function intersection(types: readonly TypeText[]): TypeText {
  const texts = unique(types)
  texts.delete(UNKNOWN.text)
  const all = [...texts.values()]
  const [first = UNKNOWN] = all
  if (texts.has(NEVER.text)) return NEVER
  if (all.length < 2) return first
  return {
    text: all.map(({ text, members }) => (members ? `(${text})` : text)).join(' & '),
    isIntersection: true,
  }
}

export const arrayOf = ({ text, members, isIntersection }: TypeText): TypeText =>
  one(members || isIntersection ? `(${text})[]` : `${text}[]`)

/** The type of a constant; of an object or array only what it is. */
export function literal(value: unknown, write: (text: string) => string): TypeText {
  if (typeof value === 'string') return one(write(value))
  if (typeof value === 'number') return one(Number.isFinite(value) ? String(value) : 'number')
  if (Array.isArray(value)) return one('unknown[]')
  return one(typeof value === 'object' && value !== null ? 'Record<string, unknown>' : String(value))
}

/** What follows the name of a member, or of an alias with ` =`; a union of several lines begins on the next one. */
export const colon = ({ text }: TypeText, mark = ':'): string =>
  `${mark}${text.startsWith('\n') ? '' : ' '}${text}`
