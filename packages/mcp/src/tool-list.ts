import { createHash } from 'node:crypto'
import { limits } from '@svc/contract/limits'
import { isToolName, type ToolDescription, type ToolParameter } from '@svc/contract/stdio'
import { cutText } from '@svc/contract/visible-text'
import { payloadSchema } from './output-schema.ts'

/** The members of an object of JSON. */
export type Fields = Readonly<Record<string, unknown>>

/**
 * The tools of an MCP server as a plugin describes them: the input schema as it is, parameters read from its
 * properties. A tool whose name our wire does not take has another there, which `renamed` leads back from. The second of
 * a name, and one that runs only as an MCP task are left out, and `leaveOut` is told why; a field that is too long is cut.
 */
export function toolsOf(
  list: readonly unknown[],
  leaveOut: (sentence: string) => void,
  renamed: Map<string, string>,
): ToolDescription[] {
  const byName = new Map<string, ToolDescription>()
  let tooMany = 0
  for (const one of list) {
    const tool = fieldsOf(one) ?? {}
    const own = String(tool.name)
    const name = isToolName(own) ? own : newName(own)
    const wrong = whyNot(tool, name, byName)
    if (wrong === MANY) tooMany += 1
    else if (wrong) leaveOut(`left out the tool ${shown(tool.name)}: ${wrong}`)
    else byName.set(name, describeTool(name, tool))
    if (!wrong && isLong(tool)) leaveOut(`cut the description of the tool ${shown(own)}: ${tooLong}`)
    if (!wrong && name !== own) renamed.set(name, own)
  }
  if (tooMany > 0) leaveOut(`left out ${tooMany} tools: ${MANY}`)
  return [...byName.values()]
}

const MANY = `a plugin has at most ${limits.DESCRIBE_TOOLS_MAX} tools`
const HASH_CHARS = 8
const RENAMED = new RegExp(`-[0-9a-f]{${HASH_CHARS}}$`)

/** Whether a name may be one of `newName`. */
export const mayBeRenamed = (name: string): boolean => RENAMED.test(name)

/** A name that our wire takes: the same for the same tool, whatever else its server has, because users allow it by name. */
function newName(own: string): string {
  const hash = createHash('sha256').update(own).digest('hex').slice(0, HASH_CHARS)
  const kept = own.replace(/[^\w.-]+/g, '_').slice(0, limits.TOOL_NAME_MAX_CHARS - HASH_CHARS - 1)
  return `${kept}-${hash}`
}

function whyNot(
  { name: own, execution }: Fields,
  name: string,
  taken: ReadonlyMap<string, unknown>,
): string | false {
  if (typeof own !== 'string' || own === '') return 'its name must be a string that is not empty'
  return (
    (name === '__proto__' && 'no tool may have this name') ||
    (own.length > limits.TOOL_ID_MAX_CHARS &&
      `its name must be at most ${limits.TOOL_ID_MAX_CHARS} characters, got ${own.length}`) ||
    (taken.has(name) && 'another one has its name') ||
    (taken.size >= limits.DESCRIBE_TOOLS_MAX && MANY) ||
    (fieldsOf(execution)?.taskSupport === 'required' && 'it runs only as an MCP task')
  )
}

function describeTool(
  name: string,
  { title, description, inputSchema, outputSchema, annotations }: Fields,
): ToolDescription {
  const text = textOf(description) ?? textOf(title)
  const schema = fieldsOf(inputSchema)
  const output = payloadSchema(fieldsOf(outputSchema))
  return {
    name,
    ...(typeof title === 'string' && text !== title && { title }),
    ...(text !== undefined && { description: text }),
    ...(fieldsOf(annotations) && { annotations: hintsOf(annotations) }),
    parameters: schema ? parametersOf(schema) : [],
    ...(schema && { input_schema: schema }),
    ...(output && { output_schema: output }),
    ...(fieldsOf(annotations)?.destructiveHint === true && { destructive: true }),
  }
}

/** What MCP has of hints, and no more: a description has its bounds. */
const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']
const hintsOf = (annotations: unknown): Fields =>
  Object.fromEntries(
    HINTS.flatMap((hint) =>
      typeof Object(annotations)[hint] === 'boolean' ? [[hint, Object(annotations)[hint]]] : [],
    ),
  )

function parametersOf(schema: Fields): ToolParameter[] {
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(fieldsOf(schema.properties) ?? {})
    .filter(([name]) => name !== '' && name !== '__proto__' && name.length <= limits.TOOL_ID_MAX_CHARS)
    .slice(0, limits.DESCRIBE_PARAMETERS_MAX)
    .map(([name, property]) => {
      const { type, description, enum: values, default: preset } = fieldsOf(property) ?? {}
      const text = textOf(description)
      return {
        name,
        type: typeOf(type),
        ...(required.includes(name) && { required: true }),
        ...(text !== undefined && { description: text }),
        ...(Array.isArray(values) && { enum: values }),
        ...(preset !== undefined && { default: preset }),
      }
    })
}

/** The first type that is not null; a property that may be anything says so. */
function typeOf(type: unknown): string {
  const types = [type].flat().filter((one) => typeof one === 'string' && one !== 'null')
  return typeof types[0] === 'string' ? types[0] : 'any'
}

const textOf = (text: unknown) =>
  typeof text === 'string' ? cutText(text, limits.DESCRIPTION_MAX_CHARS) : undefined

const tooLong = `the most is ${limits.DESCRIPTION_MAX_CHARS} characters`
const isLong = ({ description }: Fields) =>
  typeof description === 'string' && description.length > limits.DESCRIPTION_MAX_CHARS

const shown = (name: unknown) =>
  (JSON.stringify(name) ?? 'without a name').slice(0, limits.ARGUMENT_SHOWN_CHARS)

/** An object that is no array, or nothing. */
export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}
