import { type Digest, fields } from './fields.ts'

/**
 * Reads a digest out of what a model said: JSON, whatever stands around it (a fence, a polite sentence), with fields in
 * any spelling of their keys and lists in any of the shapes that models give them. `null`: there is none in it.
 */
export function readDigest(said: string): Digest | null {
  const object = readObject(said)
  if (!object) return null
  const given = new Map(Object.entries(object).map(([key, value]) => [fold(key), textsOf(value)]))
  const found = fields.flatMap(({ key, isList }) => {
    const texts = given.get(fold(key)) ?? []
    if (texts.length === 0) return []
    return [[key, isList ? texts : [texts.join(' ')]] as const]
  })
  return found.length === 0 ? null : Object.fromEntries(found)
}

const fold = (key: string) => key.toLowerCase().replaceAll(/[^a-z]/g, '')

/** The outermost object of JSON in a text. */
function readObject(text: string): object | null {
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

/** The texts of a value: of a list each item, of an object its values on one line. */
function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(lineOf).filter((text) => text !== '')
  const line = lineOf(value)
  return line === '' ? [] : [line]
}

function lineOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'object') return String(value).trim()
  return Object.values(value).map(lineOf).filter(Boolean).join(': ')
}
