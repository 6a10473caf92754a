import { didYouMean } from '@svc/contract'
import { failure } from '../terminal/failure.ts'

/** The servers that several hosts share in the place of a data folder; what is left out is as `openCluster` has it. */
export interface ClusterPlace {
  /** `postgres://user:password@host:port/database`. */
  readonly postgres: string
  /** `redis://user:password@host:port/0`, or `rediss:` for TLS. */
  readonly redis: string
  /** Hosts with the same name share their state. Default `svc`. */
  readonly name?: string
  /** Where this host answers the others. Default: a free port of 127.0.0.1, for hosts on one machine. */
  readonly peers?: { readonly address?: string; readonly port?: number; readonly url?: string }
  /** Connections to PostgreSQL, at most. Default 10. */
  readonly connections?: number
}

/** What a field may be: says so where it is not. */
type Rule = readonly [isRight: (value: unknown) => boolean, must: string]

const isText = (value: unknown) => typeof value === 'string' && value !== ''
const isUrl = (value: unknown, protocols: readonly string[]) =>
  isText(value) && URL.canParse(value as string) && protocols.includes(new URL(value as string).protocol)
const isWhole = (from: number, to: number) => (value: unknown) =>
  Number.isInteger(value) && (value as number) >= from && (value as number) <= to

const fields: Readonly<Record<keyof ClusterPlace, Rule>> = {
  postgres: [
    (value) => isUrl(value, ['postgres:', 'postgresql:']),
    'must be a URL such as postgres://svc:PASSWORD@db.site.org:5432/svc',
  ],
  redis: [
    (value) => isUrl(value, ['redis:', 'rediss:']),
    'must be a URL such as redis://:PASSWORD@redis.site.org:6379',
  ],
  name: [
    (value) => typeof value === 'string' && /^[a-z_][a-z0-9_]{0,40}$/.test(value),
    'must be 1 to 41 of a to z, 0 to 9 and _, and not begin with a digit',
  ],
  peers: [
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    "must be an object such as { address: '10.0.0.5', port: 8788, url: 'http://10.0.0.5:8788' }",
  ],
  connections: [isWhole(1, 1_000), 'must be a whole number from 1 to 1000'],
}
const peersFields: Readonly<Record<keyof NonNullable<ClusterPlace['peers']>, Rule>> = {
  address: [isText, "must be an address of this machine, such as '10.0.0.5'"],
  port: [isWhole(0, 65_535), 'must be a port'],
  url: [(value) => isUrl(value, ['http:']), 'must be a URL such as http://10.0.0.5:8788'],
}
const needed: ReadonlySet<string> = new Set(['data.postgres', 'data.redis'])

/** Holds `data: { postgres, redis, … }` of a config file to its shape. No sentence has a password. Errors: `config`. */
export function clusterPlace(data: object, file: string): ClusterPlace {
  const given = { postgres: undefined, redis: undefined, peers: undefined, ...data }
  const problem = problemIn(given, fields, 'data.') ?? problemIn(given.peers, peersFields, 'data.peers.')
  if (problem !== null) throw failure('config', `${file}: ${problem}`, HINT)
  return data as ClusterPlace
}

const HINT = 'data: { postgres: process.env.SVC_POSTGRES, redis: process.env.SVC_REDIS }'

/** Refuses options that are of a data folder. Errors: `config`. */
export function refuseOfFolder(
  { durability, backup }: { readonly durability?: unknown; readonly backup?: unknown },
  file: string,
): void {
  if (durability !== undefined)
    throw failure(
      'config',
      `${file}: durability is of a data folder, and the data is in PostgreSQL and Redis`,
      'Leave it out: synchronous_commit of PostgreSQL and appendfsync of Redis say what a write survives.',
    )
  if (backup !== undefined)
    throw failure(
      'config',
      `${file}: backup is of a data folder, and the data is in PostgreSQL and Redis`,
      'Leave it out: back up PostgreSQL with its own tools, or run svc data export FILE --config on a timer.',
    )
}

/** The first field that is wrong, or not known; null where there is none. */
function problemIn(
  given: object | undefined,
  rules: Readonly<Record<string, Rule>>,
  place: string,
): string | null {
  for (const [name, value] of Object.entries(given ?? {})) {
    const names = Object.keys(rules)
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (!rule)
      return `unknown option \`${place}${name}\`${didYouMean(name, names) || `; there are ${names.join(', ')}`}`
    const [isRight, must] = rule
    const isLeftOut = value === undefined && !needed.has(place + name)
    if (!isLeftOut && !isRight(value)) return `${place}${name} ${must}, got ${shown(value)}`
  }
  return null
}

/** A value as text, without the user and password of a URL: one that cannot be read may have them anywhere before an `@`. */
const shown = (value: unknown): string =>
  (JSON.stringify(value) ?? 'nothing')
    .replace(/^("(?:[a-z+]+:\/\/)?).*@/, '$1…@')
    .replaceAll(/(password=)[^&"]*/g, '$1…')
