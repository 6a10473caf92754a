import type { Limits } from '@svc/contract/limits'
import {
  isToolName,
  type PluginDescription,
  type ToolDescription,
  type ToolParameter,
  toolNameRule,
} from '@svc/contract/stdio'
import { cutText, quoted } from '@svc/contract/visible-text'
import { type Fields, fieldsOf } from '../lines/fields.ts'

/**
 * Reads the result of `describe`, or returns a sentence about what is wrong with it.
 *
 * Without a name or a list of tools there is no plugin, nor with a tool whose name could pass for other text. What else
 * is wrong in one tool costs that tool (no name, the name of one before it, `__proto__`) or that field (a schema too large, a timeout that is not a number), so that a
 * plugin newer than this runner still works. Members that are not known are kept as they are, in a description that is no
 * larger than a manifest may be.
 */
export function parseDescription(result: Fields, limits: Limits): PluginDescription | string {
  const { name, version, instructions, tools, credentials, host_capabilities: capabilities, ...more } = result
  if (typeof name !== 'string' || name === '') return 'name must be a string that is not empty'
  if (!Array.isArray(tools)) return 'tools must be an array'
  if (tools.length > limits.DESCRIBE_TOOLS_MAX)
    return `tools must be at most ${limits.DESCRIBE_TOOLS_MAX}, got ${tools.length}`

  const keepsMore = Buffer.byteLength(JSON.stringify(result)) <= limits.MANIFEST_MAX_BYTES
  const byName = new Map<string, ToolDescription>()
  for (const one of tools) {
    const wrong = fieldsOf(one)?.name
    if (typeof wrong === 'string' && wrong !== '' && !isToolName(wrong))
      return `the name of a tool ${toolNameRule}, got ${quoted(wrong.slice(0, limits.ARGUMENT_SHOWN_CHARS))}`
    const tool = parseTool(fieldsOf(one), keepsMore, limits)
    if (tool && !byName.has(tool.name)) byName.set(tool.name, tool)
  }
  return {
    ...(keepsMore && more),
    name: name.slice(0, limits.APP_NAME_MAX_CHARS),
    ...(typeof version === 'string' && version.length <= limits.NAME_MAX_CHARS && { version }),
    ...(typeof instructions === 'string' && {
      instructions: cutText(instructions, limits.PLUGIN_INSTRUCTIONS_MAX_CHARS),
    }),
    tools: [...byName.values()],
    ...(Array.isArray(credentials) && { credentials }),
    ...(Array.isArray(capabilities) && {
      host_capabilities: capabilities.filter((one) => typeof one === 'string'),
    }),
  }
}

/** Half of it is empty when it is split at `__`, and it is not a name for a key. */
const REFUSED_NAME = '__proto__'

function parseTool(
  tool: Fields | undefined,
  keepsMore: boolean,
  limits: Limits,
): ToolDescription | undefined {
  if (!tool) return undefined
  const {
    name,
    title,
    annotations,
    description: text,
    parameters: list,
    input_schema,
    output_schema,
    timeout_ms,
    destructive,
    ...more
  } = tool
  if (typeof name !== 'string' || name === '' || name === REFUSED_NAME) return undefined
  const parameters = parseParameters(list, keepsMore, limits)
  const description = textOf(text, limits)
  const output = schemaOf(output_schema, limits.OUTPUT_SCHEMA_MAX_BYTES)
  const timeout = Number.isSafeInteger(timeout_ms) ? (timeout_ms as number) : undefined
  return {
    ...(keepsMore && more),
    name,
    ...(typeof title === 'string' && { title: cutText(title, limits.APP_NAME_MAX_CHARS) }),
    ...(description !== undefined && { description }),
    ...(fieldsOf(annotations) && { annotations: booleansOf(annotations) }),
    parameters,
    input_schema: schemaOf(input_schema, limits.INPUT_SCHEMA_MAX_BYTES) ?? schemaFrom(parameters),
    ...(output && { output_schema: output }),
    ...(destructive === true && { destructive }),
    ...(timeout !== undefined && {
      timeout_ms: Math.min(Math.max(timeout, limits.SYNC_TIMEOUT_MIN_MS), limits.SYNC_TIMEOUT_MAX_MS),
    }),
  }
}

const booleansOf = (annotations: unknown): Fields =>
  Object.fromEntries(Object.entries(Object(annotations)).filter(([, value]) => typeof value === 'boolean'))

function parseParameters(list: unknown, keepsMore: boolean, limits: Limits): ToolParameter[] {
  if (!Array.isArray(list)) return []
  const byName = new Map<string, ToolParameter>()
  for (const one of list.slice(0, limits.DESCRIBE_PARAMETERS_MAX)) {
    const fields = fieldsOf(one)
    const name = fields?.name
    if (!fields || typeof name !== 'string' || name === '' || name === REFUSED_NAME || byName.has(name))
      continue
    const { name: _, type, required, description: text, enum: values, default: preset, ...more } = fields
    const description = textOf(text, limits)
    byName.set(name, {
      ...(keepsMore && more),
      name,
      type: typeof type === 'string' ? type : 'string',
      ...(required === true && { required: true }),
      ...(description !== undefined && { description }),
      ...(Array.isArray(values) && { enum: values }),
      ...(preset !== undefined && { default: preset }),
    })
  }
  return [...byName.values()]
}

function textOf(text: unknown, limits: Limits): string | undefined {
  return typeof text === 'string' ? cutText(text, limits.DESCRIPTION_MAX_CHARS) : undefined
}

/** The tools of a result whose descriptions were cut, which their author does not see. */
export const cutTools = ({ tools }: Fields, limits: Limits): string[] =>
  [tools]
    .flat()
    .map(fieldsOf)
    .flatMap((tool) =>
      typeof tool?.description === 'string' && tool.description.length > limits.DESCRIPTION_MAX_CHARS
        ? [String(tool.name)]
        : [],
    )

/** A schema as the plugin gave it; it is passed on and never followed, so a `$ref` in a circle does no harm. */
function schemaOf(schema: unknown, maxBytes: number): Fields | undefined {
  const fields = fieldsOf(schema)
  const fits = fields && Buffer.byteLength(JSON.stringify(fields)) <= maxBytes
  return fits ? fields : undefined
}

const JSON_TYPES: ReadonlySet<string> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'array',
  'object',
  'null',
])

/** The JSON Schema that says what the parameters say. */
function schemaFrom(parameters: readonly ToolParameter[]): Fields {
  const properties = parameters.map(({ name, type, description, enum: values, default: preset }) => [
    name,
    {
      ...(JSON_TYPES.has(type) && { type }),
      ...(description !== undefined && { description }),
      ...(values && { enum: values }),
      ...(preset !== undefined && { default: preset }),
    },
  ])
  const required = parameters.filter((one) => one.required).map((one) => one.name)
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  }
}
