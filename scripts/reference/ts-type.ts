import type { MethodRow } from '../../packages/contract/src/index.ts'
import { bounds, type Schema } from './schema.ts'

/** A schema of the tables. */
export type ZodType = MethodRow['result']

/** Types that have a name of their own: the schema → the name. */
export type TypeNames = ReadonlyMap<unknown, string>

/** The parts of zod's definitions that the tables make use of. */
interface Def {
  readonly type: string
  readonly innerType?: ZodType
  readonly in?: ZodType
  readonly element?: ZodType
  readonly valueType?: ZodType
  readonly options?: readonly ZodType[]
  readonly shape?: Readonly<Record<string, ZodType>>
  readonly values?: readonly unknown[]
  readonly entries?: Readonly<Record<string, string>>
}

const defOf = (schema: ZodType) => schema._zod.def as unknown as Def

/** Forms around a schema that say when it may be left out, be `null`, or has a default. */
const around = new Set(['optional', 'default', 'nullable'])

/** Says whether a property may be left out of what a caller sends (`input`) or gets (`output`). */
export function isOptional(schema: ZodType, io: 'input' | 'output'): boolean {
  const { type, innerType } = defOf(schema)
  if (type === 'optional' || (type === 'default' && io === 'input')) return true
  return innerType !== undefined && around.has(type) && isOptional(innerType, io)
}

/** The sentence that `describe` gave a schema or what is inside its `optional`, `default` and `nullable`. */
export function descriptionOf(schema: ZodType): string | undefined {
  const { type, innerType } = defOf(schema)
  return schema.description ?? (innerType && around.has(type) ? descriptionOf(innerType) : undefined)
}

/** The bounds and the default of a property: `1–512 characters. Default "app".` */
export function factsOf(schema: ZodType, io: 'input' | 'output'): string[] {
  const json = schema.toJSONSchema({ io, unrepresentable: 'any' }) as Schema
  const range = io === 'input' ? bounds(json.anyOf?.[0] ?? json) : ''
  const byDefault =
    io === 'input' && json.default !== undefined ? `Default ${JSON.stringify(json.default)}.` : ''
  const rule = range
    .replace('≤', 'At most')
    .replace('≥', 'At least')
    .replace(/ 1 (item|character)s$/, ' 1 $1')
  return [rule && `${rule}.`, byDefault].filter((part) => part !== '')
}

/** A schema as TypeScript writes it; an object has a line and a comment for each property. */
export function tsType(schema: ZodType, io: 'input' | 'output', names: TypeNames, indent = ''): string {
  const name = nameOf(schema, names)
  if (name) return name
  const def = defOf(schema)
  const inner = (part: ZodType | undefined) => (part ? tsType(part, io, names, indent) : 'unknown')
  switch (def.type) {
    case 'string':
    case 'boolean':
    case 'number':
      return def.type
    case 'literal':
      return (def.values ?? []).map(literal).join(' | ')
    case 'enum':
      return Object.values(def.entries ?? {})
        .map(literal)
        .join(' | ')
    case 'array':
      return `${grouped(inner(def.element))}[]`
    case 'record':
      return `Record<string, ${inner(def.valueType)}>`
    case 'union':
      return (def.options ?? []).map(inner).join(' | ')
    case 'optional':
      return `${inner(def.innerType)}${isUnknown(def.innerType) ? '' : ' | undefined'}`
    case 'default':
      return io === 'input' && !isUnknown(def.innerType)
        ? `${inner(def.innerType)} | undefined`
        : inner(def.innerType)
    case 'nullable':
      return `${inner(def.innerType)} | null`
    case 'pipe':
      return inner(def.in)
    case 'object':
      return objectType(def.shape ?? {}, io, names, indent)
    case 'custom':
      return schema.meta()?.type === 'integer' ? 'number' : 'Record<string, unknown>'
    case 'unknown':
      return 'unknown'
    default:
      throw new Error(`tsType knows no ${def.type}; teach it, or use another schema`)
  }
}

/** The members of an object, each with its comment, without the braces. */
function members(
  shape: Readonly<Record<string, ZodType>>,
  io: 'input' | 'output',
  names: TypeNames,
  indent: string,
): string {
  return Object.entries(shape)
    .map(([name, schema]) => {
      const text = [descriptionOf(schema), ...factsOf(schema, io)].filter(Boolean).join(' ')
      const type = tsType(schema, io, names, indent)
      return `${comment(text, indent)}${indent}${name}${isOptional(schema, io) ? '?' : ''}: ${type}\n`
    })
    .join('')
}

/** A comment of one line; nothing where there is nothing to say. */
export const comment = (text: string, indent: string) => (text ? `${indent}/** ${text} */\n` : '')

function objectType(
  shape: Readonly<Record<string, ZodType>>,
  io: 'input' | 'output',
  names: TypeNames,
  indent: string,
): string {
  if (Object.keys(shape).length === 0) return 'Nothing'
  return `{\n${members(shape, io, names, `${indent}  `)}${indent}}`
}

/** `describe` makes a copy, whose definition is that of the schema it came from. */
function nameOf(schema: ZodType, names: TypeNames): string | undefined {
  return names.get(defOf(schema))
}

/** A literal as the project writes it. */
const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value))

const isUnknown = (schema: ZodType | undefined) => schema !== undefined && defOf(schema).type === 'unknown'

const grouped = (type: string) => (/ \| /.test(type) && !type.startsWith('{') ? `(${type})` : type)
