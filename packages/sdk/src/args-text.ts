import { HostRpcError, ownError } from './errors.ts'

/** The JSON text of a call's arguments, or why it has none. */
export function argsText(ns: string, method: string, args: unknown): string | HostRpcError {
  let text: string | undefined
  try {
    text = JSON.stringify(args)
    // JSON has no NaN and no Infinity: they are written as null.
    if (text?.[0] === '{') return (text.includes('null') && wrongNumber(args)) || text
  } catch {
    const wrong = wrongNumber(args)
    if (wrong) return wrong
  }
  return ownError('invalid_arg', `the arguments of ${ns}.${method} must be a JSON object`)
}

/** The refusal of the first number that JSON does not have, by its path; `undefined` where there is none. */
function wrongNumber(args: unknown): HostRpcError | undefined {
  const paths = new Map<unknown, string>()
  let wrong: HostRpcError | undefined
  function checkNumber(this: unknown, key: string, value: unknown): unknown {
    const at = paths.get(this)
    const path = Array.isArray(this) ? `${at}[${key}]` : at ? `${at}.${key}` : key
    if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)))
      wrong ??= new HostRpcError({
        code: 'invalid_arg',
        message: `${path}: ${value} cannot be kept exactly; send it as a string`,
        details: { path },
      })
    if (wrong) return null
    if (typeof value === 'object') paths.set(value, path)
    return value
  }
  try {
    JSON.stringify(args, checkNumber)
  } catch {
    // What else JSON cannot hold, the caller reports.
  }
  return wrong
}
