import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '@svc/node'
import type { Bus } from '@svc/state'
import { BusError } from '@svc/state/driver'
import { BODY_MAX_BYTES, header, type Signs, STRANGER, status } from './headers.ts'
import { openNonces } from './nonces.ts'
import { digestOf, isSame, type Question, type Signatures } from './signature.ts'

/** What answers the questions of other hosts. */
export interface PeerServerOptions {
  readonly listen: { readonly address: string; readonly port: number }
  readonly life: string
  readonly signatures: Signatures
  /** Whether this process answers for a host. */
  readonly isOwn: (hostId: string) => boolean
  /** Asks an answerer of this process. */
  readonly ask: Bus['ask']
  /** The clock of the bus. */
  readonly clock: Clock
  /** How often it says that it is there while it thinks, and how long it waits for headers. */
  readonly signs: Pick<Signs, 'aliveMs' | 'headersMs'>
}

/** Listens for questions of other hosts. Rejects with Node's error where it cannot. */
export async function openPeerServer({
  listen,
  life,
  signatures,
  isOwn,
  ask,
  clock,
  signs: { aliveMs, headersMs },
}: PeerServerOptions) {
  const nonces = openNonces('questions', 'the question was asked before')
  const options = {
    noDelay: true,
    keepAlive: true,
    keepAliveTimeout: 60_000,
    maxHeaderSize: STRANGER.headerBytes,
    headersTimeout: headersMs,
    requestTimeout: 30_000,
    connectionsCheckingInterval: Math.min(1_000, headersMs),
  }
  const server = createServer(options, (req, res) => {
    answer(req, res).catch((error: unknown) => res.destroy(error as Error))
  })
  server.maxConnections = STRANGER.connections

  /** Why a question is not one of another host of ours; null: it is. */
  function refusalOf(question: Question, signature: unknown): string | null {
    if (!isSame(signature, signatures.question(question)))
      return 'the signature is wrong: have all hosts the same secret?'
    return nonces.refusalOf(question.nonce, question.at)
  }

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const question = questionOf(req.headers)
    const end = (code: number, text: string) => {
      if (res.destroyed) return
      res.writeHead(code, {
        [header.signature]: signatures.answer(question.nonce, code, text),
        'content-length': Buffer.byteLength(text),
        // What of the body is still to come is not taken.
        ...(code === status.refused || code === status.tooLarge ? { connection: 'close' } : null),
      })
      res.end(text)
    }
    const refusal = refusalOf(question, req.headers[header.signature])
    if (refusal !== null) return end(status.refused, refusal)
    const { hostId, kind, waitMs } = question
    if (question.life !== life || !isOwn(hostId)) return end(status.noHost, '')
    const gone = new AbortController()
    res.on('close', () => gone.abort(new Error('the host that asked is gone, or waits no more')))
    const stop = setInterval(() => res.writeProcessing(), aliveMs)
    try {
      const body = await bodyOf(req)
      if (body === null) return end(status.tooLarge, `more than ${BODY_MAX_BYTES} bytes`)
      if (digestOf(body) !== question.digest) return end(status.refused, 'the body is another one')
      const context = { deadline: clock.now() + waitMs, signal: gone.signal }
      end(status.answered, await ask(hostId, kind, body.toString(), context))
    } catch (error) {
      const code = error instanceof BusError ? error.code : 'failed'
      if (code === 'no_host') end(status.noHost, '')
      else if (code === 'deadline') end(status.late, '')
      else end(status.failed, messageOf(error))
    } finally {
      clearInterval(stop)
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(listen.port, listen.address, () => {
      server.off('error', reject)
      resolve()
    })
  })
  return {
    port: (server.address() as AddressInfo).port,
    async close(): Promise<void> {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

/** The body of a request; null where it is too large. */
async function bodyOf(req: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of req as AsyncIterable<Buffer>) {
    size += part.length
    if (size > BODY_MAX_BYTES) return null
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function questionOf(headers: IncomingHttpHeaders): Question {
  const text = (name: string) => String(headers[name] ?? '')
  return {
    hostId: text(header.host),
    life: text(header.life),
    kind: text(header.kind),
    waitMs: Number(headers[header.wait]),
    at: Number(headers[header.at]),
    nonce: text(header.nonce),
    digest: text(header.digest),
  }
}

function messageOf(error: unknown): string {
  const reason = error instanceof BusError && error.cause !== undefined ? error.cause : error
  return reason instanceof Error ? reason.message : String(reason)
}
