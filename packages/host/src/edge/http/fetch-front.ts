import { Refusal } from '@svc/contract'
import type { Bodies } from '../../kernel/limiter/bodies.ts'
import type { Reader } from '../../kernel/limiter/unread.ts'
import type { Head } from '../../kernel/request/head.ts'
import { localPath, paths } from '../../kernel/request/paths.ts'
import { type Admission, isAdmission } from '../rpc/gateway.ts'
import { refusal, retryHeaders, type TextReply } from '../rpc/reply.ts'
import type { Fronts } from './fronts.ts'
import { counted, readShort } from './short-body.ts'
import { wholeRequest } from './whole-request.ts'

const encoder = new TextEncoder()
const LINES = { headers: { 'content-type': 'application/x-ndjson; charset=utf-8' } }
/** A longer answer is counted until it is taken. */
const LONG_CHARS = 65_536

/** The web front: `fetch(Request) → Response`, for embedding the host in any server. */
export function fetchFront({
  gateway,
  cors,
  basePath,
  linesOf,
  events,
  routes,
  bodies,
  unread,
}: Fronts): (request: Request) => Promise<Response> {
  return async (given) => {
    const request = wholeRequest(given)
    const other = request.headers.has('origin') ? cors(webHead(request)) : null
    if (other?.isPreflight) return new Response(null, { status: 204, headers: other.headers })
    const response = await answer(request)
    if (!other) return response
    const readable = new Response(response.body, response)
    for (const [name, value] of Object.entries(other.headers)) readable.headers.set(name, value)
    return readable
  }

  async function answer(request: Request): Promise<Response> {
    const path = localPath(basePath, new URL(request.url).pathname)
    if (path === paths.rpc && request.method === 'POST') return rpc(request)
    if (path === paths.events && request.method === 'GET')
      return events.fetch(webHead(request), request.signal)
    return (await routes()).fetch(request)
  }

  async function rpc(request: Request): Promise<Response> {
    const admission = await gateway.admit(webHead(request))
    if (!isAdmission(admission)) return respondText(admission)
    const reader = unread.of(admission.claims.user_id)
    const gone = () => request.signal
    try {
      const body = await bodyOf(request, admission, bodies)
      const reply = await (Buffer.isBuffer(body)
        ? gateway.answer(admission, body, gone, reader)
        : gateway.answerLong(admission, body, gone))
      if ('answers' in reply) return new Response(bodyOfTexts(linesOf(reply.answers, reader)), LINES)
      if (reply.text.length <= LONG_CHARS) return respondText(reply)
      reader.owe(reply.text.length)
      return respondText(reply, bodyOfTexts(untilTaken(reply.text, reader)))
    } catch (error) {
      if (error instanceof Refusal) return respondText(refusal(error))
      throw error
    }
  }
}

/** Reads a body that has a slot among those that are being read; one that is long is left unread. */
async function bodyOf(request: Request, { claims, isLong, maxBytes }: Admission, bodies: Bodies) {
  const owner = claims.user_id
  if (isLong) return readShort(counted(request, undefined), 0)
  const length = request.headers.get('content-length')
  const bytes = length === null ? undefined : Number(length)
  const slot = bodies.enter({ owner, bytes })
  try {
    return await readShort(counted(request, slot), maxBytes)
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

function respondText(
  { status, text, retryAfterMs }: TextReply,
  body: ReadableStream<Uint8Array> | string = text,
): Response {
  return new Response(body, {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...retryHeaders(retryAfterMs) },
  })
}

/** A long answer, which waits for its reader until that asks for more. */
async function* untilTaken(text: string, reader: Reader): AsyncGenerator<string> {
  try {
    yield text
  } finally {
    reader.end()
  }
}

/** The texts as a body, each when it is asked for. */
function bodyOfTexts(texts: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const all = texts[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await all.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await all.return?.()
    },
  })
}
