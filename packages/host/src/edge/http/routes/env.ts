import type { IncomingMessage } from 'node:http'
import type { UserRate } from '@svc/contract'
import type { Context } from 'hono'
import type { SignIn } from '../../../access/users/sign-in.ts'
import type { Bodies } from '../../../kernel/limiter/bodies.ts'
import type { Guard } from '../../guard.ts'
import type { Gateway } from '../../rpc/gateway.ts'
import type { LongBodies } from '../../rpc/long-bodies.ts'
import type { Services } from '../../services.ts'
import type { StartToken } from '../start-token.ts'
import type { PageFiles } from './page.ts'

/** What the routes need besides the services. */
export interface RouteDeps {
  readonly guard: Guard
  readonly signIn: SignIn
  /** What the development sign-in asks for. */
  readonly startToken: StartToken
  /** For the routes that are calls in another form. */
  readonly gateway: Gateway
  /** Bodies that are being read. */
  readonly bodies: Bodies
  /** For bodies of runs with attachments. */
  readonly longBodies: LongBodies
  /** Aborts when the host begins to close: streams that would last end then. */
  readonly leaving: AbortSignal
  /** Serves the page at `/`; see `HostOptions.page`. */
  readonly page?: PageFiles | undefined
  /** A Bearer token that reads `/metrics` from anywhere; without one only loopback does. */
  readonly metricsToken?: string | undefined
  /** A Bearer token that opens the operator's routes; without one nobody does. */
  readonly operatorToken?: string | undefined
}

/** Routes over a host. */
export interface RouteParts extends RouteDeps {
  readonly services: Services
}

/**
 * What a route finds in its context: the user behind the cookie, the class by which his requests are counted, whether
 * it was refused for that, and what is done when it is answered.
 */
export interface RouteEnv {
  readonly Variables: {
    userId: string
    rate: UserRate | undefined
    isRateLimited: boolean | undefined
    leave: (() => void) | undefined
  }
}

/** What the `node:http` front hands over beside a request; a `fetch` front has none of it. */
export interface Connection {
  readonly incoming?: IncomingMessage
}

/** The context of a route. */
export type RouteContext = Context<RouteEnv>
