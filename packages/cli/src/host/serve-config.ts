import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { type HostOptions, unknownOption } from '@svc/host'
import { failure } from '../terminal/failure.ts'

/**
 * What a `svc.config.js`, `.ts` or `.json` gives: the options of `createHost`, and where to listen. A folder in
 * `apps` and a `cwd` in `plugins` are relative to the file.
 */
export interface ServeConfig extends HostOptions {
  /** Default 8787. */
  readonly port?: number
  /** Default: loopback. */
  readonly address?: string
}

/** The names that are looked for when none is given. */
const names = ['svc.config.js', 'svc.config.ts', 'svc.config.json']

/** Finds and reads the config file. Errors: `config`. */
export async function readServeConfig(named: string | undefined, cwd: string): Promise<ServeConfig> {
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
  return checked(value as ServeConfig, file)
}

/** Holds what a production start needs, and makes folders absolute. */
function checked(config: ServeConfig, file: string): ServeConfig {
  const unknown = unknownOption(config, ['port', 'address'])
  if (unknown) throw failure('config', `${file}: ${unknown}`, 'The options are those of createHost.')
  if (config.harness) throw failure('config', `${file}: harness is for svc dev only`, 'Leave it out.')
  if (!config.authenticate && config.signIn !== 'dev')
    throw failure(
      'config',
      `${file}: nobody could sign in`,
      'Give authenticate(request) → {id} | null; on loopback, signIn: "dev" will do.',
    )
  const dir = path.dirname(file)
  const { apps = [], plugins = [] } = config
  return {
    ...config,
    apps: apps.map((app) => ({ ...app, dir: path.resolve(dir, app.dir) })),
    plugins: plugins.map((plugin) => ({ ...plugin, cwd: path.resolve(dir, plugin.cwd ?? '.') })),
  }
}

async function readModule(file: string): Promise<unknown> {
  try {
    const module = (await import(pathToFileURL(file).href)) as { default?: unknown }
    return module.default
  } catch (error) {
    throw failure(
      'config',
      `${file} could not be loaded: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw failure('config', `${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}
