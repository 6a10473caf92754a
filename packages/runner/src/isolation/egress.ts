import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Duplex, pipeline } from 'node:stream'
import type { Limits } from '@svc/contract/limits'
import { mayReach, mayReachTcp, type Reach } from '@svc/contract/reach'
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
import { listenAt } from './listen-at.ts'
import { openLocalNames } from './local-names.ts'
import { type MachineProxy, overProxy } from './machine-proxy.ts'
import { type Refused, refusalText, refusedBy } from './refusals.ts'

/** Where a process asks to go. */
export interface Destination {
  /** Of an address of version 6 in brackets, as a URL has it. */
  readonly name: string
  readonly port: number
  /** Fires when it has taken too long. */
  readonly signal: AbortSignal
}

/** Begins a connection, or returns why there is none: a sentence without its full stop. */
export type Route = (to: Destination) => Promise<Socket | string>

/** What a way out needs. */
export interface EgressParts {
  /** Where it listens: a socket that only what is behind one wall sees. */
  readonly socket: string
  readonly limits: Limits
  readonly route: Route
  /** Whether requests without TLS are carried too; otherwise only CONNECT is taken. */
  readonly takesPlain?: boolean
  /** How long nothing may move on a connection; `EGRESS_IDLE_MS` where left out. */
  readonly idleMs?: (to: Pick<Destination, 'name' | 'port'>) => number
}

/** The way out of what runs behind a wall: a proxy whose route decides, for each connection, whether it leads anywhere. */
export function openEgress(parts: EgressParts): Server {
  const { socket, limits, takesPlain = false } = parts
  const { createServer } = nodeHttp()
  const server = createServer((request, response) => {
    if (takesPlain) void carry(request, response, parts).catch(() => response.destroy())
    else refuseRequest(response, 405, 'only CONNECT is taken')
  })
  server.maxConnections = limits.EGRESS_CONNECTIONS_MAX
  // Of many requests at once on one connection each would open another one outwards.
  server.maxRequestsPerSocket = 1
  server.on('connect', (request, from, head) => void connect(request, from, head, parts))
  server.on('error', () => {})
  listenAt(server, socket)
  server.unref()
  return server
}

const AUTHORITY = /^(\[[\da-f:.]+\]|[\w.-]+):(\d{1,5})$/i

async function connect(
  { url = '' }: IncomingMessage,
  from: Duplex,
  head: Buffer,
  parts: EgressParts,
): Promise<void> {
  from.on('error', () => from.destroy())
  const [, name = '', port = ''] = AUTHORITY.exec(url) ?? []
  const to = await connected(from, { name: name || url, port: Number(port) }, parts)
  if (typeof to === 'string') {
    // Who asks may keep its own end open, and with that one of the few places.
    from.once('finish', () => from.destroy())
    return void from.end(`HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\n\r\n${to}\n`)
  }
  to.on('close', () => from.destroy())
  from.write('HTTP/1.1 200 Connection established\r\n\r\n')
  if (head.length > 0) to.write(head)
  from.pipe(to).pipe(from)
}

/** Headers that are of one connection; `expect` was answered already. */
const OF_CONNECTION = /^(connection|keep-alive|proxy-.*|te|trailer|upgrade|expect)$/i
const passedOn = (headers: IncomingHttpHeaders) => ({
  ...Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.test(name))),
  connection: 'close',
})

/** Carries one request without TLS, on a connection of its own. Rejects where the answer cannot be told. */
async function carry(request: IncomingMessage, response: ServerResponse, parts: EgressParts): Promise<void> {
  const { method, url: asked = '', headers } = request
  const url = URL.parse(asked)
  if (url?.protocol !== 'http:')
    return refuseRequest(response, 400, 'the URL must begin with http://, or be asked for by CONNECT')
  const { host, hostname: name, port, pathname, search } = url
  const to = await connected(response, { name, port: Number(port || 80) }, parts)
  if (typeof to === 'string') return refuseRequest(response, 403, to)
  const onward = nodeHttp().request({
    createConnection: () => to,
    method,
    path: pathname + search,
    // The host that was judged, and no other that is served at its address.
    headers: { ...passedOn(headers), host },
  })
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    // Of an answer that changes the protocol it is told as its close alone.
    onward.on('response', resolve).on('error', reject).on('close', reject)
  })
  pipeline(request, onward, () => {})
  const answer = await answered
  response.writeHead(answer.statusCode ?? 502, passedOn(answer.headers))
  pipeline(answer, response, () => {})
}

