import { type Fields, fieldsOf } from '../project/fields.ts'
import { isTuple, openReferences, type Target } from './references.ts'
import { docComment, propertyName, stringLiteral } from './ts-text.ts'
import {
  arrayOf,
  colon,
  intersection,
  literal,
  NEVER,
  one,
  type TypeText,
  UNKNOWN,
  union,
} from './type-text.ts'

/** What a schema is written for. */
export interface SchemaUse {
  /** In what a caller sends, a member that may be left out may be `undefined` as well. */
  readonly io: 'args' | 'result'
  /** Returns the name of the type of a schema that is referred to; its text is asked for later. */
  readonly nameOf: (target: Target) => string
}

/** Where a type is: in a member or list, where it may refer to any other; or in a named type itself, or a tuple of it. */
type Place = 'member' | 'alias' | 'tuple'

const plainTypes: ReadonlyMap<unknown, TypeText> = new Map([
  ['string', one('string')],
  ['number', one('number')],
  ['integer', one('number')],
  ['boolean', one('boolean')],
  ['null', one('null')],
])
const COMBINED = ['$ref', 'allOf', 'anyOf', 'oneOf'] as const
const OF_OBJECTS = ['properties', 'required', 'additionalProperties', 'patternProperties'] as const
const OF_ARRAYS = ['items', 'prefixItems'] as const
/** A list of so many items at most, all of one short type, is written as a tuple. */
const TUPLE_ITEMS_MAX = 8
const TUPLE_ITEM_CHARS = 24

/**
 * Writes JSON Schema as types of TypeScript: the parts of it that a type can say (`type`, `properties`, `items`, `enum`,
 * `const`, `allOf`, `anyOf`, `oneOf`, references inside of it, …). What else it says is left out, and what is not known is
 * `unknown`. `write(schema, indent, place)` returns a type that begins on a line with this indent.
 */
export function schemaWriter(root: Fields, { io, nameOf }: SchemaUse) {
  const references = openReferences(root)

  function write(schema: unknown, indent: string, place: Place = 'member'): TypeText {
    if (schema === false) return NEVER
    const fields = fieldsOf(schema)
    if (!fields) return UNKNOWN
    const each = (key: string): TypeText[] =>
      Array.isArray(fields[key]) ? fields[key].map((part: unknown) => write(part, indent, place)) : []
    const type = intersection([
      referred(fields.$ref, place),
      own(fields, indent, place),
      ...each('allOf'),
      ...['anyOf', 'oneOf'].flatMap((key) => (Array.isArray(fields[key]) ? union(each(key), indent) : [])),
    ])
    return fields.nullable === true ? union([type, one('null')], indent) : type
  }

  function referred(ref: unknown, place: Place): TypeText {
    const target = references.find(ref)
    return !target || (place !== 'member' && references.isCircle(target)) ? UNKNOWN : one(nameOf(target))
  }

  /** What a schema says beside what it is put together from. */
  function own(fields: Fields, indent: string, place: Place): TypeText {
    if (Object.hasOwn(fields, 'const')) return literal(fields.const, stringLiteral)
    const { enum: values, type } = fields
    const isAny = (types: readonly TypeText[]) => union(types, indent)
    if (Array.isArray(values)) return isAny(values.map((value) => literal(value, stringLiteral)))
    const [first = impliedType(fields), ...others] = [type].flat()
    return isAny([first, ...others].map((name) => named(name, fields, indent, place)))
  }

  function named(name: unknown, fields: Fields, indent: string, place: Place): TypeText {
    const isBare = (keys: readonly string[]) => hasAny(fields, COMBINED) && !hasAny(fields, keys)
    if (name === 'object') return isBare(OF_OBJECTS) ? UNKNOWN : one(objectText(fields, indent))
    if (name === 'array') return isBare(OF_ARRAYS) ? UNKNOWN : listType(fields, indent, place)
    return plainTypes.get(name) ?? UNKNOWN
  }

  function objectText(fields: Fields, indent: string): string {
    const { additionalProperties: more, patternProperties } = fields
    const properties = fieldsOf(fields.properties) ?? {}
    const required = new Set(Array.isArray(fields.required) ? fields.required : [])
    const names = new Set([
      ...Object.keys(properties),
      ...[...required].filter((one) => typeof one === 'string'),
    ])
    const hasPatterns = fieldsOf(patternProperties) !== undefined
    const isOpen = (more !== undefined && more !== false) || hasPatterns
    if (names.size === 0) return mapText(hasPatterns ? undefined : more, indent)
    const inner = `${indent}  `
    const lines = [...names].sort().map((name) => {
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
      const type = write(schema, inner)
      const isOptional = !required.has(name)
      const given = isOptional && io === 'args' ? union([type, one('undefined')], inner) : type
      return `${docOf(schema, inner)}${inner}${propertyName(name)}${isOptional ? '?' : ''}${colon(given)}\n`
    })
    return `{\n${lines.join('')}${isOpen ? `${inner}[key: string]: unknown\n` : ''}${indent}}`
  }

  function mapText(more: unknown, indent: string): string {
    const value = write(more, `${indent}  `)
    if (value === NEVER) return 'Record<string, never>'
    // A type may refer to itself in an index signature, and not in a `Record`.
    return value === UNKNOWN ? 'Record<string, unknown>' : `{ [key: string]: ${value.text} }`
  }

  function listType(fields: Fields, indent: string, place: Place): TypeText {
    const { items, prefixItems, minItems, maxItems } = fields
    const inTuple = place === 'member' ? place : 'tuple'
    const inList = place === 'tuple' || isTuple(fields) ? inTuple : 'member'
    const most = typeof maxItems === 'number' ? maxItems : Number.POSITIVE_INFINITY
    const before = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : undefined
    if (!before) {
      const item = write(items, indent, inList)
      const isShort = item.text.length <= TUPLE_ITEM_CHARS && Number(maxItems) <= TUPLE_ITEMS_MAX
      return isTuple(fields) && isShort
        ? one(`[${Array.from({ length: Number(maxItems) }, () => item.text).join(', ')}]`)
        : arrayOf(item)
    }
    const rest = Array.isArray(prefixItems) ? items : fields.additionalItems
    const isFull = rest === false || most <= before.length
    const least = typeof minItems === 'number' ? minItems : 0
    const types = before.slice(0, Math.max(0, most)).map((schema, at) => {
      const { text, members, isIntersection } = write(schema, indent, inTuple)
      if (at < least) return text
      return members || isIntersection ? `(${text})?` : `${text}?`
    })
    const more = isFull ? [] : [`...${arrayOf(write(rest, indent, inTuple)).text}`]
    return one(`[${[...types, ...more].join(', ')}]`)
  }

  return write
}

const hasAny = (fields: Fields, keys: readonly string[]) => keys.some((key) => Object.hasOwn(fields, key))

/** The type that a schema means by what it says, where it does not say it. */
function impliedType(fields: Fields): string | undefined {
  if (hasAny(fields, OF_OBJECTS)) return 'object'
  return hasAny(fields, OF_ARRAYS) ? 'array' : undefined
}

/** What an editor shows of a member: its description, and what it is where it is left out. */
function docOf(schema: unknown, indent: string): string {
  const { description, default: preset } = fieldsOf(schema) ?? {}
  const text = typeof description === 'string' ? description.trim() : ''
  const byDefault = preset === undefined ? '' : `Default: ${JSON.stringify(preset)}`
  return docComment([text, byDefault].filter((part) => part !== '').join('\n\n'), indent)
}
