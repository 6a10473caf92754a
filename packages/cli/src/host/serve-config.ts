import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { type HostOptions, hostOptionProblem, isLoopback } from '@svc/host'
import {
  address as addressRule,
  all,
  holding,
  port as portRule,
  type Rule,
  serversRule,
  shown,
  text,
} from '@svc/node/options'
import { type BackupPlan, backupRule, durabilityRule, type FolderOptions } from '@svc/state-sqlite'
import { Failure, failure } from '../terminal/failure.ts'
import { didYouMeanPath } from '../terminal/near-path.ts'
import { readJsonFile } from '../terminal/text-file.ts'
import { type ClusterPlace, refuseOfFolder, SERVERS_HINT } from './cluster-place.ts'
import { IN_MEMORY } from './data-folder.ts'
import { moduleHint, placeOfError } from './place-of-error.ts'

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

/** Says what is wrong with the values of a config file; `null`: nothing. */
export const configProblem = (config: object): string | null => hostOptionProblem(config, rules)

/** The data folder where none is named. */
const DATA = './svc-data'

const placeRule: Rule = (value, ...rest) =>
  typeof value === 'object' && value !== null
    ? serversRule(value, ...rest)
    : all(
        holding(
          `must be a folder, "${IN_MEMORY}" or { postgres, redis }`,
          (data) => typeof data === 'string' && data !== '',
        ),
        text,
      )(value, ...rest)

/** What a config file has beside the options of `createHost`. */
const rules = {
  port: portRule,
  address: addressRule,
  data: placeRule,
  durability: durabilityRule,
  backup: backupRule,
} satisfies Record<Exclude<keyof ServeConfig, keyof HostOptions>, Rule>

/** The names that are looked for when none is given. */
const names = ['svc.config.js', 'svc.config.mjs', 'svc.config.ts', 'svc.config.mts', 'svc.config.json']

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
      named === undefined
        ? `there is no ${names.join(', ')} here`
        : `there is no ${named} here${didYouMeanPath(named)}`,
      'Write one, or name it: svc serve --config FILE. npm create svc my-host -- --template host-serve makes one.',
    )
  if (statSync(file).isDirectory())
    throw failure('config', `${file} is a folder`, 'Name the config file in it: --config svc.config.js')
  const value = file.endsWith('.json') ? readJsonFile(file) : await readModule(file)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw failure('config', `${name} must export an object by default, got ${shown(value)}`)
  return checked(value as ServeConfig, file, data === undefined ? undefined : { data, from: cwd })
}

/** Holds what a production start needs, and makes folders absolute. */
function checked(
  config: ServeConfig,
  file: string,
  chosen: { readonly data: string; readonly from: string } | undefined,
): ReadConfig {
  const problem = configProblem(config)
  if (problem) throw failure('config', `${file}: ${problem}`, 'The options are those of createHost.')
  if (config.harness) throw failure('config', `${file}: harness is for svc dev only`, 'Leave it out.')
  if (!config.authenticate && !config.pageTokens && config.signIn !== 'dev')
    throw failure(
      'config',
      `${file}: nobody could sign in`,
      'Give authenticate(request) → {id} | null, or pageTokens; on loopback, signIn: "dev" will do.',
    )
  const dir = path.dirname(file)
  const { apps = [], plugins = [] } = config
  const data = placeOf(config, file, chosen ?? { data: config.data, from: dir })
  if (typeof data === 'object' && data !== null) refuseOfFolder(config, file)
  const { address } = config
  const isFromElsewhere = address !== undefined && !isLoopback(address)
  return {
    ...config,
    data,
    ...(isFromElsewhere && config.isolation === undefined && { isolation: 'required' }),
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
  if (typeof data === 'object') return data
  if (data?.includes('://'))
    throw failure('config', `${file}: data must be a folder, got ${shown(data)}`, SERVERS_HINT)
  return hasOwn || data === IN_MEMORY ? null : path.resolve(from, data ?? DATA)
}

/** When copies are made, with an absolute folder. Errors: `config`. */
function planOf(backup: BackupPlan, file: string, data: ReadConfig['data']): BackupPlan {
  if (typeof data !== 'string')
    throw failure('config', `${file}: backup needs a data folder`, 'Leave it out.')
  const dir = path.resolve(path.dirname(file), backup.dir)
  const inside = path.relative(data, dir)
  if (!inside.startsWith('..') && !path.isAbsolute(inside))
    throw failure('config', `${file}: backup.dir is in the data folder`, 'Choose a place outside of it.')
  return { ...backup, dir }
}

async function readModule(file: string): Promise<unknown> {
  if (isWide(readFileSync(file)))
    throw failure('config', `${file} is UTF-16, and Node reads scripts as UTF-8`, 'Save it as UTF-8.')
  const left = Promise.withResolvers<never>()
  const onIdle = () =>
    left.reject(failure('config', `${file} could not be loaded: it awaits what never comes`))
  process.once('beforeExit', onIdle)
  try {
    const module = (await Promise.race([import(pathToFileURL(file).href), left.promise])) as {
      default?: unknown
    }
    return await Promise.race([module.default, left.promise])
  } catch (error) {
    if (error instanceof Failure) throw error
    const place = placeOfError(error, file)
    throw failure(
      'config',
      `${place ?? file} could not be loaded: ${error instanceof Error ? error.message : inspect(error, { depth: 0 })}`,
      moduleHint(error) ?? (place === null ? undefined : 'Correct this place, then start again.'),
    )
  } finally {
    process.off('beforeExit', onIdle)
  }
}

/** Whether a text begins with a byte order mark of UTF-16. */
const isWide = ([first = 0, second = 0]: Uint8Array) =>
  Math.min(first, second) === 0xfe && first + second === 0x1fd