const refuseRequest = (response: ServerResponse, status: number, why: string) =>
  void response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(`${why}\n`)

/** Resolves with an open connection, or with why there is none. Where who asks goes first, what has begun ends. */
function connected(
  from: Duplex | ServerResponse,
  to: Omit<Destination, 'signal'>,
  { route, limits, idleMs = () => limits.EGRESS_IDLE_MS }: EgressParts,
): Promise<Socket | string> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), limits.EGRESS_CONNECT_MS)
  from.on('close', () => {
    clearTimeout(timer)
    late.abort()
  })
  return new Promise((resolve) => {
    const ready = (socket: Socket) => {
      clearTimeout(timer)
      socket.setTimeout(idleMs(to), () => socket.destroy())
      resolve(socket)
    }
    const begin = (socket: Socket | string) => {
      if (typeof socket === 'string') return resolve(socket)
      from.on('close', () => socket.destroy())
      socket.on('error', ({ code }: NodeJS.ErrnoException) => {
        resolve(`${to.name} cannot be reached (${code})`)
        // Where it stood already.
        socket.destroy()
      })
      if (late.signal.aborted) {
        socket.destroy()
        resolve(`${to.name} cannot be reached`)
      } else if (socket.connecting) socket.once('connect', () => ready(socket))
      else ready(socket)
    }
    route({ ...to, signal: late.signal }).then(begin, () => resolve(`${to.name} cannot be reached`))
  })
}

/** What decides where a plugin may go; `resolve` and `dial` are for tests. */
export interface ReachRoute {
  readonly reach?: Reach | undefined
  readonly allowLoopback: readonly LoopbackHost[]
  /** Whether the owner of this machine wrote the reach: its servers may be on this machine, or in its network. */
  readonly isOwn?: boolean
  /** The proxy of this machine, which its hosts are reached by; none where left out. */
  readonly machine?: (MachineProxy & { readonly lookupMs: number }) | undefined
  readonly resolve?: Resolve
  readonly dial?: Dial
  /** Called with each connection that is refused, before it is. */
  readonly onRefused?: ((refused: Refused) => void) | undefined
}

/**
 * The route of a plugin: to the hosts of its reach, and nowhere else. Each is looked up and judged again: every address
 * must be public, and the socket goes to one of those.
 */
export const routeByReach = ({
  reach,
  allowLoopback,
  isOwn = false,
  machine,
  resolve = askNameServers(),
  dial = dialChecked,
  onRefused,
}: ReachRoute): Route => {
  const addressesOf = openLocalNames()
  return async ({ name, port, signal }) => {
    const refuse = (because: Refused['because']) => {
      const refused = { name, port, because }
      onRefused?.(refused)
      return refusalText(refused)
    }
    const isServer = mayReachTcp(reach, name, port)
    if (!isServer && !mayReach(reach, name, port)) return refuse(refusedBy(reach, name))
    if (isServer && isOwn) {
      const own = await addressesOf(name).catch(() => [])
      return own.length === 0 ? refuse('unknown') : dial({ name, addresses: own, port, signal })
    }
    const here = loopbackOf(allowLoopback, new URL(`https://${name}:${port}`))
    const proxy = here === null && machine?.isDirect(name) === false ? machine.proxy : undefined
    // A network behind a proxy may know no names of others; what it knows is judged.
    const untilMs = proxy && AbortSignal.any([signal, AbortSignal.timeout(machine?.lookupMs ?? 0)])
    const addresses = here === null ? await resolve(name, untilMs ?? signal).catch(() => []) : [here]
    if (addresses.length === 0 && !proxy)
      return signal.aborted ? `${name} was not looked up in time` : refuse('unknown')
    if (here === null && !addresses.every(isPublicAddress)) return refuse('private')
    return proxy ? overProxy(proxy, { name, port, signal }) : dial({ name, addresses, port, signal })
  }
}
