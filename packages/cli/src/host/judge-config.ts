import { existsSync } from 'node:fs'
import { createHost, type HostOptions, memoryStore } from '@svc/host'
import { pino } from 'pino'
import { failure } from '../terminal/failure.ts'

/** In the place of a secret that a data folder holds. */
const SECRET = 'judged-without-the-data-folder-of-the-host'

/**
 * Judges the options of a host, and its apps, before data or a port is opened: a host without plugins' processes reads
 * them into memory. `data` is the data folder, or `null`. Errors: `config`.
 */
export async function judgeConfig(options: HostOptions, data: string | null): Promise<void> {
  const { apps = [], secret, store, bus } = options
  const at = apps.findIndex(({ dir }) => !existsSync(dir))
  if (at !== -1)
    throw failure(
      'config',
      `apps[${at}].dir ${apps[at]?.dir} is not there`,
      'Build the app first (npm run build), and name the folder of the built files.',
    )
  const isKept = store !== undefined || bus !== undefined
  const { bus: _, blobs: __, audit: ___, ...rest } = options
  const trial = await hostOf({
    ...rest,
    logger: pino({ level: 'silent' }),
    runner: null,
    store: { ...memoryStore(), ...(data !== null && { dir: data }) },
    ...(secret === undefined && !isKept && { secret: SECRET }),
  })
  try {
    await trial.apps.ready().catch(refuseConfig)
  } finally {
    await trial.close()
  }
}

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
