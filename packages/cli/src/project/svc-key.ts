import path from 'node:path'
import { failure } from '../terminal/failure.ts'
import { type PluginLine, readPluginLine, unknownKey } from './plugin-line.ts'

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

/** Where storage of a harness lives: the window's own state (256 KB), or a store that outlives windows. */
export type StorageBackend = (typeof storageBackends)[number]

/** The storage backends of a host. */
export const storageBackends = ['window-state', 'persistent'] as const

const known: readonly string[] = ['plugins', 'storage', 'types']

/** Reads the `svc` key. `file` names the package.json in errors. Errors: `config`. */
export function readSvcKey(value: unknown, file: string): SvcKey {
  if (value === undefined) return { plugins: [] }
  const wrong = (rule: string, got: unknown) =>
    failure('config', `${file}: ${rule}, got ${JSON.stringify(got) ?? 'nothing'}`, HINT)

  if (!isRecord(value)) throw wrong('svc must be an object', value)
  const stray = Object.keys(value).find((key) => !known.includes(key))
  if (stray !== undefined) throw failure('config', `${file}: svc ${unknownKey(stray, known, 'svc')}`, HINT)

  const { plugins = [], storage, types } = value
  if (!Array.isArray(plugins)) throw wrong('svc.plugins must be an array', plugins)
  const lines = plugins.map((line: unknown, at) => {
    const read = readPluginLine(line, `svc.plugins[${at}]`, path.dirname(path.resolve(file)))
    if (typeof read === 'string') throw failure('config', `${file}: ${read}`, HINT)
    return read
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
