import path from 'node:path'
import {
  didYouMean,
  explainAll,
  limits,
  ownReachSchema,
  type Reach,
  type Variables,
  wrongName,
} from '@svc/contract'
import { flag, holding, oneOf, type Rule, record, secret, text, textThat, whole } from '@svc/node/options'

/** One plugin of an app: the handle by which manifests name it, and what it is started with. */
export interface PluginLine {
  /** The name under which apps call it. */
  readonly slug: string
  /** The program, and its arguments; never a shell line. `${NAME}` stands for a value, here and below. */
  readonly command: readonly [string, ...string[]]
  /** The folder that it starts in; that of the app where left out. */
  readonly cwd?: string
  /** Its variables: a text, or one that has its value from the environment of svc, or from `.env`. */
  readonly env?: Variables
  /** What it speaks: the plugin wire where left out, or MCP. */
  readonly protocol?: 'svc' | 'mcp'
  /** Whether an MCP server may ask for completions. */
  readonly sampling?: boolean
  /** How long its start may take, in ms. */
  readonly start_ms?: number
  /** Who shares a process; what its protocol does where left out. */
  readonly session?: 'call' | 'window' | 'agent'
  /** What it reaches beside its own files; nothing where left out. `all`: it has your rights. */
  readonly reach?: Reach | 'all'
}

const SLUG = /^[a-z0-9](-?[a-z0-9])*$/
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A text in which each `${…}` is a name. */
const named: Rule = (value, name, show) => {
  const wrong = typeof value === 'string' ? wrongName(value) : null
  return wrong === null
    ? holding('must be a text', (one) => typeof one === 'string')(value, name, show)
    : `${name} must not hold ${wrong}: write \${NAME}, or $\${NAME} for the text itself`
}

const keysOnly =
  (rules: Readonly<Record<string, Rule>>, ...needed: readonly string[]): Rule =>
  (value, name, show) => {
    if (!isRecord(value)) return holding('must be an object', isRecord)(value, name, show)
    const key = Object.keys(value).find((one) => !Object.hasOwn(rules, one))
    if (key !== undefined) return `${name} ${unknownKey(key, Object.keys(rules), name)}`
    for (const [key, rule] of Object.entries(rules)) {
      const one = value[key]
      const problem = one === undefined && !needed.includes(key) ? null : rule(one, `${name}.${key}`, show)
      if (problem !== null) return problem
    }
    return null
  }

/** What is wrong with a key that nobody reads: the nearest of those that there are, or all of them. */
export const unknownKey = (key: string, keys: readonly string[], name: string): string =>
  `has the unknown key \`${key}\`${didYouMean(key, keys) || `; ${name} takes the keys ${keys.join(', ')}`}`

const variable = keysOnly({ description: text, secret: flag, required: flag, default: secret(named) })

const reachRule: Rule = (value, name) => {
  if (value === 'all') return null
  if (typeof value === 'string')
    return `${name} must be an object of hosts and folders, or "all", got ${JSON.stringify(value)}`
  const judged = ownReachSchema.safeParse(value)
  if (judged.success) return null
  const [problem = ''] = explainAll(judged.error, value, name)
  return problem.startsWith(name) ? problem : `${name}: ${problem}`
}

/** What each key of a plugin may be. */
const lineRule = keysOnly(
  {
    slug: textThat('must be lower-case letters, digits and single dashes', SLUG),
    command: holding(
      'must be a list of texts, the program first',
      (value) =>
        Array.isArray(value) &&
        value.length > 0 &&
        value.every((part) => typeof part === 'string' && part !== ''),
    ),
    cwd: (value, name, show) => text(value, name, show) ?? named(value, name, show),
    env: (value, name) =>
      Object.keys(isRecord(value) ? value : {}).reduce<string | null>(
        (problem, key) =>
          problem ??
          (/^[A-Za-z_]\w*$/.test(key)
            ? null
            : `${name} has the variable ${JSON.stringify(key)}; a name has letters, digits and underscores`),
        null,
      ) ?? record((one, key) => (isRecord(one) ? variable(one, key) : secret(named)(one, key)))(value, name),
    protocol: oneOf('svc', 'mcp'),
    sampling: flag,
    start_ms: whole(limits.PLUG_START_MIN_MS, limits.PLUG_START_MAX_MS),
    session: oneOf('call', 'window', 'agent'),
    reach: reachRule,
  } satisfies Record<keyof PluginLine, Rule>,
  'slug',
  'command',
)

/**
 * Reads a plugin of a package.json, whose folders of `reach` may be relative to it. Returns what is wrong with it as a
 * sentence that begins with `name`.
 *
 * @param dir the folder of the app
 */
export function readPluginLine(value: unknown, name: string, dir: string): PluginLine | string {
  const placed = isRecord(value) ? { ...value, ...placedReach(value.reach, dir) } : value
  return lineRule(placed, name) ?? (placed as unknown as PluginLine)
}

/** A reach in which paths that are relative begin at the folder of the app. */
function placedReach(reach: unknown, dir: string): { readonly reach?: unknown } {
  if (!isRecord(reach) || !Array.isArray(reach.folders)) return {}
  const folders = reach.folders.map((one: unknown) => {
    const isRelative = isRecord(one) && typeof one.path === 'string' && !/^(\/|\$\{|$)/.test(one.path)
    return isRelative ? { ...one, path: path.join(dir, String(one.path)) } : one
  })
  return { reach: { ...reach, folders } }
}
