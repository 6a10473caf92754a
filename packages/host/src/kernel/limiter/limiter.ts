import {
  type AddressRate,
  isByUser,
  type Limits,
  type RateName,
  type Refusal,
  refuse,
  type UserRate,
} from '@svc/contract'
import type { Clock } from '@svc/node'
import type { Metrics } from '../metrics.ts'
import type { Head } from '../request/head.ts'
import type { Addresses } from './addresses.ts'
import { type Buckets, openBuckets, openPace } from './buckets.ts'
import type { Load } from './load.ts'

/** What the limiter needs. */
export interface LimiterParts {
  readonly clock: Clock
  /** That of the machine, as long as people wait. */
  readonly waits: Clock
  readonly limits: Limits
  readonly addresses: Addresses
  readonly load: Pick<Load, 'isTooMuch'>
  readonly metrics: Pick<Metrics, 'rateLimited'>
}

/** Whose bucket is empty. */
export type BucketOwner = 'user' | 'app' | 'address' | 'host' | 'load'

/** The buckets of a class: of each user or address, and the wider or narrower one that counts besides. */
interface RateBuckets {
  readonly own: Buckets
  /** Of each app of a user, or of all addresses together. */
  readonly beside: Buckets
}

const numbers = {
  call: ['RATE_CALL_PER_SECOND', 'RATE_CALL_BURST'],
  open: ['RATE_OPEN_PER_SECOND', 'RATE_OPEN_BURST'],
  costly: ['RATE_COSTLY_PER_SECOND', 'RATE_COSTLY_BURST'],
  model: ['RATE_MODEL_PER_SECOND', 'RATE_MODEL_BURST'],
  report: ['RATE_REPORT_PER_SECOND', 'RATE_REPORT_BURST'],
  route: ['RATE_ROUTE_PER_SECOND', 'RATE_ROUTE_BURST'],
  publish: ['RATE_PUBLISH_PER_SECOND', 'RATE_PUBLISH_BURST'],
  public: ['RATE_PUBLIC_PER_SECOND', 'RATE_PUBLIC_BURST'],
  browser: ['RATE_BROWSER_PER_SECOND', 'RATE_BROWSER_BURST'],
  sign_in: ['RATE_SIGN_IN_PER_SECOND', 'RATE_SIGN_IN_BURST'],
  refused: ['RATE_REFUSED_PER_SECOND', 'RATE_REFUSED_BURST'],
} as const satisfies Record<RateName, readonly [keyof Limits, keyof Limits]>

const HUNDRED = 100
const ALL = 'all'
const RETRY_MS = 1_000
const owners = {
  user: 'a user',
  app: 'an app',
  address: 'an address',
  host: 'all addresses',
  load: 'the heaviest users while the host is short of memory or CPU time',
} as const

/** Opens the limiter of a host. Keys are bounded: strangers cannot fill the memory with them. */
export function openLimiter({ clock, waits, limits, addresses, load, metrics }: LimiterParts) {
  const buckets = Object.fromEntries(
    Object.entries(numbers).map(([name, [perSecond, burst]]) => {
      const share = isByUser(name as RateName) ? limits.RATE_APP_PERCENT / HUNDRED : limits.RATE_HOST_TIMES
      const open = (times: number) =>
        openBuckets(
          {
            perSecond: limits[perSecond] * times,
            burst: Math.ceil(limits[burst] * times),
            keysMax: limits.RATE_KEYS_MAX,
          },
          clock.now,
        )
      return [name, { own: open(1), beside: open(share) }]
    }),
  ) as Readonly<Record<RateName, RateBuckets>>

  const refusals = openPace(
    {
      perSecond: limits.REFUSALS_PER_SECOND,
      burst: limits.REFUSALS_BURST,
      keysMax: limits.RATE_KEYS_MAX,
      waitMaxMs: limits.REFUSALS_WAIT_MAX_MS,
      waitingMax: limits.CONNECTIONS_PER_ADDRESS,
    },
    waits,
  )

  function refusal(rate: RateName, whose: BucketOwner, waitMs: number): Refusal {
    metrics.rateLimited(rate, whose)
    return refuse('rate_limited', `too many requests of ${owners[whose]} in the class ${rate}`, {
      rate,
      by: whose,
      retry_after_ms: waitMs,
      hint: `Wait ${waitMs} ms. The operator sets RATE_${rate.toUpperCase()}_PER_SECOND and RATE_${rate.toUpperCase()}_BURST.`,
    })
  }

  return {
    /** Counts requests of a user, and of one of his apps if it is named. Errors: `rate_limited`. */
    consume(rate: UserRate, userId: string, appId?: string, count?: number) {
      if (load.isTooMuch(userId, count)) throw refusal(rate, 'load', RETRY_MS)
      const { own, beside } = buckets[rate]
      const ofApp = appId === undefined ? 0 : beside.take(`${userId} ${appId}`, count)
      if (ofApp > 0) throw refusal(rate, 'app', ofApp)
      const ofUser = own.take(userId, count)
      if (ofUser > 0) throw refusal(rate, 'user', ofUser)
    },
    /** Counts a request by its address; one whose address nobody knows is let through. Errors: `rate_limited`. */
    consumeFrom(rate: AddressRate, head: Pick<Head, 'peer' | 'get'>) {
      const address = addresses.of(head)
      if (address === undefined) return
      if (load.isTooMuch(address)) throw refusal(rate, 'load', RETRY_MS)
      const { own, beside } = buckets[rate]
      const ofAddress = own.take(address)
      if (ofAddress > 0) throw refusal(rate, 'address', ofAddress)
      const ofHost = beside.take(ALL)
      if (ofHost > 0) throw refusal(rate, 'host', ofHost)
    },
    /** Refuses where a request by that address would be refused, and counts nothing. Errors: `rate_limited`. */
    checkUnspent(rate: AddressRate, head: Pick<Head, 'peer' | 'get'>) {
      const { own } = buckets[rate]
      if (own.size === 0) return
      const address = addresses.of(head)
      const wait = address === undefined ? 0 : own.wait(address)
      if (wait > 0) throw refusal(rate, 'address', wait)
    },
    /**
     * Counts a refusal for a rate by its address. Resolves when it may go out: who is refused again and again is
     * answered later and later, up to `REFUSALS_WAIT_MAX_MS`. `null`: now; `false`: too many of that address wait,
     * close its connection.
     */
    slowRefusal(head: Pick<Head, 'peer' | 'get'>) {
      const address = addresses.of(head)
      return address === undefined ? null : refusals.turn(address, 1)
    },
    /** The key of the address of a request; `undefined` where the front does not know it. */
    addressOf: (head: Pick<Head, 'peer' | 'get'>) => addresses.of(head),
    /** Sends all refusals that wait. */
    close: () => refusals.close(),
  }
}

/** Bounds how many requests of a class there may be in a time. What is over is refused and counts for nothing. */
export type Limiter = ReturnType<typeof openLimiter>
