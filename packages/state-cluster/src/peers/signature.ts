import { createHmac, createSecretKey, hash, hkdfSync, timingSafeEqual } from 'node:crypto'

/** What a question is: all of it is signed. */
export interface Question {
  readonly hostId: string
  readonly life: string
  readonly kind: string
  /** How long its asker waits, ms. */
  readonly waitMs: number
  /** When it was asked, Unix ms. */
  readonly at: number
  /** Used once. */
  readonly nonce: string
  /** Of its body: `digestOf`. So its headers can be judged before any of the body is read. */
  readonly digest: string
}

/** What a host says to all others: all of it is signed. */
export interface Message {
  readonly channel: string
  /** When it was said, Unix ms. */
  readonly at: string
  /** Used once. */
  readonly nonce: string
  readonly message: string
}

/** What stands for a body in what is signed. */
export const digestOf = (body: string | Uint8Array): string => hash('sha256', body, 'base64url')

/** Signs questions, answers and messages with a key that is made of the secret which all hosts have. */
export function openSignatures(secret: string) {
  // As a key object: from bytes, Node makes one for each signature, which takes four times as long as the rest of it.
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'svc', 'questions between hosts', 32)))
  // The length first: no two lists are one text.
  const textOf = (part: string | number) => `${Buffer.byteLength(String(part))}:${part}`
  const sign = (parts: readonly (string | number)[]) =>
    createHmac('sha256', key).update(parts.map(textOf).join('')).digest('base64url')
  return {
    question: ({ hostId, life, kind, waitMs, at, nonce, digest }: Question) =>
      sign(['question', hostId, life, kind, waitMs, at, nonce, digest]),
    message: ({ channel, at, nonce, message }: Message) => sign(['message', channel, at, nonce, message]),
    answer: (nonce: string, status: number, body: string) => sign(['answer', nonce, status, digestOf(body)]),
  }
}

/** What signs. */
export type Signatures = ReturnType<typeof openSignatures>

/** Whether a signature is the one that was expected; how long it takes tells nothing. */
export function isSame(given: unknown, expected: string): boolean {
  if (typeof given !== 'string') return false
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
