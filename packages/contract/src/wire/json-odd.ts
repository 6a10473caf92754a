const NO_NUMBER = 'JSON has no such number'

/** Words of other languages, and what JSON has in their place. */
const words: ReadonlyMap<string, string> = new Map([
  ['undefined', 'write null, or leave it out'],
  ['none', 'write null'],
  ['nil', 'write null'],
  ['null', 'write null'],
  ['true', 'write true'],
  ['false', 'write false'],
  ['nan', NO_NUMBER],
  ['inf', NO_NUMBER],
  ['infinity', NO_NUMBER],
])

const LIKE_NUMBER = /[+-]?\.?\d[\w.+-]*|[+-]/y
const WORD = /[+-]?[\p{L}_$][\p{L}\d_$-]*/uy
const TOKEN = /"[^"]*"?|[^\s,:{}[\]"]+|[\s\S]/y
const MERGE_MARK = /(?:<{7}|={7}|>{7}|\|{7})(?=\s|$)/y
const SHOWN_CHARS = 40

/** Describes what is in place of a name or a value, as the end of a sentence: `has a text in ' quotes; …`. */
export function oddItem(text: string, at: number, due: 'a name' | 'a value'): string {
  const sign = String.fromCodePoint(text.codePointAt(at) ?? 0)
  if (/['`]/.test(sign)) return `has a text in ${sign} quotes; JSON takes "double quotes"`
  if (sign === ',') return 'has a comma with nothing before it'
  const number = matchAt(LIKE_NUMBER, text, at)
  if (number !== '' && due === 'a value' && !/^[+-]$/.test(number))
    return `has the number ${shown(number)}; JSON writes numbers as 12, -0.5 or 1e3`
  const word = matchAt(WORD, text, at)
  if (word !== '' && due === 'a name')
    return `has the name ${shown(word)} without quotes; write "${shown(word)}"`
  const better = words.get(word.toLowerCase().replace(/^[+-]/, '')) ?? 'a text is in "double quotes"'
  if (word !== '') return `has ${shown(word)} as a value; ${better}`
  return `has ${shown(matchAt(TOKEN, text, at))} where ${due}${due === 'a name' ? ' in double quotes' : ''} should be`
}

/** Describes what JSON has nowhere outside of its texts; `null`: nothing such is there. */
export function oddAnywhere(text: string, at: number): string | null {
  const sign = String.fromCodePoint(text.codePointAt(at) ?? 0)
  if (sign === '#' || /^\/[/*]/.test(text.slice(at, at + 2)) || text.startsWith('<!--', at))
    return 'has a comment; JSON has none'
  if (matchAt(MERGE_MARK, text, at) !== '') return 'has the mark of a merge that was not ended'
  if (/[\p{Pi}\p{Pf}„‚＂]/u.test(sign)) return `has the typographic quote ${sign}; JSON takes the plain "`
  if (/[\p{Z}\p{Cf}\p{Cc}]/u.test(sign) && at < text.length)
    return `has the character ${codeOf(sign)}, which cannot be seen; JSON takes plain spaces`
  return null
}

/** The next piece of a text, for a sentence. */
export const tokenAt = (text: string, at: number): string => shown(matchAt(TOKEN, text, at))

/** A character as `U+00A0`. */
export const codeOf = (sign: string): string =>
  `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** A piece of a text, cut where it is long. */
export const shown = (text: string): string =>
  text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text

/** What a sticky pattern finds at a place; empty: nothing. */
export function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}
