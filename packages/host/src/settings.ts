import type { EmbeddingModelV4, ImageModelV4 } from '@ai-sdk/provider'
import { limits as defaults, type HostLimits, type IdKind } from '@svc/contract'
import type { Clock } from '@svc/node'
import { judgeOptions, OptionError } from '@svc/node/options'
import { readLoopbackHost } from '@svc/node/public-fetch'
import type { IsolationOption, Runner } from '@svc/runner'
import type { Blobs, Bus, Store } from '@svc/state'
import type { AuditSink } from './access/audit/audit.ts'
import type { PageTokens } from './access/tokens/page-tokens.ts'
import type { Secret } from './access/tokens/secrets.ts'
import type { Authenticate } from './access/users/sign-in.ts'
import type { ConfiguredApp } from './apps/apps.ts'
import { checkRelations } from './check-limits.ts'
import { checkDataPlace } from './data-place.ts'
import type { PageFiles } from './edge/http/routes/page.ts'
import { readStartToken } from './edge/http/start-token.ts'
import { hostRule } from './host-rules.ts'
import type { Logger } from './kernel/logger.ts'
import { readBasePath } from './kernel/request/paths.ts'
import { isThisMachine } from './kernel/request/this-machine.ts'
import type { Settings } from './kernel/services.ts'
import type { ConfiguredModels } from './models/providers/models.ts'
import type { DailyQuotas } from './models/quotas/quotas.ts'
import type { WebSearch } from './models/web/search.ts'
import type { Credentials } from './plugins/credentials/credentials.ts'
import type { ConfiguredPlugin } from './plugins/deployments/configured-plugin.ts'
import type { AddedPlatformTool } from './work/sessions/platform-tools.ts'

