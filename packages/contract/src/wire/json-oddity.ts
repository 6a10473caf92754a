import { JSON_DEPTH_MAX } from '../limits/browser.ts'
import { isJson } from './is-json.ts'

/** Where a value holds what JSON does not have, and what that is: `.list[3].when` and ` is a Map; JSON cannot hold one`. */
export type JsonOddity = readonly [path: string, why: string]

/** Finds the first thing for which `isJson` refuses a value. `undefined`: JSON holds it. */
export function jsonOddity(value: unknown, above: readonly object[] = [], key = ''): JsonOddity | undefined {
  if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)))
    return ['', `: ${value} cannot be kept exactly; send it as a string`]
  if (value === undefined) return ['', ' is undefined; JSON cannot hold it, null is its nothing']
  if (typeof value === 'function' || typeof value === 'symbol') return notHeld(typeof value)
  if (typeof value !== 'object' || value === null) return
  const made = attempt(() => madeOf(value, key))
  if ('error' in made) return ['', ` has a toJSON that throws: ${made.error}`]
  if (typeof made.value !== 'object' && made.value !== undefined) return jsonOddity(made.value)
  if (!made.value || ArrayBuffer.isView(value) || !isPlain(made.value)) return notHeld(classOf(value))
  if (above.includes(made.value)) return ['', ' is in itself; JSON cannot hold a circle']
  if (above.length >= JSON_DEPTH_MAX) return ['', ` nests deeper than ${JSON_DEPTH_MAX} levels`]
  return inside(made.value, [...above, made.value])
}

function inside(value: object, above: readonly object[]): JsonOddity | undefined {
  const isList = Array.isArray(value)
  for (const name of isList ? value.keys() : Object.keys(value)) {
    const step = isList ? `[${name}]` : `.${name}`
    const item = attempt(() => (value as Readonly<Record<string, unknown>>)[name])
    if ('error' in item) return [step, ` has a getter that throws: ${item.error}`]
    const odd = isList || item.value !== undefined ? jsonOddity(item.value, above, `${name}`) : undefined
    if (odd) return [step + odd[0], odd[1]]
  }
  return
}

/**
 * Returns the JSON text of a value; `undefined` where there is none. Throws a TypeError about what JSON does not hold:
 * `value.list[3].when is a Map; JSON cannot hold one`, where `name` is `value`.
 */
export function jsonText(value: unknown, name: string): string | undefined {
  const found = value === undefined || attempt(() => isJson(value)).value ? undefined : jsonOddity(value)
  if (found) throw new TypeError(name + found[0] + found[1])
  return JSON.stringify(value)
}

const madeOf = (value: object, key: string): unknown =>
  'toJSON' in value && typeof value.toJSON === 'function' ? value.toJSON(key) : value

function attempt(read: () => unknown): { readonly value?: unknown; readonly error?: unknown } {
  try {
    return { value: read() }
  } catch (error) {
    return { error }
  }
}

function isPlain(value: object): boolean {
  const proto = Object.getPrototypeOf(value)
  return Array.isArray(value) || !proto || !Object.getPrototypeOf(proto)
}

const classOf = (value: object): string => value.constructor?.name || 'object of a class'

const notHeld = (kind: string): JsonOddity => [
  '',
  ` is ${/^[aeio]/i.test(kind) ? 'an' : 'a'} ${kind}; JSON cannot hold one`,
]

/**
 * Returns the sentence about the arguments of a call that JSON does not hold, or that are not an object, and its
 * details.
 */
export function argsProblem(name: string, args: unknown): [message: string, details: { path?: string }] {
  const [at = '', why = ''] = jsonOddity(args) ?? []
  const path = at.slice(1)
  return path ? [path + why, { path }] : [`the arguments of ${name} must be a JSON object`, {}]
}
