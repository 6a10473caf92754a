import { createPublicKey, verify } from 'node:crypto'
import { type LinkHead, linkProof } from '@svc/runner/link'

/** What a machine was challenged with. */
export interface Challenge {
  readonly runnerId: string
  readonly nonce: string
  /** Whether the machine may reach this host by that name. */
  readonly isOwnName: (host: string) => boolean
}

/** Returns the key that a hello proves, or what is wrong: the name by which it comes, or its proof. */
export function readProof(
  { host, key, signature }: LinkHead,
  { runnerId, nonce, isOwnName }: Challenge,
): { readonly key: string } | { readonly wrong: 'name' | 'proof' } {
  if (typeof host !== 'string' || !isOwnName(host)) return { wrong: 'name' }
  const proven =
    typeof key === 'string' && typeof signature === 'string'
      ? provenKey(key, signature, linkProof({ host, runner_id: runnerId, nonce }))
      : null
  return proven === null ? { wrong: 'proof' } : { key: proven }
}

/** The key in its one spelling; `null`: it did not sign the text, or is not a key. */
function provenKey(x: string, signature: string, text: string): string | null {
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    const isIts = verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'))
    return isIts ? (key.export({ format: 'jwk' }).x ?? null) : null
  } catch {
    return null
  }
}
