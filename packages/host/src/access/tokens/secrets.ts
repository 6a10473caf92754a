/** A secret with the name that tokens carry in their header as `kid`. */
export interface NamedSecret {
  /** 1 to 64 letters, digits, `_` and `-`; never given to another secret again. */
  readonly kid: string
  /** At least 32 characters. */
  readonly secret: string
}

/** What `createHost` takes as `secret`: one, or several of which the first signs and all verify. */
export type Secret = string | readonly NamedSecret[]

/** A secret as tokens use it; without a name where there is one alone. */
export interface SigningSecret {
  readonly kid: string | undefined
  readonly secret: string
}

const MIN_CHARS = 32
const KID = /^[\w-]{1,64}$/

/** The secrets of a host, the one that signs first. */
export const secretsOf = (secret: Secret): readonly [SigningSecret, ...SigningSecret[]] => {
  if (typeof secret === 'string') return [{ kid: undefined, secret }]
  const [first, ...others] = secret
  if (!first) throw new Error('createHost: secret must be a text or a list with one at least')
  return [first, ...others]
}

const isNamed = (kid: unknown): boolean => typeof kid === 'string' && KID.test(kid)

/** Says what is wrong with the option `secret`, as a sentence that is thrown. */
export function checkSecret(secret: Secret): void {
  const all = secretsOf(secret)
  for (const { kid, secret: text } of all) {
    const name = kid === undefined ? 'secret' : `the secret ${JSON.stringify(kid)}`
    if (typeof secret !== 'string' && !isNamed(kid))
      throw new Error(
        `createHost: the kid of a secret must be 1 to 64 letters, digits, _ and -, got ${JSON.stringify(kid)}`,
      )
    if (text.length < MIN_CHARS)
      throw new Error(`createHost: ${name} must have at least ${MIN_CHARS} characters, got ${text.length}`)
  }
  if (new Set(all.map(({ kid }) => kid)).size < all.length)
    throw new Error('createHost: two secrets have the same kid')
}
