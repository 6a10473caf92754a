import { randomBytes } from 'node:crypto'
import { Agent, type IncomingMessage, request } from 'node:http'
import { systemClock } from '@svc/node'
import { BusError } from '@svc/state/driver'
import type { PeerAddress } from './directory.ts'
import { BODY_MAX_BYTES, header, type Signs, status } from './headers.ts'
import { digestOf, isSame, type Signatures } from './signature.ts'

/** Asks other hosts over connections that are kept. */
export function openPeerClient(signatures: Signatures, { connectMs, silentMs }: Signs) {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 64 })

  function exchange(
    url: string,
    signal: AbortSignal,
    what: string,
    body: string,
    headers: Readonly<Record<string, string | number>>,
    isAgain = false,
  ): Promise<Exchanged> {
    return new Promise((resolve, reject) => {
      const gone = (cause: unknown) => {
        // A connection that was kept had ended meanwhile, and others may have with it, so that it gets one of its own. The
        // nonce lets nothing be carried out twice.
        const isStale = req.reusedSocket && (cause as NodeJS.ErrnoException).code === 'ECONNRESET'
        if (isStale && !isAgain && !signal.aborted)
          exchange(url, signal, what, body, headers, true).then(resolve, reject)
        else {
          const { message } = cause as Error
          const isAsked = isAgain || isSent
          const ends = isAsked ? 'it is not known whether it was answered' : 'it was not asked'
          const said = `${what}: the host is gone (${message}), ${ends}`
          reject(new BusError(isAsked ? 'failed' : 'no_host', said, { cause }))
        }
      }
      let isSent = false
      const req = request(url, { agent: isAgain ? false : agent, method: 'POST', headers, signal })
      let silence: NodeJS.Timeout | undefined
      const expect = (ms: number, of: string) => {
        clearTimeout(silence)
        silence = setTimeout(() => req.destroy(new Error(`no ${of} in ${ms} ms`)), ms)
      }
      expect(connectMs, 'connection')
      req.on('socket', (socket) => {
        const sent = () => {
          isSent = true
          expect(silentMs, 'sign of life')
        }
        if (socket.connecting) socket.once('connect', sent)
        else sent()
      })
      req.on('information', () => expect(silentMs, 'sign of life'))
      req.on('error', gone)
      req.on('close', () => clearTimeout(silence))
      req.on('response', (res: IncomingMessage) => {
        const parts: Buffer[] = []
        let size = 0
        res.on('data', (part: Buffer) => {
          expect(silentMs, 'more of the answer')
          size += part.length
          if (size > BODY_MAX_BYTES) req.destroy(new Error(`an answer above ${BODY_MAX_BYTES} bytes`))
          else parts.push(part)
        })
        res.on('error', gone)
        res.on('end', () =>
          resolve({
            code: res.statusCode ?? 0,
            text: Buffer.concat(parts).toString(),
            signature: res.headers[header.signature],
            isAgain,
          }),
        )
      })
      req.end(body)
    })
  }

  return {
    /**
     * Asks the host at an address. Throws `BusError`: `no_host` where it is gone, or is another one, so that nobody was
     * asked; `failed` where it ends or falls silent while it answers; `failed`, `deadline` as it says.
     */
    async ask(
      { url, life }: PeerAddress,
      hostId: string,
      kind: string,
      body: string,
      { waitMs, signal }: { readonly waitMs: number; readonly signal: AbortSignal },
    ): Promise<string> {
      const what = `${kind} to ${hostId}`
      const bytes = Buffer.byteLength(body)
      if (bytes > BODY_MAX_BYTES)
        throw new BusError('failed', `${what} has ${bytes} bytes; ${BODY_MAX_BYTES} are the most`)
      const question = {
        hostId,
        life,
        kind,
        waitMs,
        at: systemClock.now(),
        nonce: randomBytes(12).toString('base64url'),
        digest: digestOf(body),
      }
      const { code, text, signature, isAgain } = await exchange(url, signal, what, body, {
        [header.host]: hostId,
        [header.life]: life,
        [header.kind]: kind,
        [header.wait]: waitMs,
        [header.at]: question.at,
        [header.nonce]: question.nonce,
        [header.digest]: question.digest,
        [header.signature]: signatures.question(question),
        'content-length': bytes,
      })
      if (!isSame(signature, signatures.answer(question.nonce, code, text)))
        throw new BusError('no_host', `who answered for ${hostId} is not a host with our secret`)
      if (code === status.answered) return text
      if (code === status.noHost) throw new BusError('no_host', `no host ${hostId} answers ${kind}`)
      // It came twice, because its connection ended: whether the first was carried out is not known.
      if (isAgain && code === status.refused) throw new BusError('failed', `${what}: ${text}`)
      if (code === status.late) throw new BusError('deadline', `${what} was not answered before its deadline`)
      throw new BusError('failed', `${what} failed: ${text}`, { cause: new Error(text) })
    },
    close(): void {
      agent.destroy()
    },
  }
}

interface Exchanged {
  readonly code: number
  readonly text: string
  readonly signature: unknown
  /** It was sent twice. */
  readonly isAgain: boolean
}
