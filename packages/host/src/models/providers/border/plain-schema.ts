import { listOf } from '../members.ts'

/** A JSON Schema that is an object. */
export type Schema = Readonly<Record<string, unknown>>

/** Nodes of a schema; past them it says nothing more: a reference may repeat what repeats others. */
const NODES_MAX = 2_000

/** Members that describe the schema itself. */
const about: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$anchor',
  '$comment',
  '$vocabulary',
  '$defs',
  'definitions',
  '$ref',
])
/** Members that hold one schema, a list of them, or some by name. */
const holdsOne: ReadonlySet<string> = new Set([
  'items',
  'additionalProperties',
  'not',
  'contains',
  'propertyNames',
  'if',
  'then',
  'else',
])
const holdsList: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf'])
const holdsNamed: ReadonlySet<string> = new Set(['properties', 'patternProperties'])

/**
 * The arguments of a tool as servers of models take them, which know a part of JSON Schema alone: an object at the top,
 * references written out, no tuples, no boolean schemas. It tells a model the same; the host judges by the schema itself.
 */
export function plainSchema(schema: unknown): Schema {
  let nodes = 0

  function plain(value: unknown, inside: readonly unknown[]): Schema {
    nodes += 1
    if (!isObject(value) || nodes > NODES_MAX || inside.includes(value)) return {}
    const path = [...inside, value]
    const target = typeof value.$ref === 'string' ? find(schema, value.$ref) : undefined
    const result: Record<string, unknown> = target === undefined ? {} : { ...plain(target, path) }
    for (const [name, member] of Object.entries(value)) {
      if (about.has(name)) continue
      if (name === 'const') result.enum = [member]
      else if (name === 'prefixItems' || (name === 'items' && Array.isArray(member)))
        result.items = either(listOf(member).map((one) => plain(one, path)))
      else if (name === 'items' && value.prefixItems !== undefined) continue
      else if (holdsOne.has(name))
        result[name] = typeof member === 'boolean' ? boolean(name, member) : plain(member, path)
      else if (holdsList.has(name)) {
        const some = listOf(member).map((one) => plain(one, path))
        if (some.length > 0) result[name] = some
      } else if (holdsNamed.has(name)) {
        const entries = isObject(member) ? Object.entries(member) : []
        result[name] = Object.fromEntries(entries.map(([key, one]) => [key, plain(one, path)]))
      } else result[name] = member
    }
    if (result.type === 'array' && result.items === undefined) result.items = {}
    return required(result)
  }

  return objectOf(plain(schema, []))
}

/** `additionalProperties` may be a boolean with every server that knows it. */
const boolean = (name: string, value: boolean): unknown => (name === 'additionalProperties' ? value : {})

const either = (some: readonly Schema[]): Schema => (some.length === 1 && some[0] ? some[0] : { anyOf: some })

/** Some servers refuse an empty list, or one that names what is not there. */
function required({ required: names, ...rest }: Record<string, unknown>): Schema {
  const { properties } = rest
  const named = listOf(names).filter(
    (name) => typeof name === 'string' && (!isObject(properties) || Object.hasOwn(properties, name)),
  )
  return named.length > 0 ? { ...rest, required: named } : rest
}

/** The top is an object with properties: those of its branches together where it has branches. */
function objectOf({ anyOf, oneOf, allOf, not: _, enum: __, ...top }: Schema): Schema {
  const branches = [anyOf, oneOf].flatMap(listOf).filter(isObject)
  const all = listOf(allOf).filter(isObject)
  const properties = Object.assign(
    {},
    ...[...branches, ...all].map((branch) => objectOf(branch).properties),
    top.properties,
  )
  const names = [...listOf(top.required), ...all.flatMap((branch) => listOf(branch.required))]
  const needed = names.length > 0 ? { required: [...new Set(names)] } : {}
  return { ...top, type: 'object', properties, ...needed }
}

/** What a reference inside of a schema names. */
function find(schema: unknown, ref: string): unknown {
  if (ref !== '#' && !ref.startsWith('#/')) return undefined
  const names = ref.split('/').slice(1)
  return names.reduce<unknown>((at, name) => {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~')
    return isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined
  }, schema)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
