import { type MethodRow, methodRows, type Ns, namespaces } from '../../packages/contract/src/index.ts'
import { sharedTypes } from '../../packages/contract/src/methods/shared-types.ts'
import { toolName } from '../../packages/contract/src/methods/tools.ts'
import { accessWords } from './access.ts'
import { comment, descriptionOf, factsOf, type TypeNames, tsType, type ZodType } from './ts-type.ts'

/** Types that are written by hand, because an app adds to them: `known-tools.ts`. */
const known = [[toolName._zod.def as unknown, 'ToolName']] as const

const names: TypeNames = new Map([
  ...Object.entries(sharedTypes).map(([name, schema]) => [schema._zod.def as unknown, name] as const),
  ...known,
])

/** A method with the name of its namespace, its own, and what its types are called. */
interface Entry {
  readonly ns: string
  readonly name: string
  readonly row: MethodRow
  readonly args: string
  readonly result: string
}

/** The source of the types of the client: what an editor shows, and the compiler names in its errors. */
export function clientTypes(): string {
  const entries = methodRows().map(([ns, name, row]) => entryOf(ns, name, row))
  const spaces = [...Map.groupBy(entries, ({ ns }) => ns)]
  return [
    '// Made from the tables of packages/contract by `npm run reference`; change the tables, not this file.',
    "import type { CallOptions } from './call-options.ts'\nimport type { KnownCall, KnownResult, ToolName } from './known-tools.ts'",
    '/** No fields. */\nexport type Nothing = Record<string, never>',
    ...Object.entries(sharedTypes).map(([name, schema]) =>
      declared(name, descriptionOf(schema) ?? '', schema, 'output', name),
    ),
    ...entries.flatMap(typesOf),
    ...spaces.flatMap(([ns, methods]) => interfacesOf(ns, methods)),
    `/** The methods of the host by namespace: \`client.storage.get({ key })\`. */\nexport interface Client {\n${spaces
      .map(([ns]) => `${comment(namespaces[ns as Ns], '  ')}  readonly ${ns}: ${pascal(ns)}Client\n`)
      .join('')}}`,
    `/** A method of the host by its whole name, such as \`storage.get\`. */\nexport type MethodName =\n${entries
      .map(({ ns, name }) => `  | '${ns}.${name}'`)
      .join('\n')}`,
  ].join('\n\n')
}

function entryOf(ns: string, name: string, row: MethodRow): Entry {
  const whole = pascal(`${ns}.${name}`)
  const isEmpty = Object.keys(row.args.shape).length === 0
  const args = row.stub || isEmpty ? 'Nothing' : (names.get(row.args._zod.def) ?? `${whole}Args`)
  const own = tsType(row.result, 'output', names)
  const hasName = !own.includes('\n') && /^[A-Z]\w*$/.test(own)
  return { ns, name, row, args, result: row.stub ? 'Nothing' : hasName ? own : `${whole}Result` }
}

/** The types of a method's arguments and result that have no name yet. */
function typesOf({ ns, name, row, args, result }: Entry): string[] {
  const of = `\`svc.${ns}.${name}\``
  const whole = pascal(`${ns}.${name}`)
  return [
    ...(args === `${whole}Args` ? [declared(args, `Arguments of ${of}.`, row.args, 'input')] : []),
    ...(result === `${whole}Result` && !row.typed
      ? [declared(result, `Result of ${of}.`, row.result, 'output')]
      : []),
  ]
}

function declared(name: string, doc: string, schema: ZodType, io: 'input' | 'output', self?: string): string {
  const others: TypeNames = self ? new Map([...names].filter(([, other]) => other !== self)) : names
  const type = tsType(schema, io, others)
  const isObject = type.startsWith('{') && schema._zod.def.type === 'object'
  return `${comment(doc, '')}export ${isObject ? `interface ${name} ${type}` : `type ${name} = ${type}`}`
}

/** The interface of a namespace, after those of its names with a dot: `session.create` is in `AgentSessionClient`. */
function interfacesOf(ns: string, entries: readonly Entry[]): string[] {
  const plain = entries.filter(({ name }) => !name.includes('.'))
  const heads = Map.groupBy(
    entries.filter(({ name }) => name.includes('.')),
    ({ name }) => name.slice(0, name.indexOf('.')),
  )
  const inner = [...heads].map(([head, group]) => {
    const methods = group.map((entry) => signature(entry, entry.name.slice(head.length + 1))).join('\n')
    return `/** The methods of \`svc.${ns}.${head}\`. */\nexport interface ${pascal(`${ns}.${head}`)}Client {\n${methods}}`
  })
  const nested = [...heads.keys()].map(
    (head) =>
      `  /** The methods of \`svc.${ns}.${head}\`. */\n  readonly ${head}: ${pascal(`${ns}.${head}`)}Client\n`,
  )
  const body = [...plain.map((entry) => signature(entry, entry.name)), ...nested].join('\n')
  return [...inner, `${comment(namespaces[ns as Ns], '')}export interface ${pascal(ns)}Client {\n${body}}`]
}

function signature(entry: Entry, name: string): string {
  const { ns, row, args, result } = entry
  const mark = isAllOptional(row) ? '?' : ''
  const generics = [
    ...(row.typed ? ['Result extends object = Record<string, unknown>'] : []),
    ...(row.namesTool ? ['Id extends string = string', 'Tool extends string = string'] : []),
  ]
  const generic = generics.length > 0 ? `<${generics.join(', ')}>` : ''
  const taken = row.namesTool ? `KnownCall<${args}, Id, Tool>` : args
  const given = row.typed && row.namesTool ? 'KnownResult<Result, Id, Tool>' : row.typed ? 'Result' : result
  return `${methodComment(ns, entry.name, row)}  ${name}${generic}(args${mark}: ${taken}, options?: CallOptions): Promise<${given}>\n`
}

const isAllOptional = (row: MethodRow) => row.stub === true || row.args.safeParse({}).success

function methodComment(ns: string, name: string, row: MethodRow): string {
  const parameters = row.stub
    ? []
    : Object.entries(row.args.shape).map(([key, schema]) => {
        const facts = [descriptionOf(schema), ...factsOf(schema, 'input')].filter(Boolean).join(' ')
        return `@param args.${key} ${facts}`
      })
  const errors = row.errors?.map((code) => `\`${code}\``).join(', ')
  const lines = [
    ...wrapped(row.doc),
    '',
    ...wrapped(accessWords(ns, name, row)),
    '',
    ...parameters.flatMap(wrapped),
    ...(errors ? wrapped(`@throws HostRpcError ${errors}`) : []),
    ...(row.example ? ['@example', '```ts', ...row.example.split('\n'), '```'] : []),
  ]
  while (lines.at(-1) === '') lines.pop()
  return `  /**\n${lines.map((line) => `   *${line && ` ${line}`}\n`).join('')}   */\n`
}

const LINE_CHARS = 100

/** A text in lines of at most `LINE_CHARS` characters, broken at spaces. */
function wrapped(text: string): string[] {
  const lines: string[] = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line && line.length + 1 + word.length > LINE_CHARS) lines.push(word)
    else lines[lines.length - 1] = line ? `${line} ${word}` : word
  }
  return lines
}

/** `agent.session.create` → `AgentSessionCreate`, `set_title` → `SetTitle`. */
const pascal = (name: string) =>
  name.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())
