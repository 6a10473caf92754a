import { readFileSync } from 'node:fs'
import ts from 'typescript'

/** An interface in a source: types are gone when a table is loaded, so the page reads them where they stand. */
export interface Shape {
  /** Its first comment, on one line. */
  readonly doc: string
  /** Name, with `?` where it may be left out → type on one line. */
  readonly members: ReadonlyMap<string, string>
}

/** Reads an interface of a source file by its name. Throws where there is none. */
export function readInterface(source: string, name: string): Shape {
  const file = ts.createSourceFile(source, readFileSync(source, 'utf8'), ts.ScriptTarget.Latest, true)
  const found = file.statements.find(
    (node): node is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(node) && node.name.text === name,
  )
  if (!found) throw new Error(`${source} has no interface ${name}`)
  const members = found.members.filter(ts.isPropertySignature)
  return {
    doc: ts
      .getJSDocCommentsAndTags(found)
      .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '')
      .join(' ')
      .replaceAll(/\s+/g, ' '),
    members: new Map(
      members.map(({ name: key, type, questionToken }) => [
        `${nameText(key)}${questionToken ? '?' : ''}`,
        typeText(type?.getText(file) ?? 'any'),
      ]),
    ),
  }
}

const nameText = (name: ts.PropertyName) => (ts.isStringLiteral(name) ? name.text : name.getText())

const typeText = (text: string) =>
  text === 'Readonly<Record<never, never>>'
    ? '{}'
    : text
        .replaceAll(/\/\*\*.*?\*\//gs, '')
        .replaceAll('readonly ', '')
        .replaceAll('Readonly<Record<string, unknown>>', 'object')
        .replaceAll('typeof JSONRPC', '"2.0"')
        .replaceAll('unknown', 'any')
        .replaceAll(/\s*[;\n]\s*/g, ', ')
        .replaceAll(/\{[\s,]*/g, '{')
        .replaceAll(/[\s,]*\}/g, '}')
