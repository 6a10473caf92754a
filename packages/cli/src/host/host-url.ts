import type { Rule } from '@svc/node/options'
import { Failure, failure } from '../terminal/failure.ts'

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** A host as a command names it. */
export interface HostUrl {
  /** Scheme, name and port, without a slash at the end: the Origin that is sent. */
  readonly origin: string
  /** What the URLs of its routes begin with: the origin, and the base path of a host that has one. */
  readonly base: string
  /** Whether it is this machine: then plain http will do, and a host for development may be signed in to by name. */
  readonly isLoopback: boolean
}

/** Reads `--host`, or the option of another name. What is sent there are secrets: http is for this machine alone. Errors: `usage`. */
export function readHostUrl(text: string | undefined, option = '--host'): HostUrl {
  const example = `An example: ${option} http://127.0.0.1:8787`
  if (text === undefined || text === '') throw failure('usage', 'no host was named', example)
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw failure('usage', `${option} must be an http or https URL, got ${JSON.stringify(text)}`, example)
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    throw failure('usage', `${option} must be without query, fragment and sign-in`, example)
  const isLoopback = LOOPBACK.test(url.hostname)
  if (url.protocol === 'http:' && !isLoopback)
    throw failure('usage', `${option} must be https, but for this machine; got ${url.origin}`, example)
  return { origin: url.origin, base: url.origin + url.pathname.replace(/(?<!\/)\/+$/, ''), isLoopback }
}

/** The URL of a host as an option. */
export const hostUrlRule: Rule = (value, name) => {
  try {
    readHostUrl(String(value), name)
    return null
  } catch (error) {
    return error instanceof Failure ? error.message : String(error)
  }
}
