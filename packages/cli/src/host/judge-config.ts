import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { createHost, type HostOptions, listenProblem, memoryStore } from '@svc/host'
import { pino } from 'pino'
import { failure } from '../terminal/failure.ts'
import { knownStartToken } from './start-token.ts'

/** In the place of a secret that a data folder holds. */
const SECRET = 'judged-without-the-data-folder-of-the-host'

/** Where a host will be: its data folder, or `null`, and what it listens on. */
export interface ServePlace {
  readonly dir: string | null
  readonly port: number
  readonly address: string | undefined
}

/**
 * Judges the options of a host, and its apps, before data or a port is opened: a host without plugins' processes reads
 * them into memory. Errors: `config`.
 */
export async function judgeConfig(
  options: HostOptions,
  { dir, port, address = '127.0.0.1' }: ServePlace,
): Promise<void> {
  const { apps = [], secret, store, bus } = options
  const at = apps.findIndex(({ dir }) => !isFolder(dir))
  if (at !== -1)
    throw failure(
      'config',
      `apps[${at}].dir ${apps[at]?.dir} is not ${existsSync(apps[at]?.dir ?? '') ? 'a folder' : 'there'}`,
      'Build the app first (npm run build), and name the folder of the built files.',
    )
  const file = dir === null ? null : fileInPath(dir)
  if (file !== null)
    throw failure(
      'config',
      `data ${dir} cannot be a folder: ${file} is a file`,
      'Name a folder, or a place where one can be made.',
    )
  const problem = listenProblem(options.signIn ?? 'none', { port, address })
  if (problem !== null) throw failure('config', problem)
  if (options.signIn === 'dev') await knownStartToken(port)
  const isKept = store !== undefined || bus !== undefined
  const { bus: _, blobs: __, audit: ___, ...rest } = options
  const trial = await hostOf({
    ...rest,
    logger: pino({ level: 'silent' }),
    runner: null,
    store: { ...memoryStore(), ...(dir !== null && { dir }) },
    ...(secret === undefined && !isKept && { secret: SECRET }),
    // Nobody has heard of the trial who would have to hear that it goes.
    limits: { ...options.limits, LEAVE_NOTICE_MS: 0 },
  })
  try {
    await trial.apps.ready().catch(refuseConfig)
  } finally {
    await trial.close()
  }
}

/** The part of a path that is there and is no folder; `null`: all that is there are folders. */
function fileInPath(dir: string): string | null {
  if (existsSync(dir)) return isFolder(dir) ? null : dir
  const parent = path.dirname(dir)
  return parent === dir ? null : fileInPath(parent)
}

const isFolder = (dir: string) => statSync(dir, { throwIfNoEntry: false })?.isDirectory() ?? false

/** Makes the host. What it refuses is in the config file. Errors: `config`. */
export async function hostOf(options: HostOptions) {
  try {
    return createHost(options)
  } catch (error) {
    return refuseConfig(error)
  }
}

/** What the host says of its options, and of the apps in them, is said of the config file. */
export function refuseConfig(error: unknown): never {
  throw failure('config', error instanceof Error ? error.message.replace(/^createHost: /, '') : String(error))
}
