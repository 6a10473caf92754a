import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { type Duplex, pipeline } from 'node:stream'
import { TestHostError } from '../errors/test-host-error.ts'
import type { Bend } from './bend.ts'
import { type BendName, bendTable } from './bends.ts'

/** How to start a front. */
export interface BendingFrontOptions {
  /** The address of a host that listens, or of the page with one behind it: `http://127.0.0.1:8787`. */
  readonly target: string
  /** What it bends, by name or as an object of your own. Default: nothing. */
  readonly bends?: readonly (BendName | Bend)[]
}

/** A front before a host. */
export interface BendingFront {
  /** Its address on loopback. */
  readonly url: string
  /** Bends from now on what is named here, and nothing else; without a name, nothing. */
  bend(...bends: readonly (BendName | Bend)[]): void
  /** Breaks off all that is open, as a network does that changes. */
  cut(): void
  /** Breaks off all that is open, and listens no longer. */
  close(): Promise<void>
}

/** How long a WebSocket works before it is deaf or cut, in ms. */
const SOCKET_MS = 300

/**
 * Starts a front on loopback that plays proxies, middleware and networks before a host that runs, so that a page can be
 * tested behind them. What no bend names passes as it came, `Host` included.
 *
 * @throws TestHostError where a bend has no such name.
 * @example
 * ```ts
 * const front = await createBendingFront({ target: host.url, bends: ['holds_events'] })
 * await page.goto(front.url)
 * front.bend('sign_in_page_200')
 * ```
 */
export async function createBendingFront({ target, bends = [] }: BendingFrontOptions): Promise<BendingFront> {
  const { hostname, port, host } = new URL(target)
  let chosen: readonly Bend[] = []
  let left = new Map<Bend, number>()
  const open = new Set<Duplex>()
  const cut = () => {
    for (const socket of open) socket.destroy()
    server.closeAllConnections()
  }
  const bend = (...given: readonly (BendName | Bend)[]) => {
    chosen = given.map((one) => (typeof one === 'string' ? bendOf(one) : one))
    left = new Map(chosen.map((one) => [one, one.times ?? Number.POSITIVE_INFINITY]))
  }
  const bendsOf = ({ url = '', method = '' }: IncomingMessage) =>
    chosen.filter(({ on, methods }) => (on?.test(url) ?? true) && (methods?.test(method) ?? true))

  /** Whether a bend answered in place of the host. */
  function answered(bends: readonly Bend[], req: IncomingMessage, res: ServerResponse): boolean {
    for (const one of bends) {
      const { answer } = one
      const times = left.get(one) ?? 0
      if (!answer || times <= 0) continue
      left.set(one, times - 1)
      if (answer === 'reset') req.socket.destroy()
      if (typeof answer === 'object') {
        req.resume()
        res.writeHead(answer.status, answer.headers).end(answer.body)
      }
      return true
    }
    return false
  }

  const server = createServer((req, res) => {
    const bends = bendsOf(req)
    if (answered(bends, req, res)) return
    const headers = { ...req.headers }
    for (const one of bends) one.request?.(headers, host)
    const maxBytes = Math.min(...bends.map((one) => one.maxBytes ?? Number.POSITIVE_INFINITY))
    const delayMs = Math.max(0, ...bends.map((one) => one.delayMs ?? 0))
    const timer = setTimeout(() => {
      const ahead = request({ hostname, port, method: req.method, headers, path: req.url, setHost: false })
      ahead.once('response', (reply) => pass(reply, bends, res))
      ahead.on('error', () => res.destroy())
      res.once('close', () => ahead.destroy())
      let bytes = 0
      req.on('data', (piece: Buffer) => {
        bytes += piece.length
        if (bytes <= maxBytes || res.headersSent) return
        // What it still sends is read, so that it reads the answer.
        req.unpipe(ahead).resume()
        ahead
          .removeAllListeners('error')
          .on('error', () => undefined)
          .destroy()
        res.writeHead(413, { 'content-type': 'text/html' }).end('<h1>413 Request Entity Too Large</h1>')
      })
      req.pipe(ahead)
    }, delayMs)
    res.once('close', () => clearTimeout(timer))
  })

  server.on('upgrade', (req, socket: Duplex, head) => {
    open.add(socket.on('error', () => socket.destroy()))
    socket.once('close', () => open.delete(socket))
    const upgrade = bendsOf(req).find((one) => one.upgrade !== undefined)?.upgrade
    if (upgrade === 'never') return
    if (typeof upgrade === 'number') {
      socket.end(
        `HTTP/1.1 ${upgrade} x\r\ncontent-type: text/html\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
      )
      return
    }
    const headers = { ...req.headers }
    for (const one of bendsOf(req)) one.request?.(headers, host)
    const ahead = connect(Number(port), hostname)
    open.add(ahead.on('error', () => socket.destroy()))
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    ahead.write(`GET ${req.url} HTTP/1.1\r\n${lines.join('')}\r\n`)
    ahead.write(head)
    pipeline(ahead, socket, ahead, () => undefined)
    if (upgrade === undefined) return
    const timer = setTimeout(() => {
      if (upgrade === 'cut') socket.destroy()
      for (const one of [ahead, socket]) one.unpipe().resume()
    }, SOCKET_MS)
    socket.once('close', () => clearTimeout(timer))
  })

  bend(...bends)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bend,
    cut,
    async close() {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
  }
}

/** Gives an answer on, bent. */
function pass(reply: IncomingMessage, bends: readonly Bend[], res: ServerResponse): void {
  const headers: OutgoingHttpHeaders = { ...reply.headers }
  for (const one of bends) one.response?.(headers)
  const bodies = bends.flatMap((one) => one.body?.(headers) ?? [])
  if (bodies.length > 0) delete headers['content-length']
  res.writeHead(reply.statusCode ?? 502, headers)
  res.flushHeaders()
  pipeline([reply, ...bodies, res], () => undefined)
}

function bendOf(name: BendName): Bend {
  const bend: Bend | undefined = bendTable[name]
  if (!bend)
    throw new TestHostError(
      `there is no bend ${JSON.stringify(name)}`,
      `It is one of ${Object.keys(bendTable).join(', ')}, or an object of your own.`,
    )
  return bend
}
