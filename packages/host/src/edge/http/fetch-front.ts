import { Refusal } from '@svc/contract'
import type { Bodies } from '../../kernel/limiter/bodies.ts'
import type { Head } from '../../kernel/request/head.ts'
import { localPath, paths } from '../../kernel/request/paths.ts'
import { type Admission, isAdmission } from '../rpc/gateway.ts'
import { type Reply, refusal, retryHeaders } from '../rpc/reply.ts'
import type { Fronts } from './fronts.ts'
import { counted, readShort } from './short-body.ts'

const encoder = new TextEncoder()

/** The web front: `fetch(Request) → Response`, for embedding the host in any server. */
export function fetchFront({
  gateway,
  basePath,
  linesOf,
  events,
  routes,
  bodies,
}: Fronts): (request: Request) => Promise<Response> {
  return async (request) => {
    const path = localPath(basePath, new URL(request.url).pathname)
    if (path === paths.rpc && request.method === 'POST') return rpc(request)
    if (path === paths.events && request.method === 'GET')
      return events.fetch(webHead(request), request.signal)
    return (await routes()).fetch(request)
  }

  async function rpc(request: Request): Promise<Response> {
    const admission = await gateway.admit(webHead(request))
    if (!isAdmission(admission)) return respond(admission, linesOf)
    const gone = () => request.signal
    try {
      const body = await bodyOf(request, admission, bodies)
      const reply = await (Buffer.isBuffer(body)
        ? gateway.answer(admission, body, gone)
        : gateway.answerLong(admission, body, gone))
      return respond(reply, linesOf)
    } catch (error) {
      if (error instanceof Refusal) return respond(refusal(error), linesOf)
      throw error
    }
  }
}

/** Reads a body that has a slot among those that are being read; one that is long is left unread. */
async function bodyOf(request: Request, { claims, isLong, maxBytes }: Admission, bodies: Bodies) {
  const owner = claims.user_id
  if (isLong) return readShort(counted(request.body, undefined), 0)
  const length = request.headers.get('content-length')
  const bytes = length === null ? undefined : Number(length)
  const slot = bodies.enter({ owner, bytes })
  try {
    return await readShort(counted(request.body, slot), maxBytes)
  } finally {
    slot.release()
  }
}

/** The head of a web request. A server that sets no `Host` header has it in the URL. */
export function webHead(request: Request, peer?: string): Head {
  const url = new URL(request.url)
  return {
    method: request.method,
    url: url.pathname + url.search,
    peer,
    get: (name) => request.headers.get(name) ?? (name === 'host' ? url.host : undefined),
    request: () => request,
  }
}

function respond(reply: Reply, linesOf: Fronts['linesOf']): Response {
  if ('text' in reply)
    return new Response(reply.text, {
      status: reply.status,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        ...retryHeaders(reply.retryAfterMs),
      },
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
