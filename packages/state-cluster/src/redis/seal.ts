import { systemClock } from '@svc/node'
import { openNonces } from '../peers/nonces.ts'
import { isSame, openSignatures } from '../peers/signature.ts'

/** Signature, time and nonce, then the message. */
const SEALED = /^([\w-]{43})\.(\d{1,16})\.([\w-]{1,64})\.([\s\S]*)$/

/** What a seal is made of. */
export interface SealOptions {
  /** What all hosts have. */
  readonly secret: string
  /** Returns a text that no message had before. */
  readonly newNonce: () => string
  readonly onError: (error: unknown) => void
}

/** Signs messages of hosts, and judges them; what is not of one of ours is told once for each channel. */
export function openSeal({ secret, newNonce, onError }: SealOptions) {
  const signatures = openSignatures(secret)
  const nonces = openNonces('messages', 'it came before')
  const told = new Set<string>()

  function refusalOf(channel: string, sealed: RegExpExecArray | null): string | null {
    if (sealed === null) return 'it is not signed'
    const [, signature, at = '', nonce = '', message = ''] = sealed
    if (!isSame(signature, signatures.message({ channel, at, nonce, message })))
      return 'its signature is wrong: have all hosts the same secret?'
    return nonces.refusalOf(nonce, Number(at))
  }

  return {
    seal(channel: string, message: string): string {
      const at = String(systemClock.now())
      const nonce = newNonce()
      return `${signatures.message({ channel, at, nonce, message })}.${at}.${nonce}.${message}`
    },
    /** The message of a host of ours; null: it is none, or came before. */
    open(channel: string, text: string): string | null {
      const sealed = SEALED.exec(text)
      const refusal = refusalOf(channel, sealed)
      if (refusal === null) return sealed?.[4] ?? null
      if (!told.has(channel)) {
        told.add(channel)
        onError(
          new Error(`a message on ${channel} in Redis was dropped, ${refusal}; more are dropped silently`),
        )
      }
      return null
    },
  }
}

/** What signs and judges messages. */
export type Seal = ReturnType<typeof openSeal>