/** What `createHost` takes; every key may be left out. */
export interface HostOptions {
  /**
   * The local harness: memory, loopback, the development sign-in, storage in the window's state,
   * configured apps with every grant that they ask for.
   */
  readonly harness?: boolean
  /**
   * Keeps records. Default: in memory, gone with the process. One in a folder (`isExclusive`) is for one host at a time,
   * and nobody else writes to it.
   */
  readonly store?: Store
  /** Carries events between hosts. Default: in memory, for one host. */
  readonly bus?: Bus
  /** Keeps the bytes of bundles and files. Default: in memory, gone with the process. */
  readonly blobs?: Blobs
  /** The runner of this process; `null`: no tools. Left out, the host makes its own and closes it. */
  readonly runner?: Runner | null
  /**
   * The models by name, each a language model of the AI SDK 7; `null`: `llm.*` is not offered. Left out: the server
   * that `SVC_LLM_BASE_URL`, `SVC_LLM_API_KEY` and `SVC_LLM_MODEL` name (`SVC_LLM_VISION=1` where it sees), else the
   * built-in development model.
   */
  readonly models?: ConfiguredModels | null
  /** The model behind `llm.embed`. Left out: that of `SVC_LLM_EMBEDDING_MODEL`, or the development model's where it answers. */
  readonly embeddingModel?: EmbeddingModelV4
  /** The model behind `image.*`. Left out: none, or the development model's where it answers. */
  readonly imageModel?: ImageModelV4
  /** What a user may use in a day (UTC), where it is not the default. */
  readonly quotas?: Partial<DailyQuotas>
  /** Who sent a request; in place of the development sign-in. */
  readonly authenticate?: Authenticate
  /**
   * Lets pages of another site sign their users in by tokens that their backend makes: `createBridge({ token })` sends them.
   * A request without one is left to `authenticate`. Their pages are in `origins`.
   *
   * @example
   * ```ts
   * createHost({ origins: ['https://app.site.org'], pageTokens: { secret: process.env.SVC_PAGE_SECRET } })
   * ```
   */
  readonly pageTokens?: PageTokens
  /**
   * `dev` lets whoever has the start token sign in under any name, on loopback. Default: `dev` in the harness, else
   * `none`.
   */
  readonly signIn?: 'dev' | 'none'
  /**
   * The start token of the development sign-in: 32 to 128 letters, digits, `_` and `-`. Left out, random: see
   * `host.startToken`.
   */
  readonly startToken?: string
  /**
   * `destructive`: the user is asked before a tool is called that is marked as destructive (by its plugin with
   * `destructive: true`, an MCP server by `destructiveHint`; tools of the host that write). `none`: nobody is asked.
   * Default: `destructive`.
   */
  readonly approvals?: 'destructive' | 'none'
  /**
   * `everybody`: users may make plugins `public`, and install releases of each other's apps. `own`: users publish for
   * themselves. Default: `own`, and `everybody` with the development sign-in.
   */
  readonly publishing?: 'everybody' | 'own'
  /**
   * At least 32 characters from which the token keys are made. A list of `{ kid, secret }` rotates them: the first
   * signs, all verify. Left out, random: tokens end with the process.
   */
  readonly secret?: Secret
  /** Apps that every user has. */
  readonly apps?: readonly ConfiguredApp[]
  /** Plugins that every app may declare. */
  readonly plugins?: readonly ConfiguredPlugin[]
  /**
   * Tools of this host that agent sessions may have beside the platform tools of every host: each a name, a
   * description, `dev_safe`, `args` (an object schema of zod 4) and `call(args, { userId, appId, signal })`. An app
   * has one where its manifest names it under `ui.host_api.agent.tools` (or names none, and the tool is `dev_safe`)
   * and the user granted it. An answer has at most `SESSION_TOOL_RESULT_MAX_BYTES` of JSON and
   * `SYNC_TIMEOUT_DEFAULT_MS`. A name that is taken is refused.
   */
  readonly platformTools?: readonly AddedPlatformTool[]
  /**
   * Where the credentials of users are kept, as `credentials.*` asks for them: `status` and `request` by a user's id
   * and a name, each answering `granted`, `pending` or `missing`. Left out: granted is what the operator put into the
   * `env` of a plugin under that name. The page gets each request as the event `credential_requested`.
   */
  readonly credentials?: Credentials
  /**
   * Serves `web.search`: `(query, { limit, signal })` gives the results, best first, each `{ title, url, snippet? }`.
   * Left out: `web.search` is not offered. What it throws is logged and reads `internal_error`.
   */
  readonly webSearch?: WebSearch
  /**
   * Overrides single limits, for tests and small machines: those of `hostLimits`. What the contract's schemas or
   * the built clients hold to is the same on every host and is refused here.
   */
  readonly limits?: Partial<HostLimits>
  /** The clock. Default: the system's. */
  readonly clock?: Clock
  /**
   * Makes the cookie of the development sign-in `SameSite=None; Secure; Partitioned`, for pages of `origins` at another site
   * of this machine, such as `localhost` beside `127.0.0.1`. Default `false`: it is `SameSite=Lax`.
   */
  readonly partitionedCookies?: boolean
  /**
   * Whether the plugins of the built-in runner run behind walls: where the machine has them (`auto`), only with walls
   * (`required`), or without (`none`). Default: `required` where `origins` names a host that is not this machine, or the
   * host listens on an address that is not loopback; else `auto`.
   */
  readonly isolation?: IsolationOption
  /** Makes ids. Default: random ones. */
  readonly newId?: (kind: IdKind) => string
  /** Takes the log: a pino logger, `console`, or another with `debug`, `info`, `warn` and `error`. Default: JSON lines on stderr. */
  readonly logger?: Logger
  /**
   * The path that this host has behind a proxy, such as `/svc`: every URL that it returns begins with it, and so does the
   * `Path` of its cookie. A proxy may keep the prefix or strip it. A page gives its bridge the same as `baseUrl`.
   */
  readonly basePath?: string
  /**
   * Serves bundle files from origins of their own, under the same base path: a pattern gives each app its own, such as
   * `https://{app}.bundles.site.org` with a wildcard in DNS and certificate, so that browsers run each app in a process
   * of its own; `http://{app}.localhost:{port}` does so on one machine, where `{port}` is that of the page. Without
   * `{app}` all apps share a second origin. Default: the host's own origin.
   */
  readonly bundleOrigin?: string
  /**
   * Page origins besides the host's own, such as `https://app.site.org`, whole and without wildcards. Their pages may ask
   * for all that their user may, from another site too, and frame apps.
   */
  readonly origins?: readonly string[]
  /**
   * Pages that frame a page of `origins`, such as `https://portal.site.org` or `https://*.site.org`: browsers judge every page
   * around an app. They may ask for nothing. Default: none.
   */
  readonly frameAncestors?: readonly string[]
  /**
   * Proxies before this host, such as `10.0.0.0/8` or `::1`: the address of a request is then the last one of its
   * `X-Forwarded-For` that is not one of them, and requests that need no sign-in are counted by it. Default: this
   * machine where `origins` names a host that is not, else none.
   */
  readonly trustedProxies?: readonly string[]
  /**
   * For tests and development: hosts such as `img.test:8443` or `localhost` (any port) that a URL of a user may name
   * although they are this machine. A name is not looked up, it is `127.0.0.1`; plain `http://` is taken for these
   * hosts alone. Default: none, and every URL must be public HTTPS.
   */
  readonly allowLoopback?: readonly string[]
  /**
   * The server that embeds this host by `fetch` hands its upgrade requests to `upgrade`: pages learn that calls
   * may come over a socket. Default `false`; a host that listens by itself offers them in any case.
   */
  readonly upgrades?: boolean
  /** Default: `window-state` in the harness, else `persistent`. */
  readonly storage?: 'persistent' | 'window-state'
  /** Lets `/metrics` be read from elsewhere than loopback with `Authorization: Bearer <metricsToken>`. */
  readonly metricsToken?: string
  /**
   * Lets the operator's routes (`/api/v1/svc-apps/admin/`) be used with `Authorization: Bearer <operatorToken>`: at
   * least 32 characters. Left out: nobody may.
   */
  readonly operatorToken?: string
  /**
   * Receives each entry of the audit log, to keep it elsewhere. It is called after the fact; what it throws is logged
   * and changes nothing.
   */
  readonly audit?: AuditSink
  /** Serves the page at `/` and its files: what `svc serve` and `svc dev` put there. */
  readonly page?: PageFiles
}

