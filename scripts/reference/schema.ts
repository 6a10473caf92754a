import { grouped } from './table.ts'

/** The parts of JSON Schema that the method table makes use of. */
export interface Schema {
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly default?: unknown
}

/** A schema on one line, near to how TypeScript writes it: `{key: string, limit?: integer (1–1 000)}`. */
export function typeText(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.anyOf) return schema.anyOf.map(typeText).join(' | ')
  if (typeof schema.type === 'object') return schema.type.join(' | ')
  switch (schema.type) {
    case undefined:
      return 'any'
    case 'array':
      return `${wrapped(schema.items ?? {})}[]${inBrackets(bounds(schema))}`
    case 'object':
      return objectText(schema)
    default:
      return `${schema.type}${inBrackets(bounds(schema))}`
  }
}

function objectText({ properties, required = [] }: Schema): string {
  if (!properties) return 'object'
  const parts = Object.entries(properties).map(
    ([name, schema]) => `${name}${required.includes(name) ? '' : '?'}: ${typeText(schema)}`,
  )
  return `{${parts.join(', ')}}`
}

function wrapped(schema: Schema): string {
  const text = typeText(schema)
  const isOne = text.startsWith('{') && !schema.anyOf
  return text.includes(' ') && !isOne ? `(${text})` : text
}

/** How long a text or list may be, and how large a number: `1–512 characters`; empty where there is no bound. */
export function bounds(schema: Schema): string {
  switch (schema.type) {
    case 'array':
      return range(schema.minItems, schema.maxItems, ' items')
    case 'string':
      return range(schema.minLength, schema.maxLength, ' characters')
    default:
      return range(schema.minimum, schema.maximum, '')
  }
}

const inBrackets = (text: string) => (text ? ` (${text})` : '')

function range(from: number | undefined, to: number | undefined, unit: string): string {
  const low = from === undefined || from === Number.MIN_SAFE_INTEGER ? '' : grouped(from)
  const high = to === undefined || to === Number.MAX_SAFE_INTEGER ? '' : grouped(to)
  if (!low && !high) return ''
  return `${low && high ? `${low}–${high}` : low ? `≥ ${low}` : `≤ ${high}`}${unit}`
}
