import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { type EventRow, events } from '../../packages/contract/src/index.ts'
import { code, table } from './table.ts'

const SOURCE = 'packages/contract/src/events.ts'
const listeners = { bundle: 'page and bundle', page: 'page' } as const

/** Every event of the event stream. */
export function eventsPage(): string {
  const shapes = membersOf('EventPayloads')
  const rows = Object.entries<EventRow>(events).map(([name, row]) => [
    code(name),
    listeners[row.to],
    code(shapes.get(name) ?? '{}'),
    row.doc,
  ])
  const geometry = [...membersOf('Geometry')].map(([name, type]) => `${name}: ${type}`).join(', ')
  return `# Events

One event is flat JSON, \`{type, window_uuid, …}\` with the fields below. The page hears every event of its windows; a
bundle hears those of its own window that are marked so. \`Geometry\` is \`{${geometry}}\`.

${table(['Type', 'Heard by', 'Fields', 'When'], rows)}`
}

/** The members of an interface in the source, name → type on one line: types are gone when the table is loaded. */
function membersOf(name: string): Map<string, string> {
  const file = ts.createSourceFile(SOURCE, readFileSync(SOURCE, 'utf8'), ts.ScriptTarget.Latest, true)
  const found = file.statements.find(
    (node): node is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(node) && node.name.text === name,
  )
  if (!found) throw new Error(`${SOURCE} has no interface ${name}`)
  const members = found.members.filter(ts.isPropertySignature)
  return new Map(
    members.map(({ name: key, type }) => [nameText(key), typeText(type?.getText(file) ?? 'any')]),
  )
}

const nameText = (name: ts.PropertyName) => (ts.isStringLiteral(name) ? name.text : name.getText())

const typeText = (text: string) =>
  text === 'Readonly<Record<never, never>>'
    ? '{}'
    : text
        .replaceAll('readonly ', '')
        .replaceAll('Readonly<Record<string, unknown>>', 'object')
        .replaceAll('unknown', 'any')
        .replaceAll(/\s*[;\n]\s*/g, ', ')
        .replaceAll(/\{[\s,]*/g, '{')
        .replaceAll(/[\s,]*\}/g, '}')
