import type { ServerResponse } from 'node:http'
import type { Refusal } from '@svc/contract'
import type { Hono } from 'hono'
import type { Connection, ConnectionEvents } from '../../events/stream-writer.ts'
import type { Addresses } from '../../kernel/limiter/addresses.ts'
import type { Bodies } from '../../kernel/limiter/bodies.ts'
import type { Limiter } from '../../kernel/limiter/limiter.ts'
import type { Reader, Unread } from '../../kernel/limiter/unread.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { Head } from '../../kernel/request/head.ts'
import type { Readers } from '../../kernel/stalled.ts'
import type { MaybePromise } from '../../kernel/when.ts'
import type { Cors } from '../cors.ts'
import type { Gateway } from '../rpc/gateway.ts'
import type { Upgrades } from './upgrades.ts'

/** The event stream as the two fronts open it. */
export interface EventRoute {
  node(head: Head, res: ServerResponse): void
  fetch(head: Head, signal: AbortSignal): Promise<Response>
  /** Opens it into what `connect` returns, once it is admitted; `null`: nobody waits for it any more. */
  socket(head: Head, connect: () => Connection | null): Promise<ConnectionEvents | Refusal | null>
}

/** What both fronts are made of. */
export interface Fronts {
  readonly gateway: Gateway
  /** What lets a page of another site read an answer: headers, and those of a preflight; `null`: nothing. */
  readonly cors: (head: Head) => Cors | null
  /** What the paths of requests may begin with; `''` for none. */
  readonly basePath: string
  /** The answers to an array body, as lines that leave together where they become ready together. */
  readonly linesOf: (answers: readonly MaybePromise<string>[], reader: Reader) => AsyncIterable<string>
  readonly events: EventRoute
  readonly upgrades: Upgrades
  /** Every route that is not hot; loaded with the first request to one. */
  readonly routes: () => Promise<{ fetch: Hono['fetch'] }>
  /** Bodies that are being read. */
  readonly bodies: Bodies
  readonly unread: Unread
  readonly readers: Readers
  readonly addresses: Addresses
  readonly limiter: Pick<Limiter, 'slowRefusal'>
  readonly log: Logger
}
