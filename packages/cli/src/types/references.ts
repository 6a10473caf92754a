import { type Fields, fieldsOf } from '../project/fields.ts'

/** A schema inside of another one, by a reference such as `#/$defs/Place`. */
export interface Target {
  /** The same for each way to write the reference. */
  readonly key: string
  /** The last part of the reference; empty for the whole schema. */
  readonly name: string
  readonly schema: unknown
}

/** The key of the whole schema. */
export const WHOLE_KEY = '[]'

/** What a schema is put together from: what it is, its parts are. */
const COMBINED = ['allOf', 'anyOf', 'oneOf'] as const

/** Finds what references in a schema mean. One that leads nowhere, or to another document, means nothing. */
export function openReferences(root: Fields) {
  const circles = new Map<string, boolean>()
  const needs = new Map<string, readonly Target[]>()

  function find(ref: unknown): Target | undefined {
    const path = typeof ref === 'string' ? pathOf(ref) : undefined
    if (!path) return undefined
    let schema: unknown = root
    for (const part of path) {
      if (typeof schema !== 'object' || schema === null || !Object.hasOwn(schema, part)) return undefined
      schema = (schema as Fields)[part]
    }
    return { key: JSON.stringify(path), name: path.at(-1) ?? '', schema }
  }

  /**
   * What the compiler has to know of other types to know that of a schema: not of the members of an object and the items
   * of a list, but of those of a tuple, and of a list in one.
   */
  function direct(schema: unknown, isInTuple = false): Target[] {
    const fields = fieldsOf(schema)
    if (!fields) return []
    const parts = COMBINED.flatMap((key) => listOf(fields[key]))
    const target = find(fields.$ref)
    return [
      ...(target ? [target] : []),
      ...parts.flatMap((part) => direct(part, isInTuple)),
      ...(isInTuple || isTuple(fields) ? itemsOf(fields).flatMap((item) => direct(item, true)) : []),
    ]
  }

  /** The same of what a reference means, which is read once: a schema may have thousands that lead to one another. */
  function needsOf({ key, schema }: Target): readonly Target[] {
    const known = needs.get(key) ?? direct(schema)
    needs.set(key, known)
    return known
  }

  /** Whether a type would need itself before it is known, so that it cannot be written. */
  function isCircle(target: Target): boolean {
    const known = circles.get(target.key)
    if (known !== undefined) return known
    const seen = new Set<string>()
    const waiting = [...needsOf(target)]
    for (let next = waiting.pop(); next && !seen.has(target.key); next = waiting.pop()) {
      if (seen.has(next.key)) continue
      seen.add(next.key)
      waiting.push(...needsOf(next))
    }
    circles.set(target.key, seen.has(target.key))
    return seen.has(target.key)
  }

  return { find, isCircle }
}

/** Whether a list has a type for each place. */
export const isTuple = ({ prefixItems, items, minItems, maxItems }: Fields): boolean =>
  Array.isArray(prefixItems) ||
  Array.isArray(items) ||
  (Number.isInteger(maxItems) && Number(maxItems) > 0 && minItems === maxItems)

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const itemsOf = ({ prefixItems, items, additionalItems }: Fields): unknown[] => [
  ...listOf(prefixItems),
  ...(Array.isArray(items) ? items : [items]),
  additionalItems,
]

export type References = ReturnType<typeof openReferences>

/** The names on the way to what a reference in this document means. */
function pathOf(ref: string): string[] | undefined {
  if (ref === '#') return []
  if (!ref.startsWith('#/')) return undefined
  try {
    return decodeURIComponent(ref.slice(2))
      .split('/')
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  } catch {
    return undefined
  }
}
