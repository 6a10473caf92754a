import { limits } from '@svc/contract/limits'
import type { ToolDescription, ToolParameter } from '@svc/contract/stdio'
import { payloadSchema } from './output-schema.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * The tools of an MCP server as a plugin describes them: the input schema as it is, parameters read from its
 * properties. A tool whose name our wire does not take, the second of a name, and one that runs only as an MCP task
 * are left out, and `leaveOut` is told why; a field that is too long is cut.
 */
export function toolsOf(list: readonly unknown[], leaveOut: (sentence: string) => void): ToolDescription[] {
  const byName = new Map<string, ToolDescription>()
  for (const one of list) {
    const tool = fieldsOf(one) ?? {}
    const wrong = whyNot(tool, byName)
    if (wrong) leaveOut(`left out the tool ${shown(tool.name)}: ${wrong}`)
    else byName.set(String(tool.name), describeTool(String(tool.name), tool))
  }
  return [...byName.values()]
}

function whyNot({ name, execution }: Fields, taken: ReadonlyMap<string, unknown>): string | false {
  if (typeof name !== 'string' || name === '') return 'its name must be a string that is not empty'
  return (
    (name === '__proto__' && 'no tool may have this name') ||
    (name.length > limits.TOOL_ID_MAX_CHARS &&
      `its name must be at most ${limits.TOOL_ID_MAX_CHARS} characters, got ${name.length}`) ||
    (taken.has(name) && 'another one has its name') ||
    (taken.size >= limits.DESCRIBE_TOOLS_MAX && `a plugin has at most ${limits.DESCRIBE_TOOLS_MAX} tools`) ||
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
    ...(text !== undefined && { description: text }),
    parameters: schema ? parametersOf(schema) : [],
    ...(schema && { input_schema: schema }),
    ...(output && { output_schema: output }),
    ...(fieldsOf(annotations)?.destructiveHint === true && { destructive: true }),
  }
}

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
  typeof text === 'string' ? text.slice(0, limits.DESCRIPTION_MAX_CHARS) : undefined

const shown = (name: unknown) =>
  (JSON.stringify(name) ?? 'without a name').slice(0, limits.ARGUMENT_SHOWN_CHARS)

/** An object that is no array, or nothing. */
export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}
