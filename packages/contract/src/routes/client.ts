import type { z } from 'zod'
import type { routes } from './index.ts'
import type { AnswerOf, ParamsOf } from './row.ts'

type Table = typeof routes
type ByKey = {
  readonly [Name in keyof Table as `${Table[Name]['method']} ${Table[Name]['path']}`]: Table[Name]
}

/** A route as a client names it, with its parameters in braces: `DELETE /plugs/my/tools/{tool_id}`. */
export type RouteKey = keyof ByKey
/** What a route returns as JSON. */
export type RouteAnswer<Key extends RouteKey> = AnswerOf<ByKey[Key]>

/** What is only read: lists and objects that nobody may change will do. */
type Given<Value> = unknown extends Value ? Value : { readonly [Name in keyof Value]: Given<Value[Name]> }
type QueryInput<Row> = Row extends { readonly query: infer Query extends z.ZodType }
  ? Given<z.input<Query>>
  : never
type BodyInput<Row> = Row extends { readonly body: infer Body extends z.ZodType }
  ? Given<z.input<Body>>
  : never
type Filled<Name extends string, Value> = [Value] extends [never]
  ? unknown
  : object extends Value
    ? { readonly [Key in Name]?: Value }
    : { readonly [Key in Name]: Value }

/** What a route is asked with: the parameters of its path, its query and its JSON body. */
export type RouteInput<Key extends RouteKey> = Filled<'params', ParamsOf<ByKey[Key]>> &
  Filled<'query', QueryInput<ByKey[Key]>> &
  Filled<'body', BodyInput<ByKey[Key]>>

/** One request, for whatever sends it. */
export interface RouteCall {
  readonly method: string
  /** With its parameters and query in place, from the root of the host. */
  readonly path: string
  /** Sent as JSON; left out: none. */
  readonly body?: unknown
}

/** The same as the last argument of a function, which is left out where nothing must be given. */
export type RouteInputs<Key extends RouteKey> =
  object extends RouteInput<Key> ? readonly [input?: RouteInput<Key>] : readonly [input: RouteInput<Key>]

/**
 * Fills a route in: each route by its method and path, its input typed by its row. A parameter of the query that is
 * `undefined` is left out. Throws a `TypeError` for a parameter of the path that would name another route: none, an empty
 * text, `.` or `..`.
 *
 * @example
 * ```ts
 * async function ask<Key extends RouteKey>(key: Key, ...input: RouteInputs<Key>) {
 *   const { method, path, body } = routeCall(key, ...input)
 *   const response = await fetch(host + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
 *   return (await response.json()) as RouteAnswer<Key>
 * }
 * const { windows } = await ask('GET /api/v1/svc-apps/windows')
 * await ask('DELETE /api/v1/svc-apps/windows/{window_uuid}', { params: { window_uuid: windows[0].window_uuid } })
 * ```
 */
export function routeCall<Key extends RouteKey>(key: Key, ...[input]: RouteInputs<Key>): RouteCall {
  const { params, query, body } = (input ?? {}) as {
    readonly params?: Readonly<Record<string, string>>
    readonly query?: object
    readonly body?: unknown
  }
  const [method, path] = key.split(' ') as [string, string]
  const filled = path.replace(/{(\w+)}/g, (_, name) => {
    const value = params?.[name] ?? ''
    if (['', '.', '..'].includes(value)) throw new TypeError(`${name} must name one thing, got "${value}"`)
    return encodeURIComponent(value)
  })
  // JSON leaves out what is undefined.
  const search = query && new URLSearchParams(JSON.parse(JSON.stringify(query))).toString()
  return { method, path: search ? `${filled}?${search}` : filled, body }
}
