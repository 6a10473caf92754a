import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Returns what one side of a development sign-in shows in place of the start token: a hash, keyed by the token, of who
 * shows it and what both said. It tells nothing of the token, and nothing else can be signed in to with it.
 */
export const startProof = (
  token: string,
  side: 'host' | 'nonce' | 'client',
  said: readonly string[],
): string =>
  createHmac('sha256', token)
    .update(JSON.stringify(['svc start', side, ...said]))
    .digest('base64url')

/** Whether two texts are the same, in a time that tells nothing but their length. */
export function isSameText(given: string, own: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(own)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** The scheme of `Authorization` by which a client shows its proof, as `<its nonce>.<the nonce of the host>.<proof>`. */
export const START_PROOF_SCHEME = 'Svc-Start'
