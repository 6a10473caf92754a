import { type Grants, grantsSchema, limits } from '@svc/contract'
import {
  all,
  clock,
  flag,
  fn,
  having,
  list,
  object,
  oneOf,
  optionProblem,
  orNull,
  type Rule,
  type Rules,
  secret,
  text,
  textThat,
} from '@svc/node/options'
import { readLoopbackHost } from '@svc/node/public-fetch'
import { pageTokensRule } from './access/tokens/page-tokens.ts'
import { secretRule } from './access/tokens/secrets.ts'
import type { ConfiguredApp } from './apps/apps.ts'
import { limitsRule } from './check-limits.ts'
import { startTokenRule } from './edge/http/start-token.ts'
import { bySchema } from './kernel/by-schema.ts'
import { readRanges } from './kernel/limiter/addresses.ts'
import { isOriginPattern } from './kernel/request/bundle-origin.ts'
import { basePathRule } from './kernel/request/paths.ts'
import { modelRule, modelsRule } from './models/providers/model-settings.ts'
import { quotasRule } from './models/quotas/read-quotas.ts'
import { pluginsRule } from './plugins/deployments/configured-plugin.ts'
import type { HostOptions } from './settings.ts'
import { platformToolsRule } from './work/sessions/platform-tools.ts'

const anything: Rule = () => null

/** The names of grants; the schema of contract takes others in silence. */
const grantNames = object({
  image_grant: anything,
  upload_grant: anything,
  web_grant: anything,
  credentials_grant: anything,
  connect_src: anything,
  img_src: anything,
  browser: anything,
  allowed_scopes: anything,
  agent: object({ platform_tools: anything, inherit_host_tools: anything } satisfies Record<
    keyof NonNullable<Grants['agent']>,
    Rule
  >),
  quota_caps: object({
    max_tokens_per_call: anything,
    max_runs_per_day: anything,
    max_concurrent_runs: anything,
  } satisfies Record<keyof NonNullable<Grants['quota_caps']>, Rule>),
  models: anything,
} satisfies Record<keyof NonNullable<ConfiguredApp['grants']>, Rule>)

const app = object(
  {
    dir: text,
    grants: all(grantNames, bySchema(grantsSchema)),
    dev: having('read'),
  } satisfies Record<keyof ConfiguredApp, Rule>,
  'dir',
)

const isOrigin = (text: string) => URL.canParse(text) && new URL(text).origin === text
const origin = textThat('must be an origin such as https://app.site.org', isOrigin)
/** Of pages: each is compared whole, and named in policies, which have no spelling for an IPv6 address. */
const pageOrigin = all(
  origin,
  textThat('must not have a wildcard: list each page', (text) => !text.includes('*')),
  textThat(
    'must not be an IPv6 address, which no policy of a browser can name',
    (text) => !text.includes('['),
  ),
)
const ancestor = textThat(
  'must be an origin such as https://portal.site.org or https://*.site.org',
  (text) => /^https?:\/\/(\*\.)?[a-z0-9.-]+(:\d{1,5})?$/.test(text) && isOrigin(text),
)
const pattern = textThat(
  'with a label for each app must be such as https://{app}.bundles.site.org',
  isOriginPattern,
)

const range = textThat('must be an address or a range such as 10.0.0.0/8', (text) => {
  try {
    readRanges([text])
    return true
  } catch {
    return false
  }
})
const loopback = textThat(
  'must be a host of this machine such as img.test:8443',
  (text) => readLoopbackHost(text) !== null,
)

const bearer = (min: number) =>
  secret(
    textThat(
      `must have at least ${min} ${min === 1 ? 'character' : 'characters'} and no white space`,
      (text) => text.length >= min && !/\s/.test(text),
    ),
  )

/** Every option of `createHost`. */
const options = {
  harness: flag,
  store: having('insert', 'get', 'swap', 'remove', 'scan', 'close'),
  bus: all(having('publish', 'subscribe', 'ask', 'answer', 'close'), (bus, name) =>
    having('append', 'read')(Reflect.get(bus as object, 'journal'), `${name}.journal`),
  ),
  blobs: having('put', 'get', 'slice', 'remove', 'close'),
  runner: orNull(having('call', 'job', 'describe', 'install', 'close')),
  models: modelsRule,
  embeddingModel: modelRule,
  imageModel: modelRule,
  quotas: quotasRule,
  authenticate: fn,
  pageTokens: pageTokensRule,
  partitionedCookies: flag,
  approvals: oneOf('destructive', 'none'),
  publishing: oneOf('everybody', 'own'),
  signIn: oneOf('dev', 'none'),
  startToken: startTokenRule,
  secret: secretRule,
  apps: list(app),
  plugins: pluginsRule,
  isolation: oneOf('auto', 'required', 'none'),
  platformTools: platformToolsRule,
  credentials: having('status', 'request'),
  webSearch: fn,
  limits: limitsRule,
  clock,
  newId: fn,
  logger: having('debug', 'info', 'warn', 'error'),
  basePath: basePathRule,
  bundleOrigin: (value, ...rest) => (String(value).includes('{') ? pattern : origin)(value, ...rest),
  origins: list(pageOrigin),
  frameAncestors: list(ancestor),
  trustedProxies: list(range),
  allowLoopback: list(loopback),
  upgrades: flag,
  storage: oneOf('persistent', 'window-state'),
  metricsToken: bearer(1),
  operatorToken: bearer(limits.OPERATOR_TOKEN_MIN_CHARS),
  audit: fn,
  page: fn,
} satisfies Record<keyof HostOptions, Rule>

/** What `createHost` takes. */
export const hostRule: Rule = object(options)

/**
 * Says what `createHost` would not take, in a sentence that names the option, the value and what is allowed; `null` where
 * it takes all. `more` are options that a config file has besides.
 */
export const hostOptionProblem = (given: object, more: Rules = {}): string | null =>
  optionProblem(object({ ...options, ...more }), given)
