/**
 * What a reader cannot see, or what turns the text around it: controls, format characters, half of a pair, ignorable and
 * blank characters, and every space but the plain one. Not the signs of Arabic and Syriac, which are seen.
 */
const UNSEEN =
  /(?![ \u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2])[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u{13441}\u{13442}\u{16fe4}\u{1d159}]/u
    .source

/** Scripts whose letters join, so that a joiner or its absence between two of them changes how both are written. */
const JOINING =
  '[\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}\\p{scx=Mymr}]'
const LETTER = `(?=${JOINING})[\\p{L}\\p{M}]`
const PICTURE = '[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]'

/** Unseen characters that a language or an emoji is written with: each only in its place, and one at a time. */
const WRITTEN = [
  `(?<=${LETTER})[\\u200c\\u200d](?=${LETTER})`,
  `(?<=${PICTURE}\\ufe0f?)\\u200d(?=${PICTURE})`,
  '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]|(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  // The flags of England, Scotland and Wales.
  '(?<=\\u{1f3f4})\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}',
].join('|')

/** What most texts are: all of it is seen. */
const PLAIN = /^[\n -~]*$/

/** Either is matched at a place; only the second is named. */
const HIDDEN = new RegExp(`${WRITTEN}|(?<hidden>${UNSEEN})`, 'gu')

const replaceHidden = (text: string, by: (hidden: string) => string): string =>
  text.replace(HIDDEN, (whole, hidden?: string) => (hidden === undefined ? whole : by(hidden)))

const escaped = (hidden: string): string =>
  [...Array(hidden.length).keys()]
    .map((at) => `\\u${hidden.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('')

/**
 * Returns a text of others as it may be shown in a terminal or a question: what is not seen, or would turn the text
 * around, as `\u202e`. In JSON that is the same value. Line ends (`\n`) stay: see `visibleLine`.
 */
export const visibleText = (text: string): string =>
  PLAIN.test(text) ? text : replaceHidden(text, (hidden) => (hidden === '\n' ? hidden : escaped(hidden)))

/** Returns the same in one line: any white space is one plain space, and there is none at the ends. */
export const visibleLine = (text: string): string => visibleText(text.replace(/\s+/gu, ' ').trim())

/** Returns a text of others between quotes, from which it cannot break out: a path, or a name. */
export const quoted = (text: string): string => visibleText(JSON.stringify(text))

/** Returns a title of others in one line without what is not seen; `''`: nothing of it is. */
export const visibleTitle = (text: string): string =>
  replaceHidden(text.replace(/\s+/gu, ' '), () => '')
    .replace(/ +/g, ' ')
    .trim()

/** Returns a text as it is, or its beginning with `…` at the end: at most `maxChars` characters, none of them cut in half. */
export function cutText(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
