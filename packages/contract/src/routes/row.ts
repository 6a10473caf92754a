import type { z } from 'zod'
import type { ErrorCode } from '../errors/errors.ts'
import type { RateName } from '../methods/rates.ts'
import { onDemand } from '../values/on-demand.ts'

/**
 * What admits a request:
 * - `cookie`: the sign-in; and a listed `Origin` where the route is not a GET.
 * - `window+cookie`: the token of a window beside the sign-in of its user, as calls have it.
 * - `bearer`: an `app_session_token`. `runner`: the token of an enrolled machine. Both as `Authorization: Bearer`.
 * - `signature`: the `sig` of the URL itself.
 * - `sampling`: the `sampling_token` of a plugin's call, in the body.
 * - `operator`: a connection from loopback, or the Bearer token for metrics.
 * - `admin`: the operator's token as `Authorization: Bearer`, from wherever it comes.
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
  | 'admin'
  | 'none'

/** The form of failures: `{error}`, `{error}` with the name of a session error, or the envelope of a call. */
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
    | 'operator'
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
  /** The JSON that it answers, or the media type of what is not JSON; null: no body. */
  readonly answer: z.ZodType | string | null
  /** The status of success where it is not 200. */
  readonly status?: 101 | 204
  /** Other statuses with the same shape of answer, and when. */
  readonly also?: Readonly<Record<number, string>>
  /** HEAD answers the same without its body. */
  readonly head?: true
  /** `route` where it is not said. */
  readonly failure?: RouteFailure
  /** One body that it takes and what it answers to it, for the reference. */
  readonly example?: { readonly body?: unknown; readonly answer?: unknown }
  /** The class of its rate; where it names none, that of its `auth`. */
  readonly rate?: RateName
  /** The codes of its own; `errorsOf` adds those that its kind brings. */
  readonly errors: readonly ErrorCode[]
}

/** What a row takes and answers, for those who handle it and those who ask. */
export type ParamsOf<Row> = Row extends { readonly params: infer Params }
  ? { readonly [Name in keyof Params]: string }
  : Readonly<Record<never, string>>
export type QueryOf<Row> = Row extends { readonly query: infer Query extends z.ZodType }
  ? z.output<Query>
  : Readonly<Record<never, unknown>>
export type BodyOf<Row> = Row extends { readonly body: infer Body extends z.ZodType } ? z.output<Body> : never
export type AnswerOf<Row> = Row extends { readonly answer: infer Answer extends z.ZodType }
  ? z.output<Answer>
  : never

type Schemas = 'query' | 'body' | 'answer'

/** The rest of a row, whose schemas may be functions that make them. */
type WrittenRest = Omit<RouteRow, 'method' | 'path' | Schemas> & {
  readonly query?: z.ZodObject | (() => z.ZodObject)
  readonly body?: z.ZodType | (() => z.ZodType)
  readonly answer: z.ZodType | (() => z.ZodType) | string | null
}

/** Writes one row with its types kept; its schemas are made when they are first read. */
export const route = <
  const Method extends RouteRow['method'],
  const Path extends string,
  const Rest extends WrittenRest,
>(
  method: Method,
  path: Path,
  rest: Rest,
): { readonly method: Method; readonly path: Path } & {
  readonly [Key in keyof Rest]: Key extends Schemas
    ? Rest[Key] extends () => infer Made
      ? Made
      : Rest[Key]
    : Rest[Key]
} => onDemand({ method, path, ...rest }, ['query', 'body', 'answer'] satisfies Schemas[])

const ofAuth: Readonly<Record<RouteAuth, readonly ErrorCode[]>> = {
  cookie: ['invalid_token'],
  'window+cookie': ['invalid_token', 'not_found'],
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
  admin: [],
  none: [],
}

const rateOfAuth: Readonly<Record<RouteAuth, RateName>> = {
  cookie: 'route',
  'window+cookie': 'call',
  bearer: 'route',
  runner: 'refused',
  signature: 'public',
  sampling: 'public',
  operator: 'public',
  admin: 'public',
  none: 'public',
}

/** The class of a route's rate. */
export const rateOf = ({ rate, auth }: Pick<RouteRow, 'rate' | 'auth'>): RateName => rate ?? rateOfAuth[auth]

/** Every code that a route can answer: its own, those of its `auth`, `invalid_arg` of what it reads, and any route's. */
export function errorsOf(row: RouteRow): readonly ErrorCode[] {
  const reads = row.body || row.bodyTypes || row.query
  const codes: ErrorCode[] = [
    ...row.errors,
    ...ofAuth[row.auth],
    ...(reads ? (['invalid_arg'] as const) : []),
    // Of the `Host` that every request names, and of the `Origin`.
    'permission_denied',
    'rate_limited',
    'storage_unavailable',
    'internal_error',
  ]
  return [...new Set(codes)]
}
