import { shown } from '@svc/node/options'

const HINT = 'make one with new Request(url); for node:http there is getRequestListener of @hono/node-server'

/**
 * Takes a Request for one, also that of another realm or library, which is of no class of ours. Errors: `TypeError` for
 * what only looks like one, such as a URL or a request of node:http.
 */
export function wholeRequest(given: Request): Request {
  const { url, method, headers } = Object(given) as Partial<Request>
  const isRequest =
    typeof url === 'string' && typeof method === 'string' && typeof headers?.get === 'function'
  if (!isRequest) throw new TypeError(`host.fetch takes a Request, got ${shown(given)}: ${HINT}`)
  if (!URL.canParse(url))
    throw new TypeError(`host.fetch takes a Request with a whole URL, got ${shown(url)}`)
  return given
}
