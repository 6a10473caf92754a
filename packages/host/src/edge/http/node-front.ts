import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { errorRow, Refusal } from '@svc/contract'
import { lazy } from '@svc/node'
import type { BodySlot } from '../../kernel/limiter/body-slot.ts'
import type { Reader } from '../../kernel/limiter/unread.ts'
import { localPath, paths } from '../../kernel/request/paths.ts'
import { attempt, type MaybePromise, when } from '../../kernel/when.ts'
import { type Admission, isAdmission } from '../rpc/gateway.ts'
import { type Reply, refusal, retryHeaders, type TextReply } from '../rpc/reply.ts'
import type { Fronts } from './fronts.ts'
import { bodyHeadOf, NodeHead } from './node-head.ts'
import { isLong, sendLong, sendParts } from './send-parts.ts'
import { withRest } from './short-body.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const LINES_TYPE = 'application/x-ndjson; charset=utf-8'

/** A target such as `http://elsewhere/x` or `*` names a host of its own, past the one that `Host` is judged by. */
const NO_PATH: TextReply = {
  status: errorRow('invalid_arg').status,
  text: JSON.stringify({ error: { code: 'invalid_arg', message: 'the request target must be a path' } }),
}

/**
 * The `node:http` front: the RPC endpoint and the event stream go straight to `res`, because an adapter to
 * web objects costs more than the call itself; everything else goes through the routes.
 */
