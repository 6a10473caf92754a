import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Limits } from '@svc/contract'
import type { Settings } from '../house.ts'
import type { Fronts } from './fronts.ts'
import { nodeFront } from './node-front.ts'

/** Where a host listens. */
export interface Listening {
  readonly url: string
  readonly port: number
}

/** The HTTP server of a host. */
export interface Listener {
  listen(port: number, address?: string): Promise<Listening>
  /** Takes no more requests, waits for the ones under way within `SHUTDOWN_MS`, then cuts them. */
  close(): Promise<void>
}

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost'])

/** Makes the server; it opens no port until `listen`. */
export function openListener(fronts: Fronts, settings: Settings, limits: Limits): Listener {
  const servers = new Set<Server>()
  return {
    async listen(port, address = '127.0.0.1') {
      if (settings.signIn === 'dev' && !LOOPBACK.has(address))
        throw new Error(
          `the development sign-in lets anybody in and listens on loopback only, got ${address}; give createHost an authenticate`,
        )
      const server = createServer(
        {
          headersTimeout: limits.HTTP_HEADERS_MS,
          requestTimeout: limits.HTTP_REQUEST_MS,
          connectionsCheckingInterval: 1_000,
          // Clients that offer HTTP/2 on the side are answered in the HTTP they speak.
          shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
        },
        nodeFront(fronts, limits),
      )
      server.on('upgrade', fronts.upgrades.upgrade)
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, address, () => {
          server.off('error', reject)
          resolve()
        })
      })
      servers.add(server)
      const { port: taken } = server.address() as AddressInfo
      const host = address.includes(':') ? `[${address}]` : address
      return { url: `http://${host}:${taken}`, port: taken }
    },
    async close() {
      const closed = [...servers].map((server) => closeServer(server, limits.SHUTDOWN_MS))
      await Promise.all([fronts.upgrades.close(), ...closed])
      servers.clear()
    },
  }
}

function closeServer(server: Server, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), withinMs)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    server.closeIdleConnections()
  })
}
