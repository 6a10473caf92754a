import type { EmbeddingModelV4, ImageModelV4 } from '@ai-sdk/provider'
import type { IdKind } from '@svc/contract'
import type { Runner } from '@svc/runner'
import { type LoopbackHost, readLoopbackHost } from '@svc/runner/public-url'
import type { Logger } from 'pino'
import type { ConfiguredApp } from './apps/apps.ts'
import type { Blobs } from './blobs/port.ts'
import type { Bus } from './bus/port.ts'
import type { Clock } from './clock.ts'
import type { Credentials } from './credentials/credentials.ts'
import { checkLimits, type HostLimits } from './host-limits.ts'
import type { Settings } from './house.ts'
import type { ConfiguredModels } from './models/models.ts'
import type { ConfiguredPlugin } from './plugins/configured.ts'
import type { DailyQuotas } from './quotas/quotas.ts'
import type { AddedPlatformTool } from './sessions/platform-tool.ts'
import type { Store } from './store/port.ts'
import type { Authenticate } from './users/sign-in.ts'
import type { WebSearch } from './web/search.ts'

/** What `createHost` takes; every key may be left out. */
export interface HostOptions {
  /**
   * The local harness: memory, loopback, the development sign-in, storage in the window's state,
   * configured apps with every grant that they ask for.
   */
  readonly harness?: boolean
  readonly store?: Store
  readonly bus?: Bus
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
  /** `dev` lets anybody on loopback sign in by name. Default: `dev` in the harness, else `none`. */
  readonly signIn?: 'dev' | 'none'
  /** At least 32 characters from which the token keys are made. Left out, random: tokens end with the process. */
  readonly secret?: string
  readonly apps?: readonly ConfiguredApp[]
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
   * `env` of a plugin under that name. The page hears of each request as the event `credential_requested`.
   */
  readonly credentials?: Credentials
  /**
   * Answers `web.search`: `(query, { limit, signal })` gives the results, best first, each `{ title, url, snippet? }`.
   * Left out: `web.search` is not offered. What it throws is logged and reads `internal_error`.
   */
  readonly webSearch?: WebSearch
  /**
   * Overrides single limits, for tests and small machines: those of `hostLimits`. What the contract's schemas or
   * the built clients hold to is the same on every host and is refused here.
   */
  readonly limits?: Partial<HostLimits>
  readonly clock?: Clock
  readonly newId?: (kind: IdKind) => string
  readonly logger?: Logger
  /** Serves bundle files from a second origin, such as `https://bundles.site.org`. */
  readonly bundleOrigin?: string
  /** Page origins besides the host's own, such as `https://app.site.org`. */
  readonly origins?: readonly string[]
  /**
   * For tests and development: hosts such as `img.test:8443` or `localhost` (any port) that a URL of a user may name
   * although they are this machine. A name is not looked up, it is `127.0.0.1`; plain `http://` is taken for these
   * hosts alone. Default: none, and every URL must be public HTTPS.
   */
  readonly allowLoopback?: readonly string[]
  /**
   * The server that embeds this host by `fetch` hands its upgrade requests to `upgrade`: pages are told that calls
   * may come over a socket. Default `false`; a host that listens by itself tells them in any case.
   */
  readonly upgrades?: boolean
  /** Default: `window-state` in the harness, else `persistent`. */
  readonly storage?: 'persistent' | 'window-state'
  /** Lets `/metrics` be read from elsewhere than loopback with `Authorization: Bearer <metricsToken>`. */
  readonly metricsToken?: string
  /** Answers the page at `/` and its files: what `svc serve` and `svc dev` put there. */
  readonly page?: (path: string) => PageFile | null | Promise<PageFile | null>
}

/** A file of the shell page. */
export interface PageFile {
  readonly bytes: Uint8Array
  readonly type: string
}

const SECRET_MIN_CHARS = 32

/** Reads what is no port and no number; what cannot stand together is refused with a sentence. */
export function readSettings(options: HostOptions): Settings {
  const harness = options.harness ?? false
  const { secret } = options
  checkLimits(options.limits ?? {})
  if (secret === undefined && (options.store || options.bus))
    throw new Error(
      'createHost: a store or bus that outlives the process needs a secret of at least 32 characters',
    )
  if (secret !== undefined && secret.length < SECRET_MIN_CHARS)
    throw new Error(
      `createHost: secret must have at least ${SECRET_MIN_CHARS} characters, got ${secret.length}`,
    )
  const signIn = options.signIn ?? (harness && !options.authenticate ? 'dev' : 'none')
  if (signIn === 'dev' && options.authenticate)
    throw new Error("createHost: authenticate and signIn: 'dev' exclude each other")
  return {
    harness,
    signIn,
    storage: options.storage ?? (harness ? 'window-state' : 'persistent'),
    bundleOrigin: options.bundleOrigin === undefined ? null : origin('bundleOrigin', options.bundleOrigin),
    upgrades: options.upgrades ?? false,
    origins: (options.origins ?? []).map((text) => origin('origins', text)),
    allowLoopback: (options.allowLoopback ?? []).map(loopbackHost),
  }
}

function loopbackHost(entry: string): LoopbackHost {
  const host = readLoopbackHost(entry)
  if (host) return host
  throw new Error(
    `createHost: allowLoopback must name hosts of this machine such as img.test:8443, got ${JSON.stringify(entry)}`,
  )
}

function origin(name: string, text: string): string {
  if (URL.canParse(text) && new URL(text).origin === text) return text
  throw new Error(
    `createHost: ${name} must be an origin such as https://app.site.org, got ${JSON.stringify(text)}`,
  )
}