export function nodeFront({
  gateway,
  cors,
  basePath,
  linesOf,
  events,
  routes,
  bodies,
  unread,
  readers,
  limiter,
  log,
}: Fronts): RequestListener {
  // The adapter to web objects loads those of Node, which are large: with the first request that needs them.
  const adapter = lazy(async () => {
    const [{ getRequestListener }, { fetch }] = await Promise.all([import('@hono/node-server'), routes()])
    return getRequestListener((request, env) => fetch(request, env), { overrideGlobalObjects: false })
  })

  return (req, res) => {
    const url = req.url ?? '/'
    if (!url.startsWith('/')) return refuse(req, res, NO_PATH)
    const other = req.headers.origin === undefined ? null : cors(new NodeHead(req))
    if (other) res.setHeaders(new Map(Object.entries(other.headers)))
    if (other?.isPreflight) return void res.writeHead(204).end()
    const path = localPath(basePath, pathOf(url))
    if (path === paths.rpc && req.method === 'POST') return rpc(req, res)
    if (path === paths.events && req.method === 'GET') return events.node(new NodeHead(req), res)
    readers.watch(req.socket, () => res.closed)
    route(req, res).catch((error) => failed(res, error))
  }

  async function route(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const answerRoute = await adapter()
    // The client may have left while the adapter was loaded.
    if (req.destroyed) drop(res)
    else await answerRoute(req, res)
  }

  function rpc(req: IncomingMessage, res: ServerResponse) {
    void attempt(
      () => when(gateway.admit(new NodeHead(req)), (admission) => take(req, res, admission)),
      (error) => failed(res, error),
    )
  }

  function take(
    req: IncomingMessage,
    res: ServerResponse,
    admission: Admission | TextReply,
  ): MaybePromise<void> {
    // The client may have left meanwhile, and an `IncomingMessage` does not emit that again.
    if (req.destroyed) return drop(res)
    if (!isAdmission(admission)) return refuse(req, res, admission)
    if (admission.isLong) return answerLong(req, res, admission, [])
    const slot = attempt<BodySlot | null>(
      () => bodies.admit(bodyHeadOf(admission.claims.user_id, req)),
      (error) => {
        refuse(req, res, refusalOf(error))
        return null
      },
    )
    return when(slot, (held) => {
      if (held) readBody(req, res, admission, held)
    })
  }

  function readBody(req: IncomingMessage, res: ServerResponse, admission: Admission, slot: BodySlot) {
    let chunks: Buffer[] = []
    let size = 0
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size <= admission.maxBytes) {
        if (isTaken(chunk.length)) chunks.push(chunk)
      } else {
        req.pause().off('data', onData).off('end', onEnd)
        slot.release()
        answerLong(req, res, admission, [...chunks, chunk])
        chunks = []
      }
    }
    const isTaken = (bytes: number) => {
      try {
        slot.take(bytes)
        return true
      } catch (error) {
        req.pause().off('data', onData).off('end', onEnd)
        slot.release()
        chunks = []
        refuse(req, res, refusalOf(error))
        return false
      }
    }
    const onEnd = () => {
      slot.release()
      const only = chunks.length === 1 ? chunks[0] : undefined
      answer(res, admission, only ?? Buffer.concat(chunks))
    }
    // A caller that goes away in mid-body leaves an aborted request and nobody to answer.
    req
      .on('data', onData)
      .on('end', onEnd)
      .on('error', () => {
        slot.release()
        res.destroy()
      })
  }

  function answer(res: ServerResponse, admission: Admission, bytes: Buffer) {
    const reader = unread.of(admission.claims.user_id)
    void attempt(
      () =>
        when(gateway.answer(admission, bytes, goneSignal(res), reader), (reply) => send(res, reply, reader)),
      (error) => failed(res, error),
    )
  }

  /** A body that is too long to be read at once; `chunks` came already. */
  function answerLong(req: IncomingMessage, res: ServerResponse, admission: Admission, chunks: Buffer[]) {
    // A client that is refused in mid-body must still get the response, so the request is not destroyed with its
    // iterator.
    const body = withRest(chunks, req.iterator({ destroyOnReturn: false }))
    gateway
      .answerLong(admission, body, goneSignal(res))
      .then((reply) =>
        req.complete ? send(res, reply, unread.of(admission.claims.user_id)) : refuse(req, res, reply),
      )
      .catch((error) => failed(res, error))
  }

  function send(res: ServerResponse, reply: Reply, reader: Reader): Promise<void> | undefined {
    if ('answers' in reply) return sendParts(res, LINES_TYPE, linesOf(reply.answers, reader), readers)
    const turn = reply.isRateLimited ? limiter.slowRefusal(new NodeHead(res.req)) : null
    if (turn) return turn.then((isTurn) => (isTurn ? sendText(res, reply) : drop(res)))
    // What fits the socket's buffer is not worth counting.
    if (reply.text.length <= res.writableHighWaterMark) return void sendText(res, reply)
    reader.owe(reply.text.length)
    res.once('close', () => reader.end())
    if (reply.status === 200 && isLong(reply.text)) return sendLong(res, JSON_TYPE, reply, readers)
    sendText(res, reply)
    readers.watch(res.req.socket)
  }

  /** Responds before the body has arrived; the rest of it is only read so that the connection closes cleanly. */
  function refuse(req: IncomingMessage, res: ServerResponse, reply: Reply): void {
    const answerNow = (isTurn: boolean) => {
      if (!isTurn) return drop(res)
      if (!req.complete) {
        res.setHeader('connection', 'close')
        req.resume()
      }
      if ('text' in reply) sendText(res, reply)
    }
    const turn = 'text' in reply && reply.isRateLimited ? limiter.slowRefusal(new NodeHead(req)) : null
    if (turn) turn.then(answerNow).catch((error) => failed(res, error))
    else answerNow(true)
  }

  function failed(res: ServerResponse, error: unknown) {
    log.error({ err: error }, 'a request failed')
    res.destroy()
  }
}

function refusalOf(error: unknown): Reply {
  if (error instanceof Refusal) return refusal(error)
  throw error
}

/** Ends a connection whose address has too many refusals waiting. */
const drop = (res: ServerResponse) => void res.destroy()

/** A request target without its query. */
function pathOf(target: string): string {
  const query = target.indexOf('?')
  return query === -1 ? target : target.slice(0, query)
}

/** A signal that fires when the connection closes before the answer went out; one a request, made on demand. */
function goneSignal(res: ServerResponse): () => AbortSignal {
  let controller: AbortController | undefined
  return () => {
    if (controller) return controller.signal
    const made = new AbortController()
    controller = made
    if (res.closed) made.abort()
    else res.once('close', () => res.writableFinished || made.abort())
    return made.signal
  }
}

function sendText(res: ServerResponse, { status, text, retryAfterMs }: TextReply): void {
  if (retryAfterMs !== undefined) res.setHeaders(new Map(Object.entries(retryHeaders(retryAfterMs))))
  // As text, head and body go out in one write.
  res.writeHead(status, { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(text) })
  res.end(text)
}
