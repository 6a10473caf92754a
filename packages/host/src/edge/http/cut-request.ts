import type { IncomingMessage } from 'node:http'
import type { BodyHead } from '../../kernel/limiter/bodies.ts'

/** As Node answers a request that took too long as a whole. */
const TIMEOUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n'

/** The body of a `node:http` request, which is cut off where nothing of it comes. */
export function announced(owner: string, req: IncomingMessage): BodyHead {
  const { socket } = req
  const length = req.headers['content-length']
  return {
    owner,
    bytes: length === undefined ? undefined : Number(length),
    onGone: (listener) => void req.once('close', listener),
    // NaN differs from itself: of a body that is whole, or waits for its reader here, nothing is missing.
    came: () => (req.complete || req.readableLength > 0 ? Number.NaN : socket.bytesRead),
    cut: () => void (socket.writable ? socket.end(TIMEOUT, () => socket.destroy()) : socket.destroy()),
  }
}
