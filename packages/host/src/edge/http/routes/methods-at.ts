import { errorBody, refuse } from '@svc/contract'
import { routeRows } from '@svc/contract/routes'
import { TrieRouter } from 'hono/router/trie-router'
import { json } from './answer.ts'
import { frontRoutes, type RouteHandlers } from './mount.ts'
import { patternOf } from './rated.ts'

const METHOD_NOT_ALLOWED = 405

const fronts: ReadonlySet<string> = new Set(frontRoutes)

/** Opens the look-up of the methods that a path has on this host; none where there is no such path. */
export function openMethodsAt(handlers: RouteHandlers): (path: string) => string[] {
  const served: Readonly<Record<string, unknown>> = handlers
  const table = new TrieRouter<readonly string[]>()
  for (const [name, { method, path }] of routeRows()) {
    // The fronts do not take a HEAD for their GET.
    if (fronts.has(name)) table.add('ALL', patternOf(path), [method])
    else if (served[name]) table.add('ALL', patternOf(path), method === 'GET' ? [method, 'HEAD'] : [method])
  }
  return (path) => {
    const found = table.match('ALL', path)[0].flatMap(([methods]) => methods)
    return [...new Set(found)].sort()
  }
}

/** The answer to a method that a path does not have. */
export const wrongMethod = (method: string, allowed: readonly string[]): Response => {
  const allow = allowed.join(', ')
  const refusal = refuse('not_found', `this route does not have the method ${method}; it has ${allow}`)
  return json({ error: errorBody(refusal) }, METHOD_NOT_ALLOWED, { allow })
}
