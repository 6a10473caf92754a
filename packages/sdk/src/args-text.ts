import { HostRpcError, ownError } from './errors.ts'

type Replacer = (this: unknown, key: string, value: unknown) => unknown

/**
 * Returns the JSON text of a call's arguments.
 *
 * @param check passes each value, or throws why it cannot; only for arguments that may hold what JSON does not have.
 * @throws HostRpcError `invalid_arg` for what is not a JSON object, and for the first number that JSON does not have.
 */
export function argsText(name: string, args: unknown, check?: Replacer): string {
  let text: string | undefined
  try {
    text = JSON.stringify(args, check)
  } catch (error) {
    if (error instanceof HostRpcError) throw error
  }
  // JSON has no NaN and no Infinity: they are written as null.
  if (!check && (!text || text.includes('null'))) return argsText(name, args, numberCheck())
  if (text?.[0] === '{') return text
  throw ownError('invalid_arg', `the arguments of ${name} must be a JSON object`)
}

/** Makes a replacer that changes nothing, and refuses a number that JSON does not have, by its path. */
function numberCheck(): Replacer {
  const paths = new Map<unknown, string>()
  return function (key, value) {
    const at = paths.get(this)
    const path = Array.isArray(this) ? `${at}[${key}]` : at ? `${at}.${key}` : key
    if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)))
      throw ownError('invalid_arg', `${path}: ${value} cannot be kept exactly; send it as a string`, { path })
    paths.set(value, path)
    return value
  }
}
