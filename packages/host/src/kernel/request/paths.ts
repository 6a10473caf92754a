import { type RouteName, routes } from '@svc/contract/routes'
import { all, holding, judgeOptions, type Rule } from '@svc/node/options'

/** What is before the first parameter of a path. */
const folderOf = (name: RouteName): string => routes[name].path.split('{')[0] ?? ''

/** The places of the route table that are named outside of their handlers. */
export const paths = {
  rpc: routes['calls.rpc'].path,
  calls: routes['calls.socket'].path,
  events: routes['calls.events'].path,
  /** The links of enrolled machines. */
  runnerLink: routes['runners.connect'].path,
  bundles: folderOf('bundles.read'),
  files: folderOf('files.read'),
  uploads: folderOf('uploads.put'),
  /** Where browsers report to, from a page and from a bundle at whatever origin. */
  reports: routes['health.reports'].path,
} as const

const PATH = /^(\/[a-z0-9_~-][a-z0-9._~-]*)+$/i

/** First segments of the host's own paths: behind a proxy that strips the prefix they could not be told from it. */
const taken: ReadonlySet<string> = new Set(Object.values(routes).map(({ path }) => path.split('/')[1] ?? ''))

const isRoot = (text: unknown) => text === '' || text === '/'

/** What the option `basePath` may be. */
export const basePathRule: Rule = all(
  holding(
    'must be a path such as /svc: "/" and a name, once or several times, without "/" at the end',
    (text) => isRoot(text) || (typeof text === 'string' && PATH.test(text)),
  ),
  (text, name, show) => {
    const [, first = ''] = String(text).split('/')
    const must = `must not begin with /${first}, which is a path of the host itself`
    return holding(must, () => isRoot(text) || !taken.has(first))(text, name, show)
  },
)

/** Reads the option `basePath`: `''` for a host at the root of its origin, else such as `/svc`. Errors: `OptionError`. */
export function readBasePath(text = ''): string {
  judgeOptions('createHost', basePathRule, text, 'basePath')
  return isRoot(text) ? '' : text
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
