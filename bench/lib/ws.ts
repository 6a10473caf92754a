import { createRequire } from 'node:module'

/** As much of a socket as a measurement needs. */
interface Socket extends NodeJS.EventEmitter {
  send(data: unknown): void
  terminate(): void
}
interface SocketServer extends NodeJS.EventEmitter {
  address(): { readonly port: number }
}

/** The `ws` that host and runner use: the limit is measured with the very code that is measured against it. */
export const { WebSocket, WebSocketServer } = createRequire(import.meta.resolve('@svc/runner'))('ws') as {
  readonly WebSocket: new (
    url: string,
    ...more: [options: object] | [protocols: readonly string[], options: object]
  ) => Socket
  readonly WebSocketServer: new (options: object) => SocketServer
}
