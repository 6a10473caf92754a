import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import type { House } from '../../house.ts'
import type { Door } from '../../rpc/door.ts'
import type { LongBodies } from '../../rpc/long-bodies.ts'
import type { HostOptions } from '../../settings.ts'
import type { SignIn } from '../../users/sign-in.ts'
import type { Guard } from '../guard.ts'

/** What the routes need besides the house. */
export interface RouteDeps {
  readonly guard: Guard
  readonly signIn: SignIn
  /** For the routes that are calls in another form. */
  readonly door: Door
  /** For bodies of runs with attachments. */
  readonly longBodies: LongBodies
  /** Aborts when the host begins to close: streams that would last end then. */
  readonly leaving: AbortSignal
  /** Answers the page at `/`; see `HostOptions`. */
  readonly page?: HostOptions['page'] | undefined
  /** A Bearer token that reads `/metrics` from anywhere; without one only loopback does. */
  readonly metricsToken?: string | undefined
}

/** Routes over a house. */
export interface RouteParts extends RouteDeps {
  readonly house: House
}

/** What a route finds in its context: the user behind the cookie. */
export interface RouteEnv {
  readonly Variables: { userId: string }
}

/** What the `node:http` front hands over beside a request; a `fetch` front has none of it. */
export interface Connection {
  readonly incoming?: Pick<IncomingMessage, 'socket'>
}

/** The context of a route. */
export type RouteContext = Context<RouteEnv>
