import { type Fields, fieldsOf, listOf } from '../members.ts'
import type { Body, Tool } from './body.ts'

/** How deep the arguments of a tool may be nested. */
const DEPTH_MAX = 5
/** What is said of a value that may be anything. */
const ANYTHING = { type: 'string' } as const
const kept = ['type', 'description', 'properties', 'required', 'items', 'enum'] as const

/**
 * A body whose tools have schemas of the members alone that each server knows. A model is told less of its arguments; the
 * host judges them by the whole schema.
 */
export const simpleSchemas = (body: Body): Body => ({ ...body, tools: body.tools?.map(simpleTool) })

function simpleTool({ function: { parameters, ...rest }, ...tool }: Tool): Tool {
  const schema = simple(fieldsOf(parameters), 0)
  return { ...tool, function: schema.properties ? { ...rest, parameters: schema } : rest }
}

function simple(whole: Fields, depth: number): Fields {
  const schema = branchOf(whole)
  const type = typeOf(schema)
  const all: Record<string, unknown> = { ...schema, type }
  if (depth >= DEPTH_MAX && (type === 'object' || type === 'array'))
    return { ...ANYTHING, ...described(schema) }
  const properties = mapped(schema.properties, depth)
  // Some servers take no list of properties that is empty.
  all.properties = type === 'object' && Object.keys(properties).length > 0 ? properties : undefined
  all.items = type === 'array' ? simple(fieldsOf(schema.items), depth + 1) : undefined
  const values = listOf(schema.enum)
  all.enum = type === 'string' && values.length > 0 && values.every(isText) ? values : undefined
  return Object.fromEntries(kept.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])))
}

/** The first branch that is not null, with what is said of the whole. */
function branchOf(schema: Fields): Fields {
  const branches = [schema.anyOf, schema.oneOf, schema.allOf].flatMap(listOf).map(fieldsOf)
  const branch = branches.find(({ type }) => type !== 'null')
  return branch ? { ...branchOf(branch), ...described(schema) } : schema
}

const described = ({ description }: Fields): Fields => (isText(description) ? { description } : {})

function typeOf({ type, properties, items }: Fields): string {
  const named = [type].flat().find((one) => isText(one) && one !== 'null')
  if (isText(named)) return named
  return properties ? 'object' : items ? 'array' : ANYTHING.type
}

const mapped = (properties: unknown, depth: number): Fields =>
  Object.fromEntries(
    Object.entries(fieldsOf(properties)).map(([name, one]) => [name, simple(fieldsOf(one), depth + 1)]),
  )

const isText = (value: unknown): value is string => typeof value === 'string'
