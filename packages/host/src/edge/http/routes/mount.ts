import {
  type AnswerOf,
  type BodyOf,
  type ParamsOf,
  type QueryOf,
  type RouteAuth,
  type RouteName,
  type RouteRow,
  routeRows,
  type routes,
} from '@svc/contract/routes'
import type { Hono, MiddlewareHandler } from 'hono'
import type { Head } from '../../../kernel/request/head.ts'
import { json } from './answer.ts'
import { readJson, readShape } from './body.ts'
import { byOperator } from './by-operator.ts'
import type { RouteContext, RouteEnv, RouteParts } from './env.ts'
import { readQuery } from './query.ts'
import { patternOf, routeHead } from './rated.ts'
import { fromPage, signedIn } from './signed-in.ts'

type Routes = typeof routes

/** The routes that the fronts answer before these: the hot one, and those that stay open. */
export const frontRoutes = ['calls.rpc', 'calls.socket', 'calls.events', 'runners.connect'] as const

/** A request as the handler of its row reads it. */
export interface RouteRequest<Row> {
  readonly raw: Request
  readonly head: Head
  /** The user behind the cookie, where the row asks for it. */
  readonly userId: Row extends { readonly auth: 'cookie' } ? string : never
  readonly params: ParamsOf<Row>
  /** A getter of the prototype, which a copy of the request would not have. Errors: `invalid_arg`. */
  readonly query: QueryOf<Row>
  /** Reads the JSON body in the shape of the row. Errors: `invalid_arg`, also as 413 and 415. */
  body(): Promise<BodyOf<Row>>
  /** The same for who reads it further: any JSON object. */
  json(): Promise<Readonly<Record<string, unknown>>>
  readonly context: RouteContext
}

type Deep<T> = T extends object ? { readonly [Key in keyof T]: Deep<T[Key]> } : T

/** Returns the answer of its row, which goes out as JSON; what is not JSON, or has headers of its own, as a response. */
export type RouteHandler<Row> = (request: RouteRequest<Row>) => Promise<Deep<AnswerOf<Row>> | Response>

/** A handler for each row; `null`: this host does not have the route. */
export type RouteHandlers = {
  readonly [Name in Exclude<RouteName, (typeof frontRoutes)[number]>]: RouteHandler<Routes[Name]> | null
}

/** The handlers of some rows. */
export type HandlersOf<Names extends keyof RouteHandlers> = Pick<RouteHandlers, Names>

/** Registers each row of the table with what admits it and its handler. */
export function mountRoutes(app: Hono<RouteEnv>, parts: RouteParts, handlers: RouteHandlers): void {
  const admitted = admitting(parts)
  const all: Readonly<Record<string, RouteHandler<never> | null>> = handlers
  for (const [name, row] of routeRows()) {
    const handler = all[name]
    if (!handler) continue
    // Hono answers HEAD as GET, without the body.
    app.on([row.method], [patternOf(row.path)], ...(admitted[row.auth] ?? []), async (c) => {
      const answer: unknown = await handler(new RoutedRequest<never>(parts, row, c))
      return answer instanceof Response ? answer : json(answer)
    })
  }
}

/** What is judged before a handler, by the `auth` of its row; the handler judges what is not here. */
const admitting = (
  parts: RouteParts,
): Partial<Record<RouteAuth, readonly MiddlewareHandler<RouteEnv>[]>> => ({
  cookie: [fromPage(parts), signedIn(parts)],
  admin: [byOperator(parts)],
})

/**
 * A class, because a host has one for each request: its getter is made once. Handlers take its parts out of it. That they
 * have the types of `Row` is what the schemas of `row` saw to.
 */
class RoutedRequest<Row> implements RouteRequest<Row> {
  readonly raw: Request
  readonly context: RouteContext
  readonly head: Head
  readonly userId: RouteRequest<Row>['userId']
  readonly params: ParamsOf<Row>
  readonly body: () => Promise<BodyOf<Row>>
  readonly json: () => Promise<Readonly<Record<string, unknown>>>
  readonly #row: RouteRow

  constructor({ services }: RouteParts, row: RouteRow, context: RouteContext) {
    const { raw } = context.req
    this.raw = raw
    this.context = context
    this.head = routeHead(context)
    this.userId = context.get('userId') as RouteRequest<Row>['userId']
    this.params = context.req.param() as ParamsOf<Row>
    this.body = () =>
      row.body
        ? (readShape(raw, services, row.body) as Promise<BodyOf<Row>>)
        : Promise.reject(new Error('the row has no body'))
    this.json = () => readJson(raw, services)
    this.#row = row
  }

  get query(): QueryOf<Row> {
    const { query } = this.#row
    return (query ? readQuery(query, this.context.req.query()) : {}) as QueryOf<Row>
  }
}
