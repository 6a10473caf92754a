import { lazy } from '@svc/node'
import type { ServerOptions, WebSocketServer } from 'ws'

/** Returns a function that returns a server of WebSockets without a port; `ws` is loaded with the first upgrade. */
export const openSocketServer = (options: ServerOptions): (() => Promise<WebSocketServer>) =>
  lazy(async () => {
    const { WebSocketServer } = await import('ws')
    return new WebSocketServer({ ...options, noServer: true, clientTracking: false })
  })
