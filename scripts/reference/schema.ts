import { grouped } from './table.ts'

/** The parts of JSON Schema that the method table makes use of. */
export interface Schema {
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
      return `${wrapped(schema.items ?? {})}[]${range(schema.minItems, schema.maxItems, 'items')}`
    case 'object':
      return objectText(schema)
    case 'string':
      return `string${range(schema.minLength, schema.maxLength, 'characters')}`
    default:
      return `${schema.type}${range(schema.minimum, schema.maximum)}`
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

function range(from: number | undefined, to: number | undefined, unit = ''): string {
  const low = from === undefined || from === Number.MIN_SAFE_INTEGER ? '' : grouped(from)
  const high = to === undefined || to === Number.MAX_SAFE_INTEGER ? '' : grouped(to)
  if (!low && !high) return ''
  const text = low && high ? `${low}–${high}` : low ? `≥ ${low}` : `≤ ${high}`
  return ` (${text}${unit && ` ${unit}`})`
}
