import { createHmac, type webcrypto } from 'node:crypto'
import {
  type Audience,
  audiences,
  ISSUER,
  isTokenText,
  type Limits,
  type SessionClaims,
  type SignInClaims,
  type UploadClaims,
  type WindowClaims,
} from '@svc/contract'
import { type Clock, lazy } from '@svc/node'
import type { MaybePromise } from '../../kernel/when.ts'
import { type Secret, type SigningSecret, secretsOf } from './secrets.ts'

interface ClaimsOf {
  window: WindowClaims
  session: SessionClaims
  signIn: SignInClaims
  upload: UploadClaims
}
type TokenKind = keyof ClaimsOf

/** A token that this host minted; `expired`: it is good for nothing any more. */
export interface InspectedToken<Claims> {
  readonly claims: Claims
  readonly expired: boolean
}

type Jose = typeof import('jose')

interface VerifiedToken {
  readonly text: string
  readonly claims: unknown
  readonly until: number
}

const required: { readonly [A in TokenKind]: (claims: Record<string, unknown>) => boolean } = {
  window: (claims) =>
    isText(claims.wid) &&
    isText(claims.user_id) &&
    isText(claims.app_id) &&
    isText(claims.version_id) &&
    isTexts(claims.scopes),
  session: (claims) =>
    isText(claims.app_session_uuid) &&
    isText(claims.user_id) &&
    isText(claims.app_id) &&
    isText(claims.kind) &&
    isTextOrNull(claims.submode) &&
    isTextOrNull(claims.fixed_client_id),
  signIn: (claims) => isText(claims.user_id) && (claims.sign_outs === undefined || isWhole(claims.sign_outs)),
  upload: (claims) => isText(claims.file_ref),
}

/** The name of the secret that a token says it is signed with; what is not a header is refused with its signature. */
function kidOf(text: string, { decodeProtectedHeader }: Jose): string | undefined {
  try {
    return decodeProtectedHeader(text).kid
  } catch {
    return undefined
  }
}

/** The signature of a token: 256 bits in base64url. */
const signatureOf = (text: string) => text.slice(-43)

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isTextOrNull = (value: unknown) => value === null || isText(value)
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)
const isTexts = (value: unknown) => Array.isArray(value) && value.every((item) => typeof item === 'string')

type HmacKey = ReturnType<typeof hmacKey>

/** A key as WebCrypto has it, imported once for each use: as bytes it would be for each token, at the cost of a signature. */
function hmacKey(bytes: Uint8Array<ArrayBuffer>) {
  const imported = new Map<'sign' | 'verify', Promise<webcrypto.CryptoKey>>()
  return (use: 'sign' | 'verify') => {
    const known = imported.get(use)
    if (known) return known
    const key = crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [use])
    imported.set(use, key)
    key.catch(() => imported.delete(use))
    return key
  }
}