const LOOPBACK = ['127.0.0.0/8', '::1']

/**
 * Reads the settings that are neither ports nor numbers. Errors: `OptionError` for an option that is wrong, and for some
 * that contradict each other.
 */
export function readSettings(options: HostOptions): Settings {
  judgeOptions('createHost', hostRule, options)
  checkRelations({ ...defaults, ...options.limits })
  const harness = options.harness ?? false
  if (options.secret === undefined && (options.store || options.bus))
    throw new OptionError(
      'createHost: a store or bus that outlives the process needs a secret of at least 32 characters',
    )
  checkDataPlace(options)
  const developed = options.apps?.find(({ dev }) => dev !== undefined)
  if (developed && !harness)
    throw new OptionError(`createHost: the app in ${developed.dir} has \`dev\`, which only the harness takes`)
  const signIn = options.signIn ?? (harness && !options.authenticate ? 'dev' : 'none')
  if (signIn === 'dev' && options.authenticate)
    throw new OptionError("createHost: authenticate and signIn: 'dev' exclude each other")
  const origins = options.origins ?? []
  const elsewhere = origins.find((one) => !isThisMachine(new URL(one).hostname))
  return {
    harness,
    signIn,
    startToken: readStartToken(signIn, options.startToken, harness ? undefined : elsewhere),
    approvals: options.approvals ?? 'destructive',
    publishing: options.publishing ?? (signIn === 'dev' ? 'everybody' : 'own'),
    storage: options.storage ?? (harness ? 'window-state' : 'persistent'),
    basePath: readBasePath(options.basePath),
    bundleOrigin: options.bundleOrigin ?? null,
    upgrades: options.upgrades ?? false,
    origins,
    partitionedCookies: options.partitionedCookies ?? false,
    frameAncestors: options.frameAncestors ?? [],
    isPublic: elsewhere !== undefined,
    trustedProxies: options.trustedProxies ?? (elsewhere === undefined ? [] : LOOPBACK),
    allowLoopback: (options.allowLoopback ?? []).flatMap((entry) => readLoopbackHost(entry) ?? []),
  }
}
