import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createPlain } from 'node:http'
import { createServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { type Limits, limits } from '@svc/contract'
import { afterEach } from 'vitest'
import { type FrozenClock, frozenClock } from '../clock-frozen.ts'
import { selfSigned } from './certificate-for-tests.ts'
import type { Destination } from './connect.ts'
import { readLoopbackHost } from './loopback.ts'
import { openPublicFetch, type PublicFetch } from './public-fetch.ts'
import type { Resolve } from './resolve.ts'

/** An address of the public internet, as far as any rule knows. */
export const PUBLIC = '93.184.216.34'
const certificate = selfSigned(['cdn.site.org', 'other.site.org', 'img.test'], [[93, 184, 216, 34]])

/** Answers one request of a test. */
export type Serve = (req: IncomingMessage, res: ServerResponse) => void

/** What a test of fetching may change. */
export interface FetchBedOptions {
  readonly resolve?: Resolve
  readonly limits?: Partial<Limits>
  /** Makes the loopback hosts from the port of the server. */
  readonly allow?: (port: number) => readonly string[]
  readonly plain?: boolean
  /** Trusts the usual certificates alone, so that the server's is not valid. */
  readonly distrust?: boolean
  /** Leaves the connections to the product: nothing leads a public address to the server. */
  readonly ownDial?: boolean
}

/** A server behind every public address, and what was asked of it and of the world on the way. */
export interface FetchBed {
  readonly fetch: PublicFetch
  readonly clock: FrozenClock
  readonly port: number
  /** Destinations of sockets, in order. */
  readonly dialed: Destination[]
  /** Names that were looked up, in order. */
  readonly asked: string[]
  readonly requests: IncomingMessage[]
  /** Fetches a URL and answers its bytes as text. */
  text(url: string, maxBytes?: number): Promise<string>
  close(): Promise<void>
}

/** Opens a server on loopback and a fetch whose sockets to public addresses lead there. */
export async function openFetchBed(serve: Serve, options: FetchBedOptions = {}): Promise<FetchBed> {
  const requests: IncomingMessage[] = []
  const heard: Serve = (req, res) => {
    requests.push(req)
    serve(req, res)
  }
  const server = options.plain ? createPlain(heard) : createServer(certificate, heard)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const clock = frozenClock()
  const dialed: Destination[] = []
  const asked: string[] = []
  const fetch = openPublicFetch({
    clock,
    limits: { ...limits, ...options.limits },
    allowLoopback: (options.allow?.(port) ?? []).flatMap((entry) => readLoopbackHost(entry) ?? []),
    resolve: async (name, signal) => {
      asked.push(name)
      return options.resolve ? options.resolve(name, signal) : [PUBLIC]
    },
    ...(!options.ownDial && {
      dial: (to) => {
        dialed.push(to)
        return connect({ host: '127.0.0.1', port, signal: to.signal })
      },
    }),
    ...(!options.distrust && { ca: certificate.cert }),
  })
  return {
    fetch,
    clock,
    port,
    dialed,
    asked,
    requests,
    async text(url, maxBytes = 1_000) {
      const { bytes } = await fetch.get(fetch.judge(url), { maxBytes, signal: new AbortController().signal })
      return bytes.toString()
    },
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** Answers every request alike. */
export const hello: Serve = (_req, res) => res.setHeader('content-type', 'Image/PNG; x=1').end('hello')

/** Opens servers in the tests of a file, and closes them after each. */
export function fetchBeds() {
  const beds: FetchBed[] = []
  afterEach(async () => {
    await Promise.all(beds.splice(0).map((bed) => bed.close()))
  })
  return async (serve: Serve, options?: FetchBedOptions): Promise<FetchBed> => {
    const bed = await openFetchBed(serve, options)
    beds.push(bed)
    return bed
  }
}
