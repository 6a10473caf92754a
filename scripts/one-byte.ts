import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type Ts from 'typescript'

/**
 * Writes what is beyond ASCII as escapes, which regular expressions and comments take as well; strings have them already.
 * A process holds a source with two bytes for each character if one of them needs two.
 *
 * @throws Error where an escape would mean something else, with `name` and the place.
 */
export function oneByte(source: string, name: string): string {
  if (!BEYOND.test(source)) return source
  refuseUnlike(source, name)
  return source.replace(/[^\p{ASCII}]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => escaped(character.charCodeAt(at))).join(''),
  )
}

const BEYOND = /[^\p{ASCII}]/u
const escaped = (unit: number) => `\\u${unit.toString(16).padStart(4, '0')}`

/** Refuses what would be another program: a tag reads the text of its template, and an escaped character has its backslash. */
function refuseUnlike(source: string, name: string): void {
  // Most sources have nothing beyond ASCII, and most builds no need of it.
  const ts = createRequire(import.meta.url)('typescript') as typeof Ts
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS)
  function refuse(node: Ts.Node, what: string): never {
    const { line, character } = file.getLineAndCharacterOfPosition(node.getStart())
    throw new Error(`${name}:${line + 1}:${character + 1} has ${what}, which cannot be written in ASCII`)
  }
  function look(node: Ts.Node): void {
    if (ts.isTaggedTemplateExpression(node) && hasBeyond(node.template))
      refuse(node, 'a character beyond ASCII in a tagged template')
    if (canEscape(node) && ESCAPED.test(node.getText())) refuse(node, 'an escaped character beyond ASCII')
    ts.forEachChild(node, look)
  }
  const canEscape = (node: Ts.Node) =>
    ts.isRegularExpressionLiteral(node) || ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node)
  const textsOf = (template: Ts.TemplateLiteral): readonly Ts.Node[] =>
    ts.isTemplateExpression(template)
      ? [template.head, ...template.templateSpans.map(({ literal }) => literal)]
      : [template]
  const hasBeyond = (template: Ts.TemplateLiteral) =>
    textsOf(template).some((text) => BEYOND.test(text.getText()))
  look(file)
}

/** A backslash that is not escaped itself, and what it escapes. */
const ESCAPED = /(?<!\\)(?:\\\\)*\\[^\p{ASCII}]/u

/** Does so with all scripts of a folder. */
export function writeOneByte(folder: string): void {
  for (const name of globSync('**/*.{js,cjs}', { cwd: folder })) {
    const file = path.join(folder, name)
    const source = readFileSync(file, 'utf8')
    const written = oneByte(source, file)
    if (written !== source) writeFileSync(file, written)
  }
}
