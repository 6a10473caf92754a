/** Such characters are not seen, or move what is around them: a reader gets their escapes. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/
/** Lines of a comment are broken at spaces behind so many characters. */
const LINE_CHARS = 100

/** A character as TypeScript writes it in a string. */
const escaped = (character: string): string => {
  const hex = (character.codePointAt(0) ?? 0).toString(16)
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`
}

/** A text without such characters. */
export const visible = (text: string): string => text.replaceAll(UNSEEN, escaped)

/** A string literal of any text. */
export function stringLiteral(text: string): string {
  const inner = text.replaceAll(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')
  return `'${visible(inner)}'`
}

/** The name of a property, in quotes where it is no plain name. */
export const propertyName = (name: string): string => (IDENTIFIER.test(name) ? name : stringLiteral(name))

/** A comment for editors of any text, each line indented; nothing where there is nothing to say. */
export function docComment(text: string, indent: string): string {
  const lines = text
    .trim()
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => visible(line.replaceAll('\t', '  ')).trimEnd())
    .flatMap(wrapped)
    .map(asText)
  const [only = ''] = lines
  if (lines.length === 1) return only === '' ? '' : `${indent}/** ${only} */\n`
  const inner = lines.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}\n`).join('')
  return `${indent}/**\n${inner}${indent} */\n`
}

/** An end of the comment, tags and links, and the images and HTML of Markdown, which an editor would load or act on. */
const asText = (line: string): string =>
  line
    .replaceAll('*/', '*\\/')
    .replaceAll(/(^|[\s{])@/g, '$1\\@')
    .replaceAll('![', '!\\[')
    .replaceAll(/(?<!\\)(\\*)<(?=[a-z/!?])/gi, (all, before: string) =>
      before.length % 2 === 0 ? `${before}\\<` : all,
    )

function wrapped(line: string): string[] {
  const lines: string[] = []
  let rest = line
  while (rest.length > LINE_CHARS) {
    const before = rest.lastIndexOf(' ', LINE_CHARS)
    const at = before > 0 ? before : rest.indexOf(' ', LINE_CHARS)
    if (at === -1) break
    lines.push(rest.slice(0, at).trimEnd())
    rest = rest.slice(at + 1).trimStart()
  }
  return [...lines, rest]
}

/** The words of a text as the name of a type: `csv-stats` is `CsvStats`. */
export const typeName = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
