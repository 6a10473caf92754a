/** The header that carries a window token. */
export const WINDOW_TOKEN_HEADER = 'x-svc-app-token'

/** What the name of the cookie of the user's sign-in begins with. */
export const SIGN_IN_COOKIE = 'svc_signin'
/** What the name of the cookie begins with that the start token of a development host is traded for. */
export const START_COOKIE = 'svc_start'

/**
 * Returns the name of a cookie at the host that the header `Host` names: `svc_signin_8787` at `localhost:8787`, and
 * `svc_signin` where it names no port. All ports of a machine share their cookies, so each host needs names of its own.
 */
export function cookieAt(
  cookie: typeof SIGN_IN_COOKIE | typeof START_COOKIE,
  host: string | undefined,
): string {
  const port = /:(\d{1,5})$/.exec(host ?? '')?.[1]
  return port === undefined ? cookie : `${cookie}_${port}`
}

/** The issuer of every token of a host. */
export const ISSUER = 'svc'

/** The audiences: a key and a type an audience. */
export const audiences = {
  window: { aud: 'svc-app-window', typ: 'svc_app_window' },
  session: { aud: 'aps-llm', typ: 'svc_app_session' },
  signIn: { aud: 'svc-sign-in', typ: 'svc_sign_in' },
  upload: { aud: 'svc-upload', typ: 'svc_upload' },
} as const

/** An audience's name. */
export type Audience = keyof typeof audiences

/** The claims of a window token. */
export interface WindowClaims {
  readonly wid: string
  readonly user_id: string
  readonly app_id: string
  readonly version_id: string
  readonly scopes: readonly string[]
}

/** The claims of a session token. */
export interface SessionClaims {
  readonly app_session_uuid: string
  readonly user_id: string
  readonly app_id: string
  readonly kind: 'agent' | 'complete'
  readonly submode: 'auto' | 'fixed' | null
  readonly fixed_client_id: string | null
}

/** The claims of a sign-in. */
export interface SignInClaims {
  readonly user_id: string
  /** How many times he had been signed out everywhere; left out: never. A count, because two hosts have two clocks. */
  readonly sign_outs?: number
  /** Tells it from another sign-in of the same second. */
  readonly jti?: string
}

/** The claims of the signature in the URL of an upload. */
export interface UploadClaims {
  readonly file_ref: string
}

const COMPACT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}$/
const LAST_OF_256_BITS = /[AEIMQUYcgkosw048]$/

/**
 * Whether text can be a token of ours: three parts of base64url and nothing else, a signature of 256 bits
 * whose unused bits are zero (a decoder that ignores them would accept four texts for one token).
 */
export const isTokenText = (text: string, maxChars: number): boolean =>
  text.length <= maxChars && COMPACT.test(text) && LAST_OF_256_BITS.test(text)
