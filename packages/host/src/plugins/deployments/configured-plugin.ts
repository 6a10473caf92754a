import { limits as fixed, namesIn, ownReachSchema, type Reach } from '@svc/contract'
import {
  all,
  flag,
  holding,
  list,
  object,
  oneOf,
  type Rule,
  record,
  secret,
  text,
  textThat,
  whole,
} from '@svc/node/options'
import type { SessionScope } from '@svc/runner'
import { bySchema } from '../../kernel/by-schema.ts'

/** A plugin that the operator configured: `createHost({ plugins })`. */
export interface ConfiguredPlugin {
  /** The handle by which manifests name it: lower-case letters, digits and dashes. */
  readonly slug: string
  /** Program and arguments; never a shell line. */
  readonly command: readonly [string, ...string[]]
  /** The folder that it starts in. */
  readonly cwd?: string
  /** Environment variables beside the runner's own short list. */
  readonly env?: Readonly<Record<string, string>>
  /** What it speaks on its stdio: the plugin wire where left out, or MCP. */
  readonly protocol?: 'svc' | 'mcp'
  /** Whether an MCP server may ask the host for completions, charged to the user of the call; no where left out. */
  readonly sampling?: boolean
  /** How long its start may take, in ms: the time of `PLUG_START_MAX_MS` at most. */
  readonly start_ms?: number
  /** Who shares a process: calls of one user and app, one window, or one session of an agent. */
  readonly session?: SessionScope
  /** What it reaches behind walls beside its own files; left out: all rights of the host's user, unless all must be isolated. */
  readonly reach?: Reach
  /** Why it is not to be started, such as a key that nobody gave: it is listed, and says so where it is called. */
  readonly problem?: string
}

const SLUG = /^[a-z0-9](-?[a-z0-9])*$/

/** Who configures a plugin has the values: nobody gives them later. */
const withoutNames: Rule = (value, name) => {
  const at = (value as Reach).folders?.findIndex(({ path }) => namesIn(path).length > 0) ?? -1
  return at === -1 ? null : `${name}.folders.${at}.path must be the path itself, without names of variables`
}

/** What `createHost({ plugins })` may be. */
export const pluginsRule = all(
  list(
    object(
      {
        slug: textThat('must be lower-case letters, digits and dashes', SLUG),
        command: secret(
          all(
            holding(
              'must be a list of program and arguments',
              (value) => Array.isArray(value) && value.length > 0,
            ),
            list(holding('must be a text', (value) => typeof value === 'string')),
          ),
        ),
        cwd: text,
        env: record(secret(holding('must be a text', (value) => typeof value === 'string'))),
        protocol: oneOf('svc', 'mcp'),
        sampling: flag,
        reach: all(bySchema(ownReachSchema), withoutNames),
        start_ms: whole(fixed.PLUG_START_MIN_MS, fixed.PLUG_START_MAX_MS),
        session: oneOf('call', 'window', 'agent'),
        problem: text,
      } satisfies Record<keyof ConfiguredPlugin, Rule>,
      'slug',
      'command',
    ),
  ),
  (plugins, name) => {
    const slugs = (plugins as readonly ConfiguredPlugin[]).map(({ slug }) => slug)
    const twice = slugs.find((slug, at) => slugs.indexOf(slug) !== at)
    return twice === undefined ? null : `${name}: the slug ${JSON.stringify(twice)} is listed twice`
  },
)
