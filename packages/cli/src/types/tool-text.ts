import { limits } from '@svc/contract'
import type { ToolDescription } from '@svc/contract/stdio'
import { type Fields, fieldsOf } from '../project/fields.ts'
import { failure } from '../terminal/failure.ts'
import type { Aliases } from './aliases.ts'
import { type Target, WHOLE_KEY } from './references.ts'
import { schemaProblem } from './schema-problem.ts'
import { schemaWriter } from './schema-type.ts'
import { docComment, propertyName, typeName, visible } from './ts-text.ts'
import { colon, one, type TypeText, UNKNOWN } from './type-text.ts'

const INDENT = '      '
const SHOWN_CHARS = 60
const ANY_ARGS = one('Record<string, unknown>')

/** The sentence about a tool that cannot be typed; `what` is the end of it. */
export const untypable = (plugin: string, tool: string, what: string) =>
  failure(
    'failed',
    `the tool ${shown(tool)} of the plugin ${shown(plugin)} cannot be typed: its ${what}`,
    'The author of the plugin can make it smaller.',
  )

/** A tool as a member of its plugin: its text, its arguments and its result. Errors: `failed`. */
export function toolText(plugin: string, tool: ToolDescription, aliases: Aliases): string {
  const { name, description = '', input_schema: input = {}, output_schema: output } = tool
  const problem = problemOf(tool)
  if (problem !== null) throw untypable(plugin, name, problem)
  const base = typeName(`${plugin} ${name}`)
  const args = schemaText(input, 'args', `${base}Args`, aliases)
  const result = output ? schemaText(output, 'result', `${base}Result`, aliases) : UNKNOWN
  return [
    docComment(description, INDENT),
    `${INDENT}${propertyName(name)}: {\n`,
    `${INDENT}  args${colon(args === UNKNOWN ? ANY_ARGS : args)}\n`,
    result === UNKNOWN ? '' : `${INDENT}  result${colon(payloadType(result, output))}\n`,
    `${INDENT}}\n`,
  ].join('')
}

function problemOf({ description = '', input_schema, output_schema }: ToolDescription): string | null {
  if (description.length > limits.DESCRIPTION_MAX_CHARS)
    return `description has ${description.length} characters, and the most is ${limits.DESCRIPTION_MAX_CHARS}`
  const input = schemaProblem(input_schema, limits.INPUT_SCHEMA_MAX_BYTES)
  if (input !== null) return `input_schema ${input}`
  const output = schemaProblem(output_schema, limits.OUTPUT_SCHEMA_MAX_BYTES)
  return output === null ? null : `output_schema ${output}`
}

/** What a call returns is an object, whatever its tool does. */
const payloadType = (type: TypeText, schema: Fields | undefined): TypeText =>
  schema?.type === 'object' ? type : one(`Payload<${type.text}>`)

function schemaText(schema: unknown, io: 'args' | 'result', base: string, aliases: Aliases): TypeText {
  const root = fieldsOf(schema) ?? {}
  const names = new Map<string, string>()
  const waiting: [name: string, target: Target][] = []
  function nameOf(target: Target): string {
    const known = names.get(target.key)
    if (known !== undefined) return known
    const name = aliases.name(`${base}${typeName(target.name)}`)
    names.set(target.key, name)
    waiting.push([name, target])
    return name
  }
  const write = schemaWriter(root, { io, nameOf })
  const inline = write(root, `${INDENT}  `)
  for (let next = waiting.shift(); next && !aliases.isTooLong(); next = waiting.shift()) {
    const [name, target] = next
    aliases.add(name, write(target.schema, '', 'alias'))
  }
  // What refers to itself as a whole has a name already.
  const whole = names.get(WHOLE_KEY)
  return whole === undefined ? inline : one(whole)
}

const shown = (name: string): string =>
  visible(JSON.stringify(name.length > SHOWN_CHARS ? `${name.slice(0, SHOWN_CHARS)}…` : name))
