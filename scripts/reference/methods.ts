import { type MethodRow, methodRows } from '../../packages/contract/src/index.ts'
import { accessWords } from './access.ts'
import { type Schema, typeText } from './schema.ts'
import { code, table } from './table.ts'

/** Every method with its access, arguments and result. */
export function methodsPage(): string {
  const namespaces = Map.groupBy(methodRows(), ([ns]) => ns)
  const sections = [...namespaces].map(([ns, rows]) => {
    const parts = rows.map(([, name, row]) => methodPart(ns, name, row))
    return `## ${ns}\n\n${parts.join('\n\n')}`
  })
  return `# Methods

A bundle calls \`svc.<namespace>.<method>(args, { timeoutMs?, signal? })\`. *Slow* methods travel on connections of
their own. Methods *in order* take effect in the order in which a document calls them. \`?\` marks what may be left
out; a range is in brackets. What a method is *counted as* bounds how many there may be in a time ([rates](limits.md#rates)). Besides the errors that a method names, any call can fail with \`invalid_arg\`,
\`permission_denied\`, \`rate_limited\`, \`invalid_token\` and \`internal_error\`, and in the client with \`timeout\`,
\`cancelled\`, \`bridge_reset\`, \`not_hosted\` and \`host_unreachable\`.

${sections.join('\n\n')}`
}

function methodPart(ns: string, method: string, row: MethodRow): string {
  const marks = [
    row.slow && 'Slow.',
    row.effect && 'In order.',
    row.rate && `Counted as \`${row.rate}\`.`,
    row.since && `Since ${row.since}.`,
  ]
  const facts = [row.doc, accessWords(ns, method, row), ...marks].filter(Boolean).join(' ')
  const head = `### ${ns}.${method}\n\n${facts}`
  if (row.stub) return head
  const result = `Result: ${code(typeText(toSchema(row.result, 'output')))}`
  return [head, argsPart(row), result, errorsPart(row), examplePart(row)].filter(Boolean).join('\n\n')
}

const errorsPart = ({ errors = [] }: MethodRow) =>
  errors.length === 0 ? '' : `Fails with: ${errors.map((name) => `[${code(name)}](errors.md)`).join(', ')}.`

const examplePart = ({ example }: MethodRow) => (example ? `\`\`\`ts\n${example}\n\`\`\`` : '')

function argsPart(row: MethodRow): string {
  return [argsTable(row.args), aliasPart(row), verbatimPart(row)].filter(Boolean).join('\n\n')
}

function verbatimPart({ verbatim = [] }: MethodRow): string {
  return verbatim.length === 0
    ? ''
    : `Goes on as the JSON text that it came as: ${verbatim.map(code).join(', ')}.`
}

/** The arguments that a schema takes. */
export function argsTable(args: MethodRow['args']): string {
  const { properties = {}, required = [] } = toSchema(args, 'input')
  const rows = Object.entries(properties).map(([name, schema]) => [
    code(required.includes(name) ? name : `${name}?`),
    code(typeText(schema)),
    schema.default === undefined ? '' : code(JSON.stringify(schema.default)),
    schema.description ?? '',
  ])
  if (rows.length === 0) return 'No arguments.'
  const columns = rows.some(([, , , text]) => text) ? 4 : 3
  return table(
    ['Argument', 'Type', 'Default', 'What it is'].slice(0, columns),
    rows.map((row) => row.slice(0, columns)),
  )
}

function aliasPart({ aliases = {} }: MethodRow): string {
  const names = Object.entries(aliases).map(([alias, name]) => `${code(alias)} for ${code(name)}`)
  return names.length === 0 ? '' : `Also read where the argument is absent: ${names.join(', ')}.`
}

const toSchema = (type: MethodRow['args' | 'result'], io: 'input' | 'output') =>
  type.toJSONSchema({ io, unrepresentable: 'any' }) as Schema
