import { nearest } from '../values/nearest.ts'
import type { ManifestSchema } from './manifest-json-schema.ts'

/** A key that nobody reads. */
export interface UnknownKey {
  /** Such as `ui.host_apis`. */
  readonly path: string
  /** The key that was meant, as a path; `null` where none is near. */
  readonly meant: string | null
}

/** The keys of a manifest that its schema does not have, at any depth. */
export function unknownKeys(value: unknown, schema: ManifestSchema): UnknownKey[] {
  const places = placesOf(schema, '')
  const walk = (part: unknown, at: ManifestSchema, path: string): UnknownKey[] => {
    if (typeof part !== 'object' || part === null) return []
    if (Array.isArray(part)) {
      const { items } = formOf(at, 'items')
      return items ? part.flatMap((one, n) => walk(one, items, `${path}${n}.`)) : []
    }
    const { properties, additionalProperties } = formOf(at, 'properties')
    if (!properties) return []
    return Object.entries(part).flatMap(([key, inner]) => {
      const known = Object.hasOwn(properties, key) ? properties[key] : undefined
      if (known) return walk(inner, known, `${path}${key}.`)
      if (additionalProperties !== false) return []
      const near = nearest(key, Object.keys(properties))
      return [{ path: path + key, meant: near === null ? (places.get(key) ?? null) : path + near }]
    })
  }
  return walk(value, schema, '')
}

/** The form of a schema that has such a part: of a union, the one of its forms. */
const formOf = (schema: ManifestSchema, part: 'items' | 'properties'): ManifestSchema =>
  schema[part] ? schema : (schema.anyOf?.find((form) => form[part]) ?? {})

/** Where each key has its place in a whole manifest; the outermost, where it has several. */
function placesOf(schema: ManifestSchema, path: string): Map<string, string> {
  const own = Object.entries(schema.properties ?? {})
  const inner = own.flatMap(([key, one]) => [...placesOf(one, `${path}${key}.`)])
  return new Map([...inner, ...own.map(([key]): [string, string] => [key, path + key])])
}
