import { all, holding, list, OptionError, object, type Rule, secret, textThat } from '@svc/node/options'

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

/** What a secret has at least. */
export const SECRET_MIN_CHARS = 32
const KID = /^[\w-]{1,64}$/

/** The secrets of a host, the one that signs first. */
export const secretsOf = (secret: Secret): readonly [SigningSecret, ...SigningSecret[]] => {
  if (typeof secret === 'string') return [{ kid: undefined, secret }]
  const [first, ...others] = secret
  if (!first) throw new OptionError('createHost: secret must be a text or a list with one at least')
  return [first, ...others]
}

const chars = textThat(
  `must have at least ${SECRET_MIN_CHARS} characters`,
  (text) => text.length >= SECRET_MIN_CHARS,
)
const named = all(
  holding(
    'must be a text, or a list with one { kid, secret } at least',
    (value) => Array.isArray(value) && value.length > 0,
  ),
  list(
    object(
      { kid: textThat('must be 1 to 64 letters, digits, _ and -', KID), secret: chars },
      'kid',
      'secret',
    ),
  ),
  holding('must have each kid once', (value) => {
    const all = value as readonly NamedSecret[]
    return new Set(all.map(({ kid }) => kid)).size === all.length
  }),
)

/** What the option `secret` may be. */
export const secretRule: Rule = secret((value, ...rest) =>
  (typeof value === 'string' ? chars : named)(value, ...rest),
)
