import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { type HostOptions, unknownOption } from '@svc/host'
import { type BackupPlan, type FolderOptions, planProblem } from '@svc/state-sqlite'
import { failure } from '../terminal/failure.ts'
import { readJsonText } from '../terminal/json-text.ts'
import { type ClusterPlace, clusterPlace, refuseOfFolder } from './cluster-place.ts'
import { IN_MEMORY } from './data-folder.ts'
import { placeOfError } from './place-of-error.ts'

/**
 * What a `svc.config.js`, `.ts` or `.json` gives: the options of `createHost`, and where to listen. A folder in
 * `apps` and a `cwd` in `plugins` are relative to the file.
 */
export interface ServeConfig extends HostOptions {
  /** Default 8787. */
  readonly port?: number
  /** Default: loopback. */
  readonly address?: string
  /**
   * The folder that keeps the data of the host, relative to the file; `memory`: nothing is kept; or the servers that
   * several hosts share. Default `./svc-data`; where the file gives a `store`, `bus` or `blobs` of its own, no folder.
   */
  readonly data?: string | ClusterPlace
  /**
   * What an acknowledged write in that folder survives: `power`, also a power cut; `process`, a process that is killed.
   * Default: records `power`, journals `process`.
   */
  readonly durability?: FolderOptions['durability']
  /** Copies the data folder once a day: where to, relative to the file, when, and how many copies stay. */
  readonly backup?: BackupPlan
}

/**
 * A config that was read; `data`: the absolute path of the data folder, or the servers in its place, or `null` where
 * there is neither.
 */
export type ReadConfig = Omit<ServeConfig, 'data'> & { readonly data: string | ClusterPlace | null }

/** The data folder where none is named. */
const DATA = './svc-data'

/** What `signIn` may be: with `none` it is `authenticate` that says who somebody is. */
const signIns: ReadonlySet<string> = new Set(['dev', 'none'])

/** The names that are looked for when none is given. */
const names = ['svc.config.js', 'svc.config.ts', 'svc.config.json']

/** Finds and reads the config file; `data` takes the place of what it says. Errors: `config`. */
export async function readServeConfig(
  named: string | undefined,
  cwd: string,
  data?: string,
): Promise<ReadConfig> {
  const name = named ?? names.find((one) => existsSync(path.join(cwd, one)))
  const file = name === undefined ? undefined : path.resolve(cwd, name)
  if (file === undefined || !existsSync(file))
    throw failure(
      'config',
      `there is no ${named ?? names.join(', ')} here`,
      'svc serve --config svc.config.js',
    )
  const value = file.endsWith('.json') ? await readJson(file) : await readModule(file)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw failure(
      'config',
      `${name} must export an object by default, got ${JSON.stringify(value) ?? 'nothing'}`,
    )
  return checked(value as ServeConfig, file, data === undefined ? undefined : { data, from: cwd })
}

/** Holds what a production start needs, and makes folders absolute. */
function checked(
  config: ServeConfig,
  file: string,
  chosen: { readonly data: string; readonly from: string } | undefined,
): ReadConfig {
  const unknown = unknownOption(config, ['port', 'address', 'data', 'durability', 'backup'])
  if (unknown) throw failure('config', `${file}: ${unknown}`, 'The options are those of createHost.')
  if (config.harness) throw failure('config', `${file}: harness is for svc dev only`, 'Leave it out.')
  if (config.signIn !== undefined && !signIns.has(config.signIn))
    throw failure(
      'config',
      `${file}: signIn must be "dev", got ${JSON.stringify(config.signIn)}`,
      'For a sign-in of your own leave it out, and give authenticate(request) → {id} | null.',
    )
  if (!config.authenticate && config.signIn !== 'dev')
    throw failure(
      'config',
      `${file}: nobody could sign in`,
      'Give authenticate(request) → {id} | null; on loopback, signIn: "dev" will do.',
    )
  const dir = path.dirname(file)
  const { apps = [], plugins = [] } = config
  const data = placeOf(config, file, chosen ?? { data: config.data, from: dir })
  if (typeof data === 'object' && data !== null) refuseOfFolder(config, file)
  return {
    ...config,
    data,
    ...(config.backup !== undefined && { backup: planOf(config.backup, file, data) }),
    apps: apps.map((app) => ({ ...app, dir: path.resolve(dir, app.dir) })),
    plugins: plugins.map((plugin) => ({ ...plugin, cwd: path.resolve(dir, plugin.cwd ?? '.') })),
  }
}

/** Where data is kept. Errors: `config`, where the file has two places for it. */
function placeOf(
  { store, bus, blobs }: ServeConfig,
  file: string,
  { data, from }: { readonly data: ServeConfig['data']; readonly from: string },
): ReadConfig['data'] {
  const hasOwn = store !== undefined || bus !== undefined || blobs !== undefined
  if (hasOwn && data !== undefined)
    throw failure('config', `${file}: data and a store, bus or blobs exclude each other`, 'Leave one out.')
  if (typeof data === 'object' && data !== null) return clusterPlace(data, file)
  if (data !== undefined && (typeof data !== 'string' || data === ''))
    throw failure(
      'config',
      `${file}: data must be a folder, "${IN_MEMORY}" or { postgres, redis }, got ${JSON.stringify(data)}`,
    )
  return hasOwn || data === IN_MEMORY ? null : path.resolve(from, data ?? DATA)
}

/** When copies are made, with an absolute folder. Errors: `config`. */
function planOf(backup: BackupPlan, file: string, data: ReadConfig['data']): BackupPlan {
  const problem = planProblem(backup)
  if (problem !== null)
    throw failure('config', `${file}: ${problem}`, "backup: { dir: './backups', at: '03:00', keep: 7 }")
  if (typeof data !== 'string')
    throw failure('config', `${file}: backup needs a data folder`, 'Leave it out.')
  const dir = path.resolve(path.dirname(file), backup.dir)
  const inside = path.relative(data, dir)
  if (!inside.startsWith('..') && !path.isAbsolute(inside))
    throw failure('config', `${file}: backup.dir is in the data folder`, 'Choose a place outside of it.')
  return { ...backup, dir }
}

async function readModule(file: string): Promise<unknown> {
  try {
    const module = (await import(pathToFileURL(file).href)) as { default?: unknown }
    return module.default
  } catch (error) {
    const place = placeOfError(error, file)
    throw failure(
      'config',
      `${place ?? file} could not be loaded: ${error instanceof Error ? error.message : String(error)}`,
      place === null ? undefined : 'Correct this place, then start again.',
    )
  }
}

async function readJson(file: string): Promise<unknown> {
  const read = readJsonText(await readFile(file, 'utf8'), file)
  if ('problem' in read) throw failure('config', read.problem)
  return read.value
}
