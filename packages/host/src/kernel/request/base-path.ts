import { routes } from '@svc/contract/routes'

const PATH = /^(\/[a-z0-9_~-][a-z0-9._~-]*)+$/i

/** First segments of the host's own paths: behind a proxy that strips the prefix they could not be told from it. */
const taken: ReadonlySet<string> = new Set(Object.values(routes).map(({ path }) => path.split('/')[1] ?? ''))

/**
 * Reads the option `basePath`: `''` for a host at the root of its origin, else such as `/svc` or `/tools/svc`.
 * Throws a sentence that says what is wrong.
 */
export function readBasePath(text = ''): string {
  if (text === '' || text === '/') return ''
  const wrong = (rule: string) => new Error(`createHost: basePath ${rule}, got ${JSON.stringify(text)}`)
  if (typeof text !== 'string' || !PATH.test(text))
    throw wrong('must be a path such as /svc: "/" and a name, once or several times, without "/" at the end')
  const [, first = ''] = text.split('/')
  if (taken.has(first)) throw wrong(`must not begin with /${first}, which is a path of the host itself`)
  return text
}

/**
 * A path, with or without its query, as the route table has it: without the base path where it came with it. A proxy
 * may keep the prefix or strip it.
 */
export function localPath(basePath: string, path: string): string {
  if (basePath === '' || !path.startsWith(basePath)) return path
  const rest = path.slice(basePath.length)
  if (rest.startsWith('/')) return rest
  return rest === '' || rest.startsWith('?') ? `/${rest}` : path
}
