import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { errorBody, errorRow, type Limits, Refusal, refuse, WINDOW_TOKEN_HEADER } from '@svc/contract'
import { CALL_SOCKET_PROTOCOL } from '@svc/contract/wire'
import type { Logger } from 'pino'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Clock } from '../clock.ts'
import { type Door, isTicket, type Reply } from '../rpc/door.ts'
import type { SignIn } from '../users/sign-in.ts'
import { when } from '../when.ts'
import { Exchange } from './exchange.ts'
import type { Guard } from './guard.ts'
import type { Head } from './head.ts'
import { nodeHead } from './node-head.ts'
import { paths } from './paths.ts'
import { openWriter } from './socket-writer.ts'

/** The call sockets of a host: the RPC endpoint without a connection and a head for each body. */
export interface CallSockets {
  /** Takes over the connection of an upgrade request: a call socket, or a refusal over HTTP. */
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Takes no more bodies, waits for the answers under way within `SHUTDOWN_MS`, then cuts. */
  close(): Promise<void>
}

/** What call sockets need. */
export interface CallSocketParts {
  readonly door: Door
  readonly guard: Guard
  readonly signIn: SignIn
  readonly clock: Clock
  readonly limits: Limits
  readonly log: Logger
}

/** How a socket is closed; WebSocket's own numbers (RFC 6455 §7.4.1). */
const CLOSE = { leaving: 1001, noFrame: 1008, noText: 1003 } as const

/** Opens the room of call sockets. Each body is judged by the door, as a POST is. */
export function openCallSockets({ door, guard, signIn, clock, limits, log }: CallSocketParts): CallSockets {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: limits.RPC_BODY_MAX_BYTES + limits.CALL_SOCKET_HEAD_MAX_BYTES,
    handleProtocols: (offered) => offered.has(CALL_SOCKET_PROTOCOL) && CALL_SOCKET_PROTOCOL,
  })
  const sockets = new Set<ReturnType<typeof serve>>()
  let closing = false

  /** Judged by Host, Origin and sign-in before anything is spent on it; each body shows its token. */
  async function judge(head: Head): Promise<Refusal | null> {
    if (closing) return refuse('agent_unavailable', 'this host is closing')
    if (head.url !== paths.calls) return refuse('not_found', 'nothing is upgraded here')
    const misplaced = guard.host(head) ?? guard.origin(head)
    if (misplaced) return misplaced
    return (await signIn.userOf(head)) === null
      ? refuse('invalid_token', 'call sockets need a sign-in')
      : null
  }

  /** Carries the bodies of one socket. */
  function serve(socket: WebSocket, head: Head) {
    const open = new Map<string, Exchange>()
    const writer = openWriter(socket, clock, limits)
    let leaving = false
    /** Answers that are not written yet. */
    let underWay = 0
    const rest = () => {
      if (!leaving || open.size > 0) return
      writer.flush()
      socket.close(CLOSE.leaving)
    }

    function take(frame: Buffer) {
      const end = frame.indexOf(0x0a)
      const [n = '', token] = frame.toString('latin1', 0, end === -1 ? undefined : end).split(' ')
      if (end === -1) return open.get(n)?.giveUp()
      if (leaving) return
      if (token === undefined || open.has(n))
        return socket.close(CLOSE.noFrame, 'a frame is "<n> <token>\\n<body>"')
      const exchange = new Exchange()
      open.set(n, exchange)
      const answered = () => {
        open.delete(n)
        rest()
      }
      const sent = when(door.admit(bodyHead(head, token)), (admission) =>
        when(
          isTicket(admission) ? door.answer(admission, frame.subarray(end + 1), exchange.gone) : admission,
          (reply) => answer(n, reply, exchange),
        ),
      )
      if (sent instanceof Promise)
        sent.catch((error: unknown) => log.error({ err: error }, 'an answer failed')).then(answered)
      else answered()
    }

    /** Writes the answers to a body, each when it is ready. */
    function answer(n: string, reply: Reply, exchange: Exchange): Promise<unknown> | undefined {
      const write = (text: string) => {
        underWay -= 1
        if (!exchange.isGone) writer.add(`${n} ${reply.status} ${text}\n`, underWay)
      }
      const answers = 'text' in reply ? [reply.text] : reply.answers
      underWay += answers.length
      const written = answers.map((text) => when(text, write))
      return written.some((one) => one instanceof Promise) ? Promise.all(written) : undefined
    }

    socket.on('message', (data, isBinary) => {
      if (isBinary) socket.close(CLOSE.noText, 'frames are text')
      else take(data as Buffer)
    })
    // A broken socket also closes; the listener only keeps the error from ending the process.
    socket.on('error', (error) => log.debug({ err: error }, 'a call socket broke'))
    socket.once('close', () => {
      writer.end()
      for (const exchange of open.values()) exchange.giveUp()
      sockets.delete(served)
    })
    const served = {
      leave() {
        leaving = true
        rest()
      },
      cut: () => socket.terminate(),
    }
    return served
  }

  return {
    upgrade(req, socket, first) {
      const broken = (error: unknown) => {
        log.debug({ err: error }, 'an upgrade broke')
        socket.destroy()
      }
      socket.on('error', broken)
      const head = nodeHead(req)
      judge(head)
        .catch((error: unknown) => {
          if (error instanceof Refusal) return error
          log.error({ err: error }, 'a call socket could not be opened')
          return refuse('internal_error')
        })
        .then((refused) => {
          if (refused) return refuseUpgrade(socket, refused)
          socket.off('error', broken)
          server.handleUpgrade(req, socket, first, (opened) => sockets.add(serve(opened, head)))
        })
        .catch(broken)
    },
    async close() {
      closing = true
      const ended = [...server.clients].map((one) => new Promise((resolve) => one.once('close', resolve)))
      for (const one of sockets) one.leave()
      const cut = setTimeout(() => {
        for (const one of sockets) one.cut()
      }, limits.SHUTDOWN_MS)
      await Promise.all(ended)
      clearTimeout(cut)
      server.close()
    },
  }
}

/** The head that a POST of this body would have had. */
function bodyHead(head: Head, token: string): Head {
  const own = new Map<string, string | undefined>([
    [WINDOW_TOKEN_HEADER, token],
    ['content-type', 'application/json'],
    ['content-length', undefined],
  ])
  return {
    method: 'POST',
    url: paths.rpc,
    get: (name) => (own.has(name) ? own.get(name) : head.get(name)),
    request: head.request,
  }
}

function refuseUpgrade(socket: Duplex, refusal: Refusal): void {
  const text = JSON.stringify({ error: errorBody(refusal) })
  socket.end(
    `HTTP/1.1 ${errorRow(refusal.code).status} Refused\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
}
