import { type Access, type MethodRow, methodRows } from '../../packages/contract/src/index.ts'
import { type Schema, typeText } from './schema.ts'
import { code, table } from './table.ts'

const accessWords: Readonly<Record<Access, string>> = {
  always: 'always allowed',
  declared: 'when the manifest declares it',
  plugs: 'when the manifest declares a plug or `ui.host_api.tools`',
  submode: 'when the manifest enables an agent submode',
  image_grant: 'when declared and granted (`image_grant`)',
  upload_grant: 'when declared and granted (`upload_grant`)',
  web_grant: 'when declared and granted (`web_grant`)',
  credentials_grant: 'when declared and granted (`credentials_grant`)',
}

/** Every method with its access, arguments and result. */
export function methodsPage(): string {
  const namespaces = Map.groupBy(methodRows(), ([ns]) => ns)
  const sections = [...namespaces].map(([ns, rows]) => {
    const parts = rows.map(([, name, row]) => methodPart(`${ns}.${name}`, row))
    return `## ${ns}\n\n${parts.join('\n\n')}`
  })
  return `# Methods

A bundle calls \`svc.<namespace>.<method>(args, { timeoutMs?, signal? })\`. *Slow* methods travel on connections of
their own. \`?\` marks what may be left out, a number range stands in brackets.

${sections.join('\n\n')}`
}

function methodPart(name: string, row: MethodRow): string {
  const marks = [
    accessWords[row.access],
    row.slow && 'slow',
    row.stub && 'not offered',
    row.since && `since ${row.since}`,
    row.declaredBy && `declared as \`${row.declaredBy}\``,
  ]
  const facts = `Access: ${marks.filter(Boolean).join('; ')}.`
  if (row.stub) return `### ${name}\n\n${row.doc} ${facts}`
  const result = `Result: ${code(typeText(toSchema(row.result, 'output')))}`
  return [`### ${name}`, `${row.doc} ${facts}`, argsPart(row), result].filter(Boolean).join('\n\n')
}

function argsPart(row: MethodRow): string {
  return [argsTable(row.args), aliasPart(row)].filter(Boolean).join('\n\n')
}

/** The arguments that a schema takes. */
export function argsTable(args: MethodRow['args']): string {
  const { properties = {}, required = [] } = toSchema(args, 'input')
  const rows = Object.entries(properties).map(([name, schema]) => [
    code(required.includes(name) ? name : `${name}?`),
    code(typeText(schema)),
    schema.default === undefined ? '' : code(JSON.stringify(schema.default)),
  ])
  return rows.length === 0 ? 'No arguments.' : table(['Argument', 'Type', 'Default'], rows)
}

function aliasPart({ aliases = {} }: MethodRow): string {
  const names = Object.entries(aliases).map(([alias, name]) => `${code(alias)} for ${code(name)}`)
  return names.length === 0 ? '' : `Also read where the argument is absent: ${names.join(', ')}.`
}

const toSchema = (type: MethodRow['args' | 'result'], io: 'input' | 'output') =>
  type.toJSONSchema({ io, unrepresentable: 'any' }) as Schema
