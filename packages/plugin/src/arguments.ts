import { limits } from '@svc/contract/limits'
import type { ToolParameter } from '@svc/contract/stdio'

/** Whether a value has a JSON type; a type name that is not here is the author's own and is not checked. */
const checks: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['string', (value) => typeof value === 'string'],
  ['number', (value) => typeof value === 'number'],
  ['integer', (value) => Number.isInteger(value)],
  ['boolean', (value) => typeof value === 'boolean'],
  ['array', (value) => Array.isArray(value)],
  ['object', (value) => typeof value === 'object' && value !== null && !Array.isArray(value)],
])

/**
 * Checks arguments against the declared parameters and fills in defaults, in place.
 *
 * Returns a sentence about the first one that is wrong, or nothing. `null` for an optional one reads as absent;
 * arguments that are not declared pass.
 */
export function checkArguments(
  args: Record<string, unknown>,
  parameters: readonly ToolParameter[],
): string | undefined {
  for (const parameter of parameters) {
    const { name, type } = parameter
    const value = Object.hasOwn(args, name) ? args[name] : undefined
    if (value === undefined || value === null) {
      // A tool may change what it is given, and the next call must not see that.
      if (parameter.default !== undefined) args[name] = structuredClone(parameter.default)
      else if (parameter.required) return `${name} is required and must be ${article(type)}`
      else if (value === null) delete args[name]
      continue
    }
    if (checks.get(type)?.(value) === false) return `${name} must be ${article(type)}, got ${show(value)}`
    if (parameter.enum && !parameter.enum.includes(value))
      return `${name} must be one of ${parameter.enum.map(show).join(', ')}, got ${show(value)}`
  }
  return undefined
}

const article = (type: string) => (/^[aeiou]/i.test(type) ? `an ${type}` : `a ${type}`)

function show(value: unknown): string {
  const text =
    typeof value === 'object' ? (Array.isArray(value) ? 'an array' : 'an object') : JSON.stringify(value)
  const max = limits.ARGUMENT_SHOWN_CHARS
  return text.length > max ? `${text.slice(0, max)}…` : text
}
