import { createPublicKey, verify } from 'node:crypto'
import type { Limits } from '@svc/contract'
import { visibleLine, visibleTitle } from '@svc/contract/visible-text'
import { LINK_VERSION, type LinkHead, type LinkMachine, linkProof } from '@svc/runner/link'

/** What a machine told of itself, or a sentence: it speaks another version, or says nothing that can be read. */
export function readHello(head: LinkHead, limits: Limits): LinkMachine | string {
  const { version, platform, node, installs, slots, isolation } = head
  if (version !== LINK_VERSION)
    return `the host speaks version ${LINK_VERSION} of the link, the machine ${typeof version === 'number' ? version : 'none'}: update the older`
  const jobs = { ...(slots as { jobs?: unknown }) }.jobs
  return {
    platform: nameOf(platform, limits),
    node: nameOf(node, limits),
    installs: Array.isArray(installs)
      ? installs.slice(0, limits.RUNNER_INSTALLS_MAX).map((one) => nameOf(one, limits))
      : [],
    ...isolationOf(isolation, limits),
    ...(Number.isSafeInteger(jobs) && { slots: { jobs: Math.max(1, jobs as number) } }),
  }
}

/** What walls it says its plugins have; an older machine says nothing. */
function isolationOf(
  told: unknown,
  { RUNNER_PROBLEM_MAX_CHARS: max }: Limits,
): Pick<LinkMachine, 'isolation'> {
  const { walls, problem } = { ...(told as { walls?: unknown; problem?: unknown } | null) }
  if (typeof walls !== 'boolean') return {}
  const text = typeof problem === 'string' ? visibleLine(problem).slice(0, max) : null
  return { isolation: { walls, problem: text } }
}

/** Shown on pages: a short text without what cannot be seen. */
const nameOf = (text: unknown, { NAME_MAX_CHARS }: Limits): string =>
  typeof text === 'string' ? visibleTitle(text.slice(0, NAME_MAX_CHARS)) : ''

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
