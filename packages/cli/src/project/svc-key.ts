import { didYouMean, explain, type Reach, reachSchema } from '@svc/contract'
import { failure } from '../terminal/failure.ts'

/**
 * What the `svc` key of an app's package.json may say; each key may be left out:
 *
 * ```json
 * { "svc": { "plugins": [{ "slug": "csv-stats", "command": ["node", "plugin/node.ts"] }], "storage": "persistent" } }
 * ```
 */
export interface SvcKey {
  /** Tool plugins that the harness starts for this app, in the app's folder. */
  readonly plugins: readonly PluginLine[]
  /** The storage backend that the app wants to be developed against; left out, the harness's own. */
  readonly storage?: StorageBackend
  /** Where `svc types` writes the types of the tools, from the app's folder; left out, `svc-env.d.ts` beside the sources. */
  readonly types?: string
}

/** One plugin: the handle by which manifests name it, and program and arguments (never a shell line). */
export interface PluginLine {
  /** The name under which apps call it. */
  readonly slug: string
  /** The program, and its arguments. */
  readonly command: readonly [string, ...string[]]
  /** What it speaks: the plugin wire where left out, or MCP. */
  readonly protocol?: 'svc' | 'mcp'
  /** Whether an MCP server may ask for completions. */
  readonly sampling?: boolean
  /** The hosts and folders that it reaches beside its own files; nothing where left out. */
  readonly reach?: Reach
}

/** Where storage of a harness lives: the window's own state (256 KB), or a store that outlives windows. */
export type StorageBackend = (typeof storageBackends)[number]

/** The storage backends of a host. */
export const storageBackends = ['window-state', 'persistent'] as const

const SLUG = /^[a-z0-9](-?[a-z0-9])*$/
const known: ReadonlySet<string> = new Set(['plugins', 'storage', 'types'])
const lineKeys: ReadonlySet<string> = new Set(['slug', 'command', 'protocol', 'sampling', 'reach'])

/** Reads the `svc` key. `file` names the package.json in errors. Errors: `config`. */
export function readSvcKey(value: unknown, file: string): SvcKey {
  if (value === undefined) return { plugins: [] }
  const wrong = (rule: string, got: unknown) =>
    failure('config', `${file}: ${rule}, got ${JSON.stringify(got) ?? 'nothing'}`, HINT)

  if (!isRecord(value)) throw wrong('svc must be an object', value)
  function refuseUnknown(given: object, keys: ReadonlySet<string>, name: string): void {
    const key = Object.keys(given).find((one) => !keys.has(one))
    if (key === undefined) return
    const meant = didYouMean(key, keys) || `; ${name} takes the keys ${[...keys].join(', ')}`
    throw failure('config', `${file}: ${name} has the unknown key \`${key}\`${meant}`, HINT)
  }
  refuseUnknown(value, known, 'svc')

  const { plugins = [], storage, types } = value
  if (!Array.isArray(plugins)) throw wrong('svc.plugins must be an array', plugins)
  const lines = plugins.map((line: unknown, at): PluginLine => {
    const name = `svc.plugins[${at}]`
    if (!isRecord(line)) throw wrong(`${name} must be an object`, line)
    refuseUnknown(line, lineKeys, name)
    const { slug, command, protocol, sampling, reach = {} } = line
    if (typeof slug !== 'string' || !SLUG.test(slug))
      throw wrong(`${name}.slug must be lower-case letters, digits and single dashes`, slug)
    if (!isCommand(command))
      throw wrong(`${name}.command must be a list of texts, the program first`, command)
    if (protocol !== undefined && protocol !== 'svc' && protocol !== 'mcp')
      throw wrong(`${name}.protocol must be "svc" or "mcp"`, protocol)
    if (sampling !== undefined && typeof sampling !== 'boolean')
      throw wrong(`${name}.sampling must be true or false`, sampling)
    const reached = reachSchema.safeParse(reach)
    if (!reached.success) throw wrong(`${name}.reach: ${explain(reached.error, reach)}`, line.reach)
    const asked = line.reach === undefined ? {} : { reach: reached.data }
    return { slug, command, ...(protocol && { protocol }), ...(sampling && { sampling }), ...asked }
  })
  if (storage !== undefined && !isStorage(storage))
    throw wrong('svc.storage must be "window-state" or "persistent"', storage)
  if (types !== undefined && (typeof types !== 'string' || !types.endsWith('.d.ts')))
    throw wrong('svc.types must be the path of a file that ends with .d.ts', types)
  return { plugins: lines, ...(storage && { storage }), ...(types !== undefined && { types }) }
}

/** Whether a text names a storage backend. */
export const isStorage = (value: unknown): value is StorageBackend =>
  storageBackends.some((backend) => backend === value)

const HINT = 'An example: "svc": { "plugins": [{ "slug": "weather", "command": ["node", "weather.ts"] }] }'

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isCommand = (value: unknown): value is [string, ...string[]] =>
  Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string' && part !== '')
