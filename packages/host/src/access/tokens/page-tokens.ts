import { createPrivateKey, createPublicKey, createSecretKey, type KeyObject } from 'node:crypto'
import { limits as defaults, type Refusal } from '@svc/contract'
import { lazy, systemClock } from '@svc/node'
import {
  all,
  holding,
  judgeOptions,
  object,
  type Rule,
  secret,
  text,
  textThat,
  whole,
} from '@svc/node/options'
import type { Head } from '../../kernel/request/head.ts'
import type { KernelServices } from '../../kernel/services.ts'
import { SECRET_MIN_CHARS } from './secrets.ts'

/** How a host verifies the tokens that the backend of a page of another site makes for its user. */
export interface PageTokens {
  /** At least 32 characters that the backend has too: tokens are HS256. */
  readonly secret?: string
  /** In place of the secret, the public key of the backend in PEM: Ed25519 (EdDSA), P-256 (ES256) or RSA (RS256). */
  readonly publicKey?: string
  /** What a token names as `aud`. Default `svc`. */
  readonly audience?: string
}

/** What a backend makes a token of. */
export interface PageTokenOptions {
  /** The secret of `createHost({ pageTokens })`. */
  readonly secret?: string
  /** In place of the secret, the private key in PEM whose public key the host has. */
  readonly privateKey?: string
  /** The id of the user, the same at each sign-in: `sub`. */
  readonly user: string
  /** Default `svc`. */
  readonly audience?: string
  /** How long it lives, in seconds: at most an hour. Default 300. */
  readonly seconds?: number
}

const AUDIENCE = 'svc'
const SCHEME = /^Bearer +(\S+) *$/i
const RSA_MIN_BITS = 2_048

const jose = lazy(() => import('jose'))

/** The one algorithm of a kind of key, whatever a token says; `null`: no such kind is taken. */
function algorithmOf({ type, asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | null {
  if (type === 'secret') return 'HS256'
  if (asymmetricKeyType === 'ed25519') return 'EdDSA'
  if (asymmetricKeyType === 'ec') return asymmetricKeyDetails?.namedCurve === 'prime256v1' ? 'ES256' : null
  const bits = asymmetricKeyType === 'rsa' ? (asymmetricKeyDetails?.modulusLength ?? 0) : 0
  return bits >= RSA_MIN_BITS ? 'RS256' : null
}

/** Whether a text is a key in PEM of a kind that is taken. */
function isKey(pem: string, read: (pem: string) => KeyObject): boolean {
  try {
    return pem.includes('PRIVATE') === (read === createPrivateKey) && algorithmOf(read(pem)) !== null
  } catch {
    return false
  }
}

const shared = secret(
  textThat(`must have at least ${SECRET_MIN_CHARS} characters`, (value) => value.length >= SECRET_MIN_CHARS),
)
const pem = (kind: string, read: (pem: string) => KeyObject) =>
  secret(
    textThat(`must be a ${kind} key in PEM: Ed25519, P-256, or RSA of 2048 bits at least`, (value) =>
      isKey(value, read),
    ),
  )
const oneOfBoth = (other: string) =>
  secret(
    holding(`must have a secret or a ${other}, and not both`, (value) => {
      const has = (name: string) => Reflect.get(value as object, name) !== undefined
      return has('secret') !== has(other)
    }),
  )

/** What the option `pageTokens` may be. */
export const pageTokensRule: Rule = all(
  object({ secret: shared, publicKey: pem('public', createPublicKey), audience: text } satisfies Record<
    keyof PageTokens,
    Rule
  >),
  oneOfBoth('publicKey'),
)

const MAX_S = defaults.PAGE_TOKEN_TTL_MAX_MS / 1_000
const DEFAULT_S = defaults.PAGE_TOKEN_TTL_MS / 1_000

const mintRule: Rule = all(
  object(
    {
      secret: shared,
      privateKey: pem('private', createPrivateKey),
      user: text,
      audience: text,
      seconds: whole(1, MAX_S),
    } satisfies Record<keyof PageTokenOptions, Rule>,
    'user',
  ),
  oneOfBoth('privateKey'),
)

/**
 * Makes a token for the user of a page of another site: what its backend returns to `createBridge({ token })`, after its
 * own sign-in said who the user is.
 *
 * @example
 * ```ts
 * const token = await mintPageToken({ secret: process.env.SVC_PAGE_SECRET, user: session.userId })
 * ```
 */
export async function mintPageToken(options: PageTokenOptions): Promise<string> {
  judgeOptions('mintPageToken', mintRule, options)
  const { secret, privateKey = '', user, audience = AUDIENCE, seconds = DEFAULT_S } = options
  const key = secret === undefined ? createPrivateKey(privateKey) : createSecretKey(Buffer.from(secret))
  const { SignJWT } = await jose()
  const now = Math.floor(systemClock.now() / 1_000)
  return new SignJWT()
    .setProtectedHeader({ alg: algorithmOf(key) ?? '' })
    .setSubject(user)
    .setAudience(audience)
    .setIssuedAt(now)
    .setExpirationTime(now + seconds)
    .sign(key)
}

/** Reads page tokens. */
export interface PageTokenReader {
  /**
   * Whose token this `Authorization` shows, when it was made, and from when on it is refused; `null`: one of the page's
   * backend that is over or says something wrong; `undefined`: none of it.
   */
  readonly read: (
    authorization: string | undefined,
  ) => Promise<{ id: string; at: number; until: number } | null | undefined>
  /** Refuses the `Origin` of what is no page of this host. */
  readonly judge: (head: Head) => Refusal | null
}

/** Opens the reader of a host; `null`: it takes none. */
export function openPageTokens(
  options: PageTokens | undefined,
  { clock, limits, judge }: Pick<KernelServices, 'clock' | 'limits'> & Pick<PageTokenReader, 'judge'>,
): PageTokenReader | null {
  if (!options) return null
  const { secret, publicKey = '', audience = AUDIENCE } = options
  const key = secret === undefined ? createPublicKey(publicKey) : createSecretKey(Buffer.from(secret))
  const alg = algorithmOf(key) ?? ''
  // Its other name, of RFC 9864.
  const algorithms = alg === 'EdDSA' ? [alg, 'Ed25519'] : [alg]
  return {
    judge,
    async read(authorization) {
      const [, token = ''] = SCHEME.exec(authorization ?? '') ?? []
      if (token === '' || token.length > limits.TOKEN_MAX_CHARS) return undefined
      const { errors, jwtVerify } = await jose()
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms,
          audience,
          requiredClaims: ['sub', 'iat', 'exp'],
          maxTokenAge: MAX_S,
          clockTolerance: limits.TOKEN_SKEW_MS / 1_000,
          currentDate: new Date(clock.now()),
        })
        const { sub, iat = 0, exp = 0 } = payload
        const isShort = exp - iat <= limits.PAGE_TOKEN_TTL_MAX_MS / 1_000
        if (!isShort || typeof sub !== 'string' || sub === '') return null
        return { id: sub, at: iat * 1_000, until: exp * 1_000 + limits.TOKEN_SKEW_MS }
      } catch (error) {
        // What it says is judged behind its signature.
        if (error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed)
          return null
        if (error instanceof errors.JOSEError) return undefined
        throw error
      }
    },
  }
}
