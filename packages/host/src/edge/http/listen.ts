import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Limits } from '@svc/contract'
import { nodeHttp } from '@svc/node'
import {
  address as addressRule,
  OptionError,
  object,
  optionProblem,
  port as portRule,
} from '@svc/node/options'
import { openInFlight } from '../../kernel/inflight.ts'
import type { Leaving } from '../../kernel/leaving.ts'
import type { Addresses } from '../../kernel/limiter/addresses.ts'
import type { Settings } from '../../kernel/services.ts'
import type { Fronts } from './fronts.ts'
import { nodeFront } from './node-front.ts'
import { START_QUERY } from './start-token.ts'

/** Where a host listens. */
export interface Listening {
  /** With the base path, such as `http://127.0.0.1:8787` or `http://127.0.0.1:8787/svc`. */
  readonly url: string
  /** What to open in a browser: the URL, with the start token where the host has the development sign-in. */
  readonly startUrl: string
  /** The port that it listens on. */
  readonly port: number
}

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost'])

/** Whether an address to listen on is reached from this machine alone. */
export const isLoopback = (address: string): boolean => LOOPBACK.has(address)

/** Where a host is to listen. */
export interface ListenPlace {
  /** 0 takes a free one. */
  readonly port: number
  /** An address of this machine. */
  readonly address: string
}

const place = object({ port: portRule, address: addressRule }, 'port')

/** Says why a host with this sign-in does not listen there; `null`: it does, if the machine lets it. */
export function listenProblem(signIn: 'dev' | 'none', where: ListenPlace): string | null {
  const problem = optionProblem(place, where)
  if (problem !== null || signIn !== 'dev' || isLoopback(where.address)) return problem
  return `the development sign-in asks for no password and listens on loopback only, got address ${where.address}; give authenticate in its place`
}

/** Makes the server; it opens no port until `listen`. */
export function openListener(
  fronts: Fronts,
  settings: Settings,
  limits: Limits,
  leaving: Pick<Leaving, 'isLeaving'>,
) {
  const servers = new Set<Server>()
  const byAddress = countConnections(fronts.addresses, limits.CONNECTIONS_PER_ADDRESS)
  return {
    async listen(port: number, address: string) {
      const problem = listenProblem(settings.signIn, { port, address })
      if (problem !== null) throw new OptionError(`listen: ${problem}`)
      const server = nodeHttp().createServer(
        {
          headersTimeout: limits.HTTP_HEADERS_MS,
          requestTimeout: limits.HTTP_REQUEST_MS,
          connectionsCheckingInterval: 1_000,
          // Clients that offer HTTP/2 on the side are answered in the HTTP they speak.
          shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
        },
        nodeFront(fronts),
      )
      server.maxConnections = limits.CONNECTIONS_MAX
      server.on('connection', byAddress)
      server.prependListener('request', (_, res) => {
        // A proxy is not to send the next request on a connection that is about to end.
        if (leaving.isLeaving) res.shouldKeepAlive = false
      })
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
      const url = `http://${host}:${taken}${settings.basePath}`
      const start = settings.startToken === null ? '' : `/?${START_QUERY}=${settings.startToken}`
      return { url, startUrl: url + start, port: taken }
    },
    /** Takes no more requests, waits for the ones under way within `SHUTDOWN_MS`, then cuts them. */
    async close() {
      const closed = [...servers].map((server) => closeServer(server, limits.SHUTDOWN_MS))
      await Promise.all([fronts.upgrades.close(), ...closed])
      servers.clear()
    },
  }
}

/** The HTTP server of a host. */
export type Listener = ReturnType<typeof openListener>

/** Closes connections of an address that has too many; a proxy has those of many. */
function countConnections(addresses: Addresses, max: number): (socket: Socket) => void {
  const open = openInFlight(max)
  return (socket) => {
    const peer = socket.remoteAddress
    const address = addresses.of({ peer, get: () => undefined })
    if (address === undefined || addresses.isProxy(peer)) return
    if (!open.enter(address)) socket.destroy()
    else socket.once('close', () => open.leave(address))
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
