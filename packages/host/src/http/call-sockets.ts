import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { errorBody, errorRow, Refusal, refuse } from '@svc/contract'
import { CALL_SOCKET_PROTOCOL } from '@svc/contract/wire'
import { WebSocketServer } from 'ws'
import type { SignIn } from '../users/sign-in.ts'
import { type CallSocket, type CallSocketParts, serveCalls } from './call-socket.ts'
import type { Guard } from './guard.ts'
import type { Head } from './head.ts'
import { NodeHead } from './node-head.ts'
import { paths } from './paths.ts'

/** The call sockets of a host: the RPC endpoint without a connection and a head for each body. */
export interface CallSockets {
  /** Takes over the connection of an upgrade request: a call socket, or a refusal over HTTP. */
  upgrade(req: IncomingMessage, socket: Duplex, first: Buffer): void
  /** Takes no more bodies, waits for the answers under way within `SHUTDOWN_MS`, then cuts. */
  close(): Promise<void>
}

/** What the room of call sockets needs. */
export interface CallSocketsParts extends CallSocketParts {
  readonly guard: Guard
  readonly signIn: SignIn
}

/** Opens the room. An upgrade is judged by its place, `Host`, `Origin` and sign-in; each body shows its own token. */
export function openCallSockets({ guard, signIn, ...parts }: CallSocketsParts): CallSockets {
  const { limits, log } = parts
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: limits.RPC_BODY_MAX_BYTES + limits.CALL_SOCKET_HEAD_MAX_BYTES,
    // The door says of each body whether it is UTF-8, as it does of a POST.
    skipUTF8Validation: true,
    handleProtocols: () => CALL_SOCKET_PROTOCOL,
  })
  /** Every connection taken over, also while it is judged or refused. */
  const connections = new Set<Duplex>()
  const sockets = new Map<CallSocket, string>()
  let closing = false

  async function admit(head: Head): Promise<string> {
    if (closing) throw leaving()
    if (head.url !== paths.calls) throw refuse('not_found', 'nothing is upgraded here')
    const misplaced = guard.host(head) ?? guard.origin(head)
    if (misplaced) throw misplaced
    const userId = await signIn.userOf(head)
    if (userId === null) throw refuse('invalid_token', 'call sockets need a sign-in')
    const offered = head.get('sec-websocket-protocol')
    if (!offered?.split(/\s*,\s*/).includes(CALL_SOCKET_PROTOCOL))
      throw refuse(
        'invalid_arg',
        `Sec-WebSocket-Protocol must offer ${CALL_SOCKET_PROTOCOL}, got ${JSON.stringify(offered ?? null)}`,
      )
    return userId
  }

  /** Nothing is waited for from the last look to the opened socket, so that no two take the same place. */
  function open(userId: string, head: Head, req: IncomingMessage, socket: Duplex, first: Buffer): void {
    if (closing) throw leaving()
    const max = limits.CALL_SOCKETS_PER_USER
    if ([...sockets.values()].filter((owner) => owner === userId).length >= max)
      throw refuse('rate_limited', `a user may have ${max} call sockets open`, {
        hint: 'Close another page, or send the calls by POST.',
      })
    server.handleUpgrade(req, socket, first, (opened) => {
      const served = serveCalls(opened, req.socket, head, parts)
      sockets.set(served, userId)
      opened.once('close', () => sockets.delete(served))
    })
  }

  return {
    upgrade(req, socket, first) {
      const broken = (error: unknown) => {
        log.debug({ err: error }, 'an upgrade broke')
        socket.destroy()
      }
      connections.add(socket)
      socket.once('close', () => connections.delete(socket)).on('error', broken)
      const head = new NodeHead(req)
      admit(head)
        .then((userId) => open(userId, head, req, socket, first))
        .catch((error: unknown) => {
          if (!(error instanceof Refusal)) log.error({ err: error }, 'a call socket could not be opened')
          refuseUpgrade(socket, error instanceof Refusal ? error : refuse('internal_error'))
        })
    },
    async close() {
      closing = true
      const ended = [...connections].map((one) => new Promise((resolve) => one.once('close', resolve)))
      for (const socket of sockets.keys()) socket.leave()
      const cut = setTimeout(() => {
        for (const one of connections) one.destroy()
      }, limits.SHUTDOWN_MS)
      await Promise.all(ended)
      clearTimeout(cut)
    },
  }
}

const leaving = () => refuse('agent_unavailable', 'this host is closing')

function refuseUpgrade(socket: Duplex, refusal: Refusal): void {
  const { status } = errorRow(refusal.code)
  const text = JSON.stringify({ error: errorBody(refusal) })
  // A caller that keeps its side open would keep the connection.
  socket.once('finish', () => socket.destroy())
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n` +
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
}