/** Opens the tokens of a host. The first of several secrets signs, all of them verify. */
export function openTokens({ secret, clock, limits }: { secret: Secret; clock: Clock; limits: Limits }) {
  const keysOf = (one: SigningSecret) => {
    const key = (audience: Audience) =>
      hmacKey(createHmac('sha256', one.secret).update(`svc key ${audiences[audience].aud}`).digest())
    return {
      kid: one.kid,
      window: key('window'),
      session: key('session'),
      signIn: key('signIn'),
      upload: key('upload'),
    }
  }
  const [first, ...others] = secretsOf(secret)
  const signing = keysOf(first)
  const known = [signing, ...others.map(keysOf)]
  // By signature: to hash a whole text costs more than all the rest of a look-up.
  const verified = {
    window: new Map<string, VerifiedToken>(),
    session: new Map<string, VerifiedToken>(),
    signIn: new Map<string, VerifiedToken>(),
    upload: new Map<string, VerifiedToken>(),
  }

  const loadJose = lazy(() => import('jose'))

  return {
    /** A token of `audience` for `claims`, valid for `ttlMs`. */
    async mint<A extends TokenKind>(audience: A, claims: ClaimsOf[A], ttlMs: number) {
      const now = Math.floor(clock.now() / 1_000)
      const { SignJWT } = await loadJose()
      const { aud, typ } = audiences[audience]
      return new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'HS256', typ, ...(signing.kid !== undefined && { kid: signing.kid }) })
        .setIssuer(ISSUER)
        .setAudience(aud)
        .setIssuedAt(now)
        .setExpirationTime(now + Math.ceil(ttlMs / 1_000))
        .sign(await signing[audience]('sign'))
    },
    /**
     * The claims of `text`, or `null` when it is not a valid token of that audience now. A text that was verified
     * before is returned at once, without a promise: a signature costs about 50 µs, a look-up none.
     */
    verify<A extends TokenKind>(audience: A, text: string): MaybePromise<ClaimsOf[A] | null> {
      const known = verified[audience].get(signatureOf(text))
      if (known?.text === text) {
        if (clock.now() < known.until) return known.claims as ClaimsOf[A]
        verified[audience].delete(signatureOf(text))
        return null
      }
      if (!isTokenText(text, limits.TOKEN_MAX_CHARS)) return null
      return check(audience, text).then((checked) => (checked?.expired === false ? checked.claims : null))
    },
    /**
     * As `verify`, and the claims of a token of ours whose time is over besides: the caller can say so. Whatever else
     * is wrong with a text, it is `null`.
     */
    async inspect<A extends TokenKind>(audience: A, text: string) {
      return isTokenText(text, limits.TOKEN_MAX_CHARS) ? check(audience, text) : null
    },
  }

  async function check<A extends TokenKind>(
    audience: A,
    text: string,
  ): Promise<InspectedToken<ClaimsOf[A]> | null> {
    const { aud } = audiences[audience]
    const now = clock.now()
    const read = await readSigned(audience, text, now)
    if (!read) return null
    const { payload, expired } = read
    const { exp, iat } = payload
    // jose takes a list of audiences and an `iat` of tomorrow; our own tokens have neither.
    if (payload.aud !== aud || !isWhole(exp) || !isWhole(iat) || !required[audience](payload)) return null
    if (iat * 1_000 > now + limits.TOKEN_SKEW_MS || (expired && exp <= iat)) return null
    const claims = payload as unknown as ClaimsOf[A]
    if (!expired) remember(verified[audience], { text, claims, until: exp * 1_000 + limits.TOKEN_SKEW_MS })
    return { claims, expired }
  }

  /**
   * What a signature of ours is valid for. jose looks at `exp` last: one that is over has passed all that it judges.
   */
  async function readSigned(audience: TokenKind, text: string, now: number) {
    const jose = await loadJose()
    for (const keys of keysFor(kidOf(text, jose))) {
      const read = await readWith(jose, keys[audience], { audience, text, now })
      if (read) return read
    }
    return null
  }

  /** The keys of the secret that a token names; of one that names none, minted before secrets had names, all. */
  function keysFor(kid: string | undefined) {
    return kid === undefined ? known : known.filter((keys) => keys.kid === kid || keys.kid === undefined)
  }

  async function readWith(
    { errors, jwtVerify }: Jose,
    key: HmacKey,
    { audience, text, now }: { readonly audience: TokenKind; readonly text: string; readonly now: number },
  ) {
    const { aud, typ } = audiences[audience]
    try {
      const { payload } = await jwtVerify(text, await key('verify'), {
        algorithms: ['HS256'],
        typ,
        audience: aud,
        issuer: ISSUER,
        requiredClaims: ['exp', 'iat'],
        clockTolerance: limits.TOKEN_SKEW_MS / 1_000,
        currentDate: new Date(now),
      })
      return { payload, expired: false }
    } catch (error) {
      if (error instanceof errors.JWTExpired) return { payload: error.payload, expired: true }
      if (error instanceof errors.JOSEError) return null
      throw error
    }
  }

  /** The oldest text goes first: tokens live two minutes, so order of arrival is order of use. */
  function remember(map: Map<string, VerifiedToken>, entry: VerifiedToken) {
    map.set(signatureOf(entry.text), entry)
    if (map.size <= limits.VERIFIED_TOKENS_MAX) return
    const oldest = map.keys().next().value
    if (oldest !== undefined) map.delete(oldest)
  }
}

/** Mints and verifies the host's tokens: HS256, a key for each secret and audience. */
export type Tokens = ReturnType<typeof openTokens>
