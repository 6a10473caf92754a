import { refuse } from '@svc/contract'
import { CALL_SOCKET_PROTOCOL } from '@svc/contract/wire'
import type { WebSocketServer } from 'ws'
import { type SignIn, signInKey } from '../../access/users/sign-in.ts'
import type { OpenUsers } from '../../access/users/users.ts'
import { openByOwner } from '../../kernel/by-owner.ts'
import type { Head } from '../../kernel/request/head.ts'
import type { Guard } from '../guard.ts'
import { CallSocket, type CallSocketParts } from './call-socket.ts'
import { openSocketServer } from './socket-server.ts'
import type { Upgrade, UpgradeHandler } from './upgrades.ts'

/** What call sockets need. */
export interface CallSocketsParts extends CallSocketParts {
  readonly guard: Guard
  readonly signIn: SignIn
  readonly users: Pick<OpenUsers, 'onEnd'>
}

/**
 * Opens the call sockets: the RPC endpoint without a connection and a head for each body. An upgrade is judged by
 * its `Origin` and sign-in; each body shows its own token.
 */
export function openCallSockets(parts: CallSocketsParts): UpgradeHandler {
  const { bodies, clock, guard, limiter, limits, signIn, users } = parts
  const server = openSocketServer({
    maxPayload: limits.RPC_BODY_MAX_BYTES + limits.CALL_SOCKET_HEAD_MAX_BYTES,
    // The gateway says of each body whether it is UTF-8, as it does of a POST.
    skipUTF8Validation: true,
    handleProtocols: () => CALL_SOCKET_PROTOCOL,
  })
  const sockets = openByOwner<CallSocket>()
  users.onEnd(({ user_id, sign_in }) => {
    for (const socket of sockets.of(user_id)) {
      const isOver = sign_in === undefined || signInKey(socket.head) === sign_in
      if (isOver) socket.cut('the sign-in of this socket has ended')
    }
  })

  /** Nothing is waited for from the last look to the opened socket, so that no two take the same place. */
  function open(
    server: WebSocketServer,
    userId: string,
    head: Head,
    untilMs: number | undefined,
    { req, socket, first }: Upgrade,
  ): void {
    const max = limits.CALL_SOCKETS_PER_USER
    if (sockets.count(userId) >= max)
      throw refuse('rate_limited', `a user may have ${max} call sockets open`, {
        hint: 'Close another page, or send the calls by POST.',
      })
    const frames = bodies.enter({ owner: userId, bytes: 0 })
    // What a listener of the socket can see lives as long as the socket: not the request.
    const connection = req.socket
    socket.once('close', frames.release)
    server.handleUpgrade(req, socket, first, (opened) => {
      const served = new CallSocket(opened, connection, { userId, head, frames }, parts)
      sockets.add(userId, served)
      opened.on('close', () => sockets.remove(userId, served))
      if (untilMs === undefined) return
      // What it was opened with is over: its page opens another with what it has now.
      opened.on(
        'close',
        clock.setTimer(() => served.drain(), Math.max(0, untilMs - clock.now())),
      )
    })
  }

  function drain(): void {
    for (const socket of sockets.all()) socket.drain()
  }

  return {
    async admit(head) {
      const misplaced = guard.origin(head)
      if (misplaced) {
        limiter.consumeFrom('refused', head)
        throw misplaced
      }
      if (guard.isUnclear(head))
        throw refuse('permission_denied', 'this browser does not say where its page sees this host', {
          denied_by: 'host',
          hint: 'Calls go by POST. Pass the Host of the page on to have them go over a socket.',
        })
      limiter.checkUnspent('refused', head)
      const userId = await signIn.userOf(head)
      if (userId === null) {
        limiter.consumeFrom('refused', head)
        throw refuse('invalid_token', 'call sockets need a sign-in')
      }
      limiter.consume('route', userId)
      const offered = head.get('sec-websocket-protocol')
      if (!offered?.split(',').some((one) => one.trim() === CALL_SOCKET_PROTOCOL))
        throw refuse(
          'invalid_arg',
          `Sec-WebSocket-Protocol must offer ${CALL_SOCKET_PROTOCOL}, got ${JSON.stringify(offered ?? null)}`,
        )
      const [ready, untilMs] = await Promise.all([server(), signIn.endOf(head)])
      return (upgrade) => open(ready, userId, head, untilMs, upgrade)
    },
    leave: drain,
    drain,
  }
}
