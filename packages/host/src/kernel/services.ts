import type { IdKind, Limits } from '@svc/contract'
import type { Clock } from '@svc/node'
import type { LoopbackHost, PublicFetch } from '@svc/node/public-fetch'
import type { Runner } from '@svc/runner'
import type { Blobs, Bus, Store } from '@svc/state'
import type { Hosts } from './hosts.ts'
import type { Leaving } from './leaving.ts'
import type { Limiter } from './limiter/limiter.ts'
import type { Load } from './limiter/load.ts'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'
import type { Removals } from './removals.ts'
import type { Threads } from './threads/threads.ts'

/** What every layer uses: the ports, the clock, the numbers, and what guards the process. */
export interface KernelServices {
  readonly clock: Clock
  readonly newId: (kind: IdKind) => string
  readonly limits: Limits
  readonly log: Logger
  readonly metrics: Metrics
  /** How many requests of a user, an app or an address there may be in a time. */
  readonly limiter: Limiter
  /** How much the machine has left. */
  readonly load: Load
  readonly store: Store
  readonly bus: Bus
  readonly blobs: Blobs
  /** For work that takes long and cannot be cut into slices. */
  readonly threads: Threads
  readonly publicFetch: PublicFetch
  readonly hosts: Hosts
  /** Whether this host closes. */
  readonly leaving: Leaving
  /** Which bytes are being removed. */
  readonly removals: Removals
  /** `null`: this host has no tools. */
  readonly runner: Runner | null
  readonly settings: Settings
}

/** The settings of `createHost` that are neither ports nor numbers. */
export interface Settings {
  readonly harness: boolean
  readonly storage: 'persistent' | 'window-state'
  readonly signIn: 'dev' | 'none'
  /** What the development sign-in asks for; `null`: the host has none. */
  readonly startToken: string | null
  /** Whether the user is asked before a tool that is marked as destructive is called. */
  readonly approvals: 'destructive' | 'none'
  /** Whether users may publish apps and plugins for all users of the host, or each for themselves. */
  readonly publishing: 'everybody' | 'own'
  /** What the host's paths begin with, such as `/svc`; `''`: it is at the root of its origin. */
  readonly basePath: string
  /** Where bundle files are served from: an origin, or a pattern with `{app}`; `null`: the host's own origin. */
  readonly bundleOrigin: string | null
  /** Whether the server that embeds this host hands on upgrade requests. */
  readonly upgrades: boolean
  /** Origins of host pages that may use cookie routes, besides the host's own. */
  readonly origins: readonly string[]
  /** Whether the cookie of the development sign-in is for pages of other sites too. */
  readonly partitionedCookies: boolean
  /** Pages around those pages, which frame apps with them and may ask for nothing. */
  readonly frameAncestors: readonly string[]
  /** Whether an origin names a host that others can reach: then a proxy is before this one, and loopback is everybody. */
  readonly isPublic: boolean
  /** Proxies whose `X-Forwarded-For` is believed, as addresses and ranges. */
  readonly trustedProxies: readonly string[]
  /** Hosts of this machine that URLs which users give may name. */
  readonly allowLoopback: readonly LoopbackHost[]
}
