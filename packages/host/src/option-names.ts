import { didYouMean, type Grants } from '@svc/contract'
import type { NamedSecret } from './access/tokens/secrets.ts'
import type { ConfiguredApp } from './apps/apps.ts'
import type { ConfiguredModel } from './models/providers/models.ts'
import type { DailyQuotas } from './models/quotas/quotas.ts'
import type { ConfiguredPlugin } from './plugins/deployments/configured.ts'
import type { HostOptions } from './settings.ts'
import type { AddedPlatformTool } from './work/sessions/platform-tools.ts'

/** The names that an object may have, each with what is behind it. */
interface Names {
  readonly [name: string]: Behind
}

/** Anything; an object of these names; or a list or record of such objects. */
type Behind = 'anything' | Names | { readonly each: Names }

const anything = 'anything'

const grants = {
  image_grant: anything,
  upload_grant: anything,
  web_grant: anything,
  credentials_grant: anything,
  connect_src: anything,
  img_src: anything,
  allowed_scopes: anything,
  agent: { platform_tools: anything, inherit_host_tools: anything } satisfies Record<
    keyof NonNullable<Grants['agent']>,
    Behind
  >,
  quota_caps: {
    max_tokens_per_call: anything,
    max_runs_per_day: anything,
    max_concurrent_runs: anything,
  } satisfies Record<keyof NonNullable<Grants['quota_caps']>, Behind>,
  models: anything,
} satisfies Record<keyof NonNullable<ConfiguredApp['grants']>, Behind>

const app = { dir: anything, grants, dev: anything } satisfies Record<keyof ConfiguredApp, Behind>

const plugin = {
  slug: anything,
  command: anything,
  cwd: anything,
  env: anything,
  protocol: anything,
  sampling: anything,
  reach: anything,
} satisfies Record<keyof ConfiguredPlugin, Behind>

const model = {
  model: anything,
  vision: anything,
  cost: anything,
  speed: anything,
  intelligence: anything,
} satisfies Record<keyof ConfiguredModel, Behind>

const platformTool = {
  name: anything,
  description: anything,
  dev_safe: anything,
  args: anything,
  call: anything,
} satisfies Record<keyof AddedPlatformTool, Behind>

const quotas = {
  completions_per_day: anything,
  searches_per_day: anything,
  fetches_per_day: anything,
  web_calls_per_app_per_day: anything,
  runs_per_day: anything,
  tokens_per_day: anything,
  images_per_day: anything,
} satisfies Record<keyof DailyQuotas, Behind>

const namedSecret = { kid: anything, secret: anything } satisfies Record<keyof NamedSecret, Behind>

/** Every option of `createHost`; limits are judged with their values. */
const options = {
  harness: anything,
  store: anything,
  bus: anything,
  blobs: anything,
  runner: anything,
  models: { each: model },
  embeddingModel: anything,
  imageModel: anything,
  quotas,
  authenticate: anything,
  approvals: anything,
  signIn: anything,
  startToken: anything,
  secret: { each: namedSecret },
  apps: { each: app },
  plugins: { each: plugin },
  isolation: anything,
  platformTools: { each: platformTool },
  credentials: anything,
  webSearch: anything,
  limits: anything,
  clock: anything,
  newId: anything,
  logger: anything,
  basePath: anything,
  bundleOrigin: anything,
  origins: anything,
  trustedProxies: anything,
  allowLoopback: anything,
  upgrades: anything,
  storage: anything,
  metricsToken: anything,
  operatorToken: anything,
  audit: anything,
  page: anything,
} satisfies Record<keyof HostOptions, Behind>

/**
 * Says which option `createHost` does not know, at any depth, and which one was meant; `null` where all are known.
 * `more` are names that a config file has besides.
 */
export function unknownOption(given: object, more: readonly string[] = []): string | null {
  return unknownIn(given, { ...options, ...Object.fromEntries(more.map((name) => [name, anything])) }, '')
}

function unknownIn(given: object, names: Names, place: string): string | null {
  for (const [name, value] of Object.entries(given)) {
    const behind = Object.hasOwn(names, name) ? names[name] : undefined
    if (behind === undefined) return unknown(place + name, didYouMean(name, Object.keys(names)), names)
    if (behind === anything || typeof value !== 'object' || value === null) continue
    const found = isEach(behind)
      ? unknownInEach(value, behind.each, place + name)
      : unknownIn(value, behind, `${place}${name}.`)
    if (found) return found
  }
  return null
}

function unknownInEach(given: object, names: Names, place: string): string | null {
  for (const [key, value] of Object.entries(given)) {
    if (typeof value !== 'object' || value === null) continue
    const found = unknownIn(value, names, Array.isArray(given) ? `${place}[${key}].` : `${place}.${key}.`)
    if (found) return found
  }
  return null
}

const isEach = (behind: Names | { readonly each: Names }): behind is { readonly each: Names } =>
  Object.hasOwn(behind, 'each')

const unknown = (path: string, hint: string, names: Names) =>
  `unknown option \`${path}\`${hint || `; there are ${Object.keys(names).join(', ')}`}`
