import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ErrorBody, errorBody, errorRow, type HostLimits, type Refusal, refuse } from '@svc/contract'
import { nodeHttp } from '@svc/node'
import { type Audit, noteDenied } from '../../access/audit/audit.ts'
import { hostClosing } from '../../kernel/leaving.ts'
import type { Limiter } from '../../kernel/limiter/limiter.ts'
import type { Logger } from '../../kernel/logger.ts'
import { loggedRefusal } from '../../kernel/refusal-of.ts'
import type { Head } from '../../kernel/request/head.ts'
import { localPath } from '../../kernel/request/paths.ts'
import type { Guard } from '../guard.ts'
import { retryAfterOf, retryHeaders } from '../rpc/reply.ts'
import { headOnly, NodeHead } from './node-head.ts'

/** An upgrade request as it came. */
export interface Upgrade {
  readonly req: IncomingMessage
  readonly socket: Duplex
  readonly first: Buffer
}

/** Handles the upgrade requests of a path. */
export interface UpgradeHandler {
  /**
   * Judges a request; the function that it resolves with takes over the connection at once. Either may throw a refusal.
   */
  admit(head: Head): Promise<(upgrade: Upgrade) => void>
  /** The host begins to close: what its other end can open again elsewhere is closed with what is under way on it. */
  leave(): void
  /** Closes each connection when what is under way on it is done. */
  drain(): void
}

/** What the upgrades need. */
export interface UpgradesParts {
  readonly guard: Guard
  readonly basePath: string
  readonly limits: Pick<HostLimits, 'HTTP_HEADERS_MS' | 'SHUTDOWN_MS'>
  readonly log: Logger
  readonly audit: Audit
  readonly limiter: Limiter
  /** By path. */
  readonly handlers: ReadonlyMap<string, UpgradeHandler>
}

/** Opens the upgrades: each is checked by its path and `Host` here, and by its handler. */
export function openUpgrades({
  guard,
  basePath,
  limits,
  log,
  audit,
  limiter,
  handlers: rooms,
}: UpgradesParts) {
  /** Every connection taken over, also while it is judged or refused. */
  const connections = new Set<Duplex>()
  let closing = false

  async function admit(head: Head): Promise<(upgrade: Upgrade) => void> {
    if (closing) throw hostClosing()
    const room = rooms.get(localPath(basePath, head.url))
    if (!room) throw refuse('not_found', 'nothing is upgraded here')
    const misplaced = guard.host(head)
    if (misplaced) {
      limiter.consumeFrom('refused', head)
      throw misplaced
    }
    return room.admit(head)
  }

  /** Apart from the rest: what its listeners can see lives as long as the connection. */
  function hold(socket: Duplex): void {
    connections.add(socket)
    socket.on('close', () => connections.delete(socket))
    socket.on('error', (error) => {
      log.debug({ err: error }, 'an upgrade broke')
      socket.destroy()
    })
  }

  /** Leaves a connection to others. One that nobody takes is closed: Node counts no upgrade and has no timeout for it. */
  function leave(socket: Duplex & { readonly bytesWritten?: number }): void {
    socket.on('error', () => socket.destroy())
    const { bytesWritten } = socket
    const timer = setTimeout(() => {
      if (socket.bytesWritten === bytesWritten) socket.destroy()
    }, limits.HTTP_HEADERS_MS)
    socket.once('close', () => clearTimeout(timer))
  }

  return {
    /** Takes over the connection of an upgrade request, refuses it over HTTP, or leaves it to others that listen. */
    upgrade(req: IncomingMessage, socket: Duplex, first: Buffer) {
      if (!rooms.has(localPath(basePath, req.url ?? '')) && isHeardByOthers(req)) return leave(socket)
      hold(socket)
      const head = new NodeHead(headOnly(req))
      admit(head)
        .then((open) => {
          if (closing) throw hostClosing()
          open({ req, socket, first })
        })
        .catch(async (error: unknown) => {
          noteDenied(audit, error, { head, method: req.url?.split('?', 1)[0] ?? '' })
          const refusal = loggedRefusal(log, error, 'an upgrade failed')
          const turn = refusal.code === 'rate_limited' ? limiter.slowRefusal(head) : null
          if (turn && !(await turn)) socket.destroy()
          else refuseUpgrade(socket, refusal)
        })
    },
    /** Takes no more: call sockets close, links of machines stay for their jobs. */
    leave() {
      closing = true
      for (const room of rooms.values()) room.leave()
    },
    /** Takes no more, waits for what is under way within `SHUTDOWN_MS`, then cuts. */
    async close() {
      closing = true
      const ended = [...connections].map((one) => new Promise((resolve) => one.once('close', resolve)))
      for (const room of rooms.values()) room.drain()
      const cut = setTimeout(() => {
        for (const one of connections) one.destroy()
      }, limits.SHUTDOWN_MS)
      await Promise.all(ended)
      clearTimeout(cut)
    },
  }
}

/** The upgrade requests of a host. */
export type Upgrades = ReturnType<typeof openUpgrades>

/** Whether the server of a request has others that take upgrades: what is not for us is theirs. */
function isHeardByOthers({ socket }: IncomingMessage): boolean {
  const { server } = socket as { readonly server?: { listenerCount(name: string): number } }
  return (server?.listenerCount('upgrade') ?? 1) > 1
}

function refuseUpgrade(socket: Duplex, refusal: Refusal): void {
  const { status } = errorRow(refusal.code)
  const text = JSON.stringify({ error: errorBody(refusal) satisfies ErrorBody })
  const retry = Object.entries(retryHeaders(retryAfterOf(refusal)))
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  // A caller that keeps its side open would keep the connection.
  socket.once('finish', () => socket.destroy())
  socket.end(
    `HTTP/1.1 ${status} ${nodeHttp().STATUS_CODES[status]}\r\nConnection: close\r\n${retry}` +
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
}
