import type { IdKind, Limits } from '@svc/contract'
import type { Clock } from '@svc/node'
import type { LoopbackHost, PublicFetch } from '@svc/node/public-fetch'
import type { Runner } from '@svc/runner'
import type { Blobs, Bus, Store } from '@svc/state'
import type { Logger } from 'pino'
import type { Audit } from './access/audit/audit.ts'
import type { EntryTickets } from './access/tokens/entry-tickets.ts'
import type { Tokens } from './access/tokens/tokens.ts'
import type { UnderWay } from './access/users/under-way.ts'
import type { OpenUsers } from './access/users/users.ts'
import type { Apps } from './apps/apps.ts'
import type { Copies } from './catalog/copies.ts'
import type { Events } from './events/emit.ts'
import type { Hosts } from './kernel/hosts/open-hosts.ts'
import type { Limiter } from './kernel/limiter/limiter.ts'
import type { Load } from './kernel/limiter/load.ts'
import type { Metrics } from './kernel/metrics.ts'
import type { Threads } from './kernel/threads/threads.ts'
import type { Runners } from './machines/runners.ts'
import type { Models } from './models/providers/models.ts'
import type { Quotas } from './models/quotas/quotas.ts'
import type { WebSearch } from './models/web/search.ts'
import type { Approvals } from './plugins/approvals/approvals.ts'
import type { Credentials } from './plugins/credentials/credentials.ts'
import type { Plugins } from './plugins/deployments/plugins.ts'
import type { PublishedPlugins } from './plugins/deployments/published.ts'
import type { Publishing } from './plugins/publishing/publishing.ts'
import type { LateWrites } from './user-data/late-writes.ts'
import type { ErrorLog } from './windows/error-log.ts'
import type { Windows } from './windows/windows.ts'
import type { Jobs } from './work/jobs/jobs.ts'
import type { Runs } from './work/runs/runs.ts'
import type { Samplings } from './work/sampling/sampling.ts'
import type { PlatformTools } from './work/sessions/platform-tool.ts'
import type { Sessions } from './work/sessions/sessions.ts'

/** What every room of the host shares: the ports, the clock, the numbers, and the services built on them. */
export interface House {
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
  /** Read-through copies of what every call reads: users, windows, installs, versions. */
  readonly copies: Copies
  readonly tokens: Tokens
  /** What the URLs of entry documents carry. */
  readonly tickets: EntryTickets
  readonly users: OpenUsers
  /** The calls, and the requests of users, that are under way. */
  readonly underWay: UnderWay
  readonly lateWrites: LateWrites
  /** Who did what, when, and how it ended. */
  readonly audit: Audit
  readonly apps: Apps
  readonly windows: Windows
  readonly errorLog: ErrorLog
  readonly events: Events
  readonly plugins: Plugins
  /** Those of them that users published, as publishing knows them. */
  readonly published: PublishedPlugins
  readonly approvals: Approvals
  readonly publishing: Publishing
  readonly runners: Runners
  readonly hosts: Hosts
  readonly jobs: Jobs
  readonly models: Models
  readonly quotas: Quotas
  readonly sessions: Sessions
  readonly runs: Runs
  /** What plugins may ask of this host within their calls. */
  readonly samplings: Samplings
  readonly publicFetch: PublicFetch
  readonly platformTools: PlatformTools
  readonly credentials: Credentials
  /** `null`: this host has none. */
  readonly webSearch: WebSearch | null
  /** The methods that nothing stands behind on this host: `not_implemented`, and left out of what `hello` tells. */
  readonly missing: ReadonlySet<string>
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
  /** Whether the user is asked before a tool that its plugin marks as destructive is called. */
  readonly approvals: 'destructive' | 'none'
  /** What the host's paths begin with, such as `/svc`; `''`: it is at the root of its origin. */
  readonly basePath: string
  /** Where bundle files are served from: an origin, or a pattern with `{app}`; `null`: the host's own origin. */
  readonly bundleOrigin: string | null
  /** Whether the server that embeds this host hands on upgrade requests. */
  readonly upgrades: boolean
  /** Origins of host pages that may use cookie routes, besides the host's own. */
  readonly origins: readonly string[]
  /** Whether an origin names a host that others can reach: then a proxy is before this one, and loopback is everybody. */
  readonly isPublic: boolean
  /** Proxies whose `X-Forwarded-For` is believed, as addresses and ranges. */
  readonly trustedProxies: readonly string[]
  /** Hosts of this machine that URLs which users give may name. */
  readonly allowLoopback: readonly LoopbackHost[]
}
