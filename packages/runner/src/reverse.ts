import { JSONRPC } from '@svc/contract/stdio'

/** Requests that a plugin may make of a host (design §9, the stdio wire). */
const KNOWN: ReadonlySet<unknown> = new Set([
  'host/uploadFile',
  'agent/session.create',
  'agent/session.run',
  'agent/session.cancel',
  'agent/session.delete',
  'llm/complete',
])

const METHOD_NOT_FOUND = -32601
const REFUSED = -32000

/** The line that answers a plugin's own request: this runner offers none of them, known by name or not. */
export function refuseReverse(request: { readonly id?: unknown; readonly method?: unknown }): string {
  const { id } = request
  const error = KNOWN.has(request.method)
    ? { code: REFUSED, message: 'this host does not offer that request', data: { name: 'not_implemented' } }
    : { code: METHOD_NOT_FOUND, message: 'there is no such request' }
  return JSON.stringify({
    jsonrpc: JSONRPC,
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
    error,
  })
}
