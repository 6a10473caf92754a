import { isJson } from '@svc/contract/is-json'
import { ownError } from './errors.ts'

/** Returns the JSON text of a call's arguments; `undefined`: JSON does not hold them, or they are not an object. */
export function argsText(args: unknown): string | undefined {
  try {
    const text = isJson(args) ? JSON.stringify(args) : ''
    if (text[0] === '{') return text
  } catch {}
}

/** Makes the refusal of such arguments: `value.list[3].when is a Map; JSON cannot hold one`. */
export const argsError = async (name: string, args: unknown) =>
  ownError('invalid_arg', ...(await import('@svc/contract/json-oddity')).argsProblem(name, args))
