import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Limits } from '@svc/contract/limits'
import { mayReach, type Reach } from '@svc/contract/reach'
import { nodeHttp } from '@svc/node'
import {
  askNameServers,
  type Dial,
  dialChecked,
  isPublicAddress,
  type LoopbackHost,
  loopbackOf,
  type Resolve,
} from '@svc/node/public-fetch'

/** What a way out needs; the last two are for tests. */
export interface EgressParts {
  /** Where it listens: a socket that only one plugin process sees. */
  readonly socket: string
  readonly reach?: Reach | undefined
  readonly limits: Limits
  readonly allowLoopback: readonly LoopbackHost[]
  readonly resolve?: Resolve
  readonly dial?: Dial
}

/**
 * The way out of one plugin process: a proxy that takes CONNECT to the hosts of its reach, and nothing else. Each is
 * looked up and judged again: every address must be public, and the socket goes to one of those.
 */
export function openEgress(parts: EgressParts): Server {
  const { socket, limits } = parts
  const { createServer } = nodeHttp()
  const server = createServer((_request, response) => {
    response
      .writeHead(405, { 'content-type': 'text/plain', connection: 'close' })
      .end('only CONNECT is taken\n')
  })
  server.maxConnections = limits.EGRESS_CONNECTIONS_MAX
  server.on('connect', (request, from) => void connect(request, from, parts))
  server.on('error', () => {})
  server.listen(socket)
  server.unref()
  return server
}

const AUTHORITY = /^([a-z0-9.-]+):(\d{1,5})$/i

async function connect({ url = '' }: IncomingMessage, from: Duplex, parts: EgressParts): Promise<void> {
  const { reach, limits, dial = dialChecked } = parts
  from.on('error', () => from.destroy())
  const refuse = (why: string) =>
    from.end(`HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\n\r\n${why}\n`)
  const [, name = '', port = ''] = AUTHORITY.exec(url) ?? []
  if (!mayReach(reach, name, Number(port)))
    return void refuse(`this plugin may not reach ${url.slice(0, 300)}`)
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), limits.EGRESS_CONNECT_MS)
  from.on('close', () => clearTimeout(timer))
  const { signal } = late
  const addresses = await addressesOf(name, Number(port), signal, parts).catch(() => [])
  if (addresses.length === 0) return void refuse(`${name} has no address, or one that is not public`)
  const to = dial({ name, addresses, port: Number(port), signal })
  to.on('error', () => from.destroy())
  from.on('close', () => to.destroy())
  to.on('close', () => from.destroy())
  to.once('connect', () => {
    clearTimeout(timer)
    from.write('HTTP/1.1 200 Connection established\r\n\r\n')
    to.setTimeout(limits.EGRESS_IDLE_MS, () => to.destroy())
    from.pipe(to).pipe(from)
  })
}

/** All addresses of a host, each of them public; none where one is not. */
async function addressesOf(
  name: string,
  port: number,
  signal: AbortSignal,
  { allowLoopback, resolve = askNameServers() }: EgressParts,
): Promise<readonly string[]> {
  const here = loopbackOf(allowLoopback, new URL(`https://${name}:${port}`))
  if (here !== null) return [here]
  const addresses = await resolve(name, signal)
  return addresses.every(isPublicAddress) ? addresses : []
}
