import type { z } from 'zod'
import type { ErrorCode } from '../errors.ts'

/**
 * What admits a request (design §8, §9):
 * - `cookie`: the sign-in; and a listed `Origin` where the route is no GET.
 * - `window+cookie`: the token of a window beside the sign-in of its user, as calls have it.
 * - `bearer`: an `app_session_token`. `runner`: the token of an enrolled machine. Both as `Authorization: Bearer`.
 * - `signature`: the `sig` of the URL itself.
 * - `sampling`: the `sampling_token` of a plugin's call, in the body.
 * - `operator`: a connection from loopback, or the Bearer token of the operator.
 * - `none`: anybody.
 */
export type RouteAuth =
  | 'cookie'
  | 'window+cookie'
  | 'bearer'
  | 'runner'
  | 'signature'
  | 'sampling'
  | 'operator'
  | 'none'

/** The form of failures: `{error}`, `{error}` with the name of spec §7.2, or the envelope of a call. */
export type RouteFailure = 'route' | 'session' | 'envelope'

/** One route of the host: everything that its host, its tests and its reference know of it. */
export interface RouteRow {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  /** With each parameter in braces. */
  readonly path: string
  readonly auth: RouteAuth
  readonly tag:
    | 'sign-in'
    | 'apps'
    | 'windows'
    | 'calls'
    | 'sessions'
    | 'plugins'
    | 'runners'
    | 'files'
    | 'health'
  readonly summary: string
  /** What each parameter of the path is. */
  readonly params?: Readonly<Record<string, string>>
  readonly query?: z.ZodObject
  /** Headers that it reads besides those of its `auth`. */
  readonly headers?: Readonly<Record<string, string>>
  /** The JSON that it takes. */
  readonly body?: z.ZodType
  /** Other media types that it takes, as raw bytes. */
  readonly bodyTypes?: readonly string[]
  /** The JSON that it answers, or the media type of what is no JSON; null: no body. */
  readonly answer: z.ZodType | string | null
  /** The status of success where it is not 200. */
  readonly status?: 101 | 204
  /** Other statuses with the same shape of answer, and when. */
  readonly also?: Readonly<Record<number, string>>
  /** HEAD answers the same without its body. */
  readonly head?: true
  /** `route` where it is not said. */
  readonly failure?: RouteFailure
  /** The codes of its own; `errorsOf` adds those that its kind brings. */
  readonly errors: readonly ErrorCode[]
}

/** Writes one row with its types kept. */
export const route = <
  const Method extends RouteRow['method'],
  const Path extends string,
  const Rest extends Omit<RouteRow, 'method' | 'path'>,
>(
  method: Method,
  path: Path,
  rest: Rest,
) => ({ method, path, ...rest })

const ofAuth: Readonly<Record<RouteAuth, readonly ErrorCode[]>> = {
  cookie: ['invalid_token'],
  'window+cookie': ['invalid_token', 'not_found', 'rate_limited'],
  bearer: [
    'invalid_token',
    'session_expired',
    'APP_SESSION_TOKEN_EXPIRED',
    'APP_SESSION_EXPIRED',
    'APP_SESSION_REVOKED',
  ],
  runner: ['invalid_token'],
  signature: ['invalid_token'],
  sampling: ['invalid_token'],
  operator: [],
  none: [],
}

/** Every code that a route can answer: its own, those of its `auth`, `invalid_arg` of what it reads, and any route's. */
export function errorsOf(row: RouteRow): readonly ErrorCode[] {
  const reads = row.body || row.bodyTypes || row.query
  const codes: ErrorCode[] = [
    ...row.errors,
    ...ofAuth[row.auth],
    ...(reads ? (['invalid_arg'] as const) : []),
    // Of the `Host` that every request names, and of the `Origin`.
    'permission_denied',
    'internal_error',
  ]
  return [...new Set(codes)]
}
