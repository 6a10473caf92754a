import { isTicket } from '../rpc/door.ts'
import type { Reply } from '../rpc/reply.ts'
import type { Fronts } from './fronts.ts'
import type { Head } from './head.ts'
import { paths } from './paths.ts'
import { readShort } from './short-body.ts'

const encoder = new TextEncoder()

/** The web front: `fetch(Request) → Response`, for embedding the host in any server. */
export function fetchFront({
  door,
  linesOf,
  events,
  routes,
}: Fronts): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname === paths.rpc && request.method === 'POST') return rpc(request)
    if (pathname === paths.events && request.method === 'GET')
      return events.fetch(webHead(request), request.signal)
    return routes.fetch(request)
  }

  async function rpc(request: Request): Promise<Response> {
    const admission = await door.admit(webHead(request))
    if (!isTicket(admission)) return respond(admission, linesOf)
    const gone = () => request.signal
    const body = await readShort(request.body, admission.isLong ? 0 : admission.maxBytes)
    const reply = await (Buffer.isBuffer(body)
      ? door.answer(admission, body, gone)
      : door.answerLong(admission, body, gone))
    return respond(reply, linesOf)
  }
}

/** The head of a web request. A server that sets no `Host` header has it in the URL. */
export function webHead(request: Request): Head {
  const url = new URL(request.url)
  return {
    method: request.method,
    url: url.pathname + url.search,
    get: (name) => request.headers.get(name) ?? (name === 'host' ? url.host : undefined),
    request: () => request,
  }
}

function respond(reply: Reply, linesOf: Fronts['linesOf']): Response {
  if ('text' in reply)
    return new Response(reply.text, {
      status: reply.status,
      headers: { 'content-type': 'application/json; charset=utf-8' },
    })
  const lines = linesOf(reply.answers)[Symbol.asyncIterator]()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await lines.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await lines.return?.()
    },
  })
  return new Response(body, { headers: { 'content-type': 'application/x-ndjson; charset=utf-8' } })
}
