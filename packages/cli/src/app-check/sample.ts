type Schema = Readonly<Record<string, unknown>>

/** How deep a schema is followed: one that leads to itself ends here. */
const DEPTH_MAX = 12

/** The shortest value of each JSON type. */
const shortest: Readonly<Record<string, unknown>> = {
  string: 'text',
  number: 1,
  integer: 1,
  boolean: true,
  null: null,
}

/**
 * Makes a value of a JSON Schema: what a tool could return that says of itself that it returns this. Objects have all
 * properties, and arrays as few items as they may, but one at least.
 */
export function sampleOf(schema: unknown, root: unknown = schema, depth = 0): unknown {
  if (!isSchema(schema) || depth > DEPTH_MAX) return {}
  const { const: constant, default: preset, examples, $ref, type } = schema
  if (constant !== undefined) return constant
  if (preset !== undefined) return preset
  if (Array.isArray(examples) && examples.length > 0) return examples[0]
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const below = (inner: unknown) => sampleOf(inner, root, depth + 1)
  if (typeof $ref === 'string') return below(referredTo($ref, root))
  const choices = [schema.oneOf, schema.anyOf].find(Array.isArray)
  if (choices) return below(choices[0])
  if (Array.isArray(schema.allOf)) return Object.assign({}, ...schema.allOf.map(below))
  const kind = Array.isArray(type) ? type[0] : (type ?? (isSchema(schema.properties) ? 'object' : undefined))
  if (kind === 'object') {
    const properties = isSchema(schema.properties) ? schema.properties : {}
    return Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, below(inner)]))
  }
  if (kind === 'array') {
    const least = typeof schema.minItems === 'number' ? schema.minItems : 1
    return Array.from({ length: Math.max(1, least) }, () => below(schema.items))
  }
  if (kind === 'number' || kind === 'integer') return numberOf(schema)
  if (kind === 'string' && typeof schema.minLength === 'number') return 'text'.padEnd(schema.minLength, '.')
  const name = String(kind)
  return Object.hasOwn(shortest, name) ? shortest[name] : {}
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A number within its bounds. */
function numberOf({ minimum, maximum }: Schema): number {
  const low = typeof minimum === 'number' ? minimum : 1
  return typeof maximum === 'number' ? Math.min(Math.max(low, 1), maximum) : Math.max(low, 1)
}

/** What a reference such as `#/$defs/row` leads to. */
function referredTo(reference: string, root: unknown): unknown {
  if (!reference.startsWith('#')) return {}
  const names = reference.slice(1).split('/').slice(1)
  return names.reduce<unknown>((at, name) => (isSchema(at) ? at[decodeURIComponent(name)] : undefined), root)
}
