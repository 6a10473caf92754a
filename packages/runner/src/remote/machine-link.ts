import type { Socket } from 'node:net'
import type { Limits } from '@svc/contract/limits'
import type { Clock } from '@svc/node'
import type { WebSocket } from 'ws'
import type { LocalRunner } from '../calls/local-runner.ts'
import {
  type HostMessage,
  LINK_CLOSE,
  LINK_VERSION,
  type LinkMachine,
  linkProof,
  PACKET_HEAD_BYTES,
} from '../link/index.ts'
import { openWire } from '../link/wire.ts'
import type { Log } from '../port/log.ts'
import { type AllowPlugin, openGate } from './allow.ts'
import type { Identity } from './identity.ts'
import { readHostMessage } from './read-message.ts'
import { type LinkWork, serveLink } from './serve-link.ts'

/** What one link of a machine takes. */
export interface MachineLinkParts {
  readonly address: URL
  readonly token: string
  readonly identity: Identity
  readonly machine: LinkMachine
  readonly runner: LocalRunner
  readonly allow: AllowPlugin
  readonly log: Log
  readonly clock: Clock
  readonly limits: Limits
  /** Its abort ends the link. */
  readonly signal: AbortSignal
  readonly onOnline: (welcome: Welcome) => void
}

type Welcome = Extract<HostMessage, { readonly type: 'welcome' }>

/** How a link ended, or why it did not come about: an HTTP status, or a number of WebSocket; and a sentence. */
export interface LinkEnd {
  readonly status?: number
  readonly code?: number
  readonly problem: string
}

/**
 * One link from its first byte to its end; resolves when nothing of it is left, its processes included, so that nothing
 * of the next one can meet them. Never rejects.
 */
export async function machineLink(parts: MachineLinkParts): Promise<LinkEnd> {
  const { signal } = parts
  const socket = await dial(parts).catch((error: Error) => error)
  if (socket instanceof Error) return { problem: `the link cannot be opened: ${socket.message}` }
  const onAbort = () => socket.terminate()
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  return new Promise((resolve) => {
    const leave = () => signal.removeEventListener('abort', onAbort)
    const fail = (end: LinkEnd) => {
      leave()
      resolve(end)
    }
    socket.once('upgrade', ({ socket: connection }) => {
      // In the very turn in which it opens: what the host says at once is heard, its end included.
      socket.once('open', () => {
        leave()
        resolve(serve(socket, connection, parts))
      })
    })
    socket.once('unexpected-response', (request, { statusCode: status = 0 }) => {
      request.destroy()
      fail({ status, problem: `the host answered ${status} instead of a link` })
    })
    socket.on('error', ({ message }) => fail({ problem: `the host cannot be reached: ${message}` }))
    socket.once('close', () => fail({ problem: 'the connection was closed before the link was made' }))
  })
}

/** A host that has a runner of its own loads no client of WebSockets. */
async function dial({ address, token, limits }: MachineLinkParts): Promise<WebSocket> {
  const { WebSocket } = await import('ws')
  return new WebSocket(address, {
    headers: { authorization: `Bearer ${token}` },
    handshakeTimeout: limits.RUNNER_CONNECT_MS,
    maxPayload: limits.LINK_PART_BYTES + PACKET_HEAD_BYTES,
    perMessageDeflate: false,
  })
}

function serve(socket: WebSocket, connection: Socket, parts: MachineLinkParts): Promise<LinkEnd> {
  const { address, clock, identity, limits, log, machine, runner, signal } = parts
  let served: LinkWork | undefined
  let keeping: Promise<void> | undefined
  let isChallenged = false
  const { promise: ended, resolve: over } = Promise.withResolvers<LinkEnd>()
  const wire = openWire(socket, connection, {
    clock,
    limits,
    room: (head) => served?.room(head) ?? (head.type === 'challenge' || head.type === 'welcome' ? 0 : null),
    onMessage(head, body) {
      const message = readHostMessage(head)
      if (!message) return
      if (served) served.take(message, Buffer.from(body.buffer, body.byteOffset, body.length))
      else if (message.type === 'challenge') answer(message)
      else if (message.type === 'welcome' && isChallenged) begin(message)
    },
    onTooLong: ({ type }) => wire.end(LINK_CLOSE.malformed, `a ${type} is too long`),
    onEnd: ({ code, reason }) => over({ code, problem: reason || `the link was closed with ${code}` }),
  })
  const onAbort = () => wire.end(1000, 'the machine is closing')
  /** Of the wait for the welcome, and then of the signs of life. */
  let stopTimer = clock.setTimer(
    () =>
      wire.end(
        LINK_CLOSE.silent,
        isChallenged
          ? 'the host sent no welcome to the machine'
          : 'the host sent no challenge: it may be older than this machine',
      ),
    limits.RUNNER_HELLO_MS,
  )

  function answer({ runner_id, nonce }: Extract<HostMessage, { readonly type: 'challenge' }>): void {
    if (isChallenged) return
    isChallenged = true
    const { host } = address
    const signature = identity.sign(linkProof({ host, runner_id, nonce }))
    wire.send({ type: 'hello', version: LINK_VERSION, host, key: identity.key, signature, ...machine })
  }

  /** The token that was shown stays good until the host knows that the next one is stored. */
  async function keep({ token, epoch }: Welcome): Promise<void> {
    try {
      await identity.keep(token, epoch)
      wire.send({ type: 'kept' })
    } catch (err) {
      const why = err instanceof Error ? err.message : String(err)
      log.warn(
        { err, event: 'token_not_stored' },
        `the next token of this machine could not be stored, so it keeps the previous one: ${why}`,
      )
    }
  }

  function begin(welcome: Welcome): void {
    stopTimer()
    served = serveLink({
      clock,
      limits,
      runner,
      send: wire.send,
      waitingBytes: () => wire.waitingBytes,
      gate: openGate({ allow: parts.allow, userId: welcome.user_id, clock, limits, log }),
    })
    wire.watch(welcome.silent_ms)
    const pong = () => {
      stopTimer = clock.setTimer(pong, welcome.ping_ms)
      wire.send({ type: 'pong', stats: runner.stats() })
    }
    stopTimer = clock.setTimer(pong, welcome.ping_ms)
    keeping = keep(welcome)
    parts.onOnline(welcome)
  }

  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  return ended.then(async (end) => {
    stopTimer()
    signal.removeEventListener('abort', onAbort)
    await Promise.all([served?.end('the link to the host is lost'), wire.gone, keeping])
    return end
  })
}
