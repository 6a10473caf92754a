import type { Clock } from '@svc/node'
import { flag, list, type Rule, text, textThat, url } from '@svc/node/options'
import { openPublicFetch, readLoopbackHost } from '@svc/node/public-fetch'
import type { Log } from '../port/log.ts'
import type { Folders } from '../processes/folders.ts'
import { openInstallStore } from './install-store.ts'
import { type Installs, openInstalls } from './installs.ts'
import { type ToolParts, toolRunner } from './run-tool.ts'

/** What the owner of a machine says about installs; every key is optional. */
export interface InstallOptions {
  /** Where installs are kept between starts; a folder that goes with the runner where left out. */
  readonly installDir?: string
  /** Hosts of this machine that binaries may come from, such as `127.0.0.1:8080`: for tests and development. */
  readonly allowLoopback?: readonly string[]
  /** Where npm packages come from; what npm is configured with on this machine where left out. */
  readonly npmRegistry?: string
  /** Lets plugins be installed by homebrew: on an enrolled machine only. */
  readonly homebrew?: boolean
}

/** What these options may be. */
export const installRules = {
  installDir: text,
  allowLoopback: list(
    textThat(
      'must be a host of this machine such as 127.0.0.1:8443',
      (entry) => readLoopbackHost(entry) !== null,
    ),
  ),
  npmRegistry: url('https://registry.npmjs.org', 'https:', 'http:'),
  homebrew: flag,
} satisfies Record<keyof InstallOptions, Rule>

/** Opens the installs of a machine as its owner wants them. */
export function installsOf(
  { installDir, allowLoopback = [], npmRegistry, homebrew = false }: InstallOptions,
  floor: ToolParts & { readonly clock: Clock; readonly log: Log; readonly folders: Folders },
): Installs {
  const { clock, log, limits } = floor
  const hosts = allowLoopback.flatMap((entry) => readLoopbackHost(entry) ?? [])
  const fetch = openPublicFetch({
    clock,
    allowLoopback: hosts,
    limits: {
      ...limits,
      PUBLIC_FETCH_MS: limits.INSTALL_DOWNLOAD_MS,
      PUBLIC_FETCH_MAX_BYTES: limits.INSTALL_DOWNLOAD_MAX_BYTES,
    },
  })
  return openInstalls({
    machine: { limits, now: clock.now, fetch, run: toolRunner(floor), npmRegistry, homebrew },
    store: openInstallStore({
      root: installDir,
      temporary: floor.folders.installs,
      keptMs: limits.INSTALL_KEPT_MS,
      now: clock.now,
      checkBatch: limits.INSTALL_CHECK_BATCH,
    }),
    clock,
    log,
  })
}
