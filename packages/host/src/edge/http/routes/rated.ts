import { isByUser } from '@svc/contract'
import { type RouteRow, rateOf, routeRows } from '@svc/contract/routes'
import type { MiddlewareHandler } from 'hono'
import { TrieRouter } from 'hono/router/trie-router'
import type { Bodies } from '../../../kernel/limiter/bodies.ts'
import type { BodySlot } from '../../../kernel/limiter/body-slot.ts'
import { type MaybePromise, when } from '../../../kernel/when.ts'
import type { Services } from '../../services.ts'
import { webHead } from '../fetch-front.ts'
import { bodyHeadOf } from '../node-head.ts'
import { nameSender } from './body.ts'
import type { Connection, RouteContext, RouteEnv, RouteParts } from './env.ts'

/** What the table says of a page's files and of what it does not have. */
const OTHERS = { auth: 'none' } as const satisfies Pick<RouteRow, 'auth'>

/** The head of a request of a route, with the address that it came from. */
export const routeHead = (c: RouteContext) =>
  webHead(c.req.raw, (c.env as Connection | undefined)?.incoming?.socket.remoteAddress)

/**
 * Counts each request by the class of its row: by address at once, by user where the sign-in is read. Errors:
 * `rate_limited`.
 */
export function rated({
  services: { limiter },
  bodies,
}: Pick<RouteParts, 'services' | 'bodies'>): MiddlewareHandler<RouteEnv> {
  return async (c, next) => {
    const rate = rateOf(rowOf(c)?.row ?? OTHERS)
    if (isByUser(rate)) c.set('rate', rate)
    else limiter.consumeFrom(rate, routeHead(c))
    try {
      if (!isByUser(rate)) await reserveBody(c, bodies, `from ${limiter.addressOf(routeHead(c))}`)
      await next()
    } finally {
      c.get('leave')?.()
    }
  }
}

/** Has refusals of an address that asks again and again go out later. */
export const slowRefusals =
  ({ limiter }: Pick<Services, 'limiter'>): MiddlewareHandler<RouteEnv> =>
  async (c, next) => {
    await next()
    const turn = c.get('isRateLimited') ? limiter.slowRefusal(routeHead(c)) : null
    if (turn && !(await turn)) (c.env as Connection | undefined)?.incoming?.socket.destroy()
  }

/**
 * Counts the body of a request, where it has one, as one of that owner until it is answered: `null` when its turn has
 * come, and a promise of it where it waits. Errors: `rate_limited`; `cancelled` where its sender goes away meanwhile.
 */
export function reserveBody(c: RouteContext, bodies: Bodies, owner: string): MaybePromise<null> {
  const { headers } = c.req.raw
  const length = headers.get('content-length')
  const bytes = length === null ? undefined : Number(length)
  const setSender = (slot: BodySlot | undefined) => {
    nameSender(c.req.raw, { owner, slot })
    if (slot) onLeave(c, slot.release)
    return null
  }
  const req = (c.env as Connection | undefined)?.incoming
  // In HTTP/2 a body needs neither header; what embeds the host tells by the request itself.
  const hasBody = req ? bytes || headers.get('transfer-encoding') !== null : c.req.raw.body !== null
  if (!hasBody) return setSender(undefined)
  // What embeds the host by `fetch` has its own ways to have somebody wait.
  return when(req ? bodies.admit(bodyHeadOf(owner, req)) : bodies.enter({ owner, bytes }), setSender)
}

/** Does something when the request is answered. */
export function onLeave(c: RouteContext, leave: () => void): void {
  const before = c.get('leave')
  c.set('leave', () => {
    before?.()
    leave()
  })
}

/** A row with its name. */
interface NamedRow {
  readonly name: string
  readonly row: RouteRow
}

const table = new TrieRouter<NamedRow>()

/** The row of a method and a path, that of GET for HEAD; `undefined`: the table has none. */
export const rowAt = (method: string, path: string): NamedRow | undefined =>
  table.match(method === 'HEAD' ? 'GET' : method, path)[0][0]?.[0]

/** The row of a request. */
export const rowOf = ({ req }: RouteContext): NamedRow | undefined => rowAt(req.method, req.path)

/** The path of a row as a router reads it; what is in a bundle has slashes. */
export const patternOf = (path: string) =>
  path.replace('/bundles/{digest}/{path}', '/bundles/*').replaceAll(/\{(\w+)\}/g, ':$1')

for (const [name, row] of routeRows()) table.add(row.method, patternOf(row.path), { name, row })
