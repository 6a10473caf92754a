import type { Clock } from '@svc/node'
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

/** Opens the installs of a machine as its owner wants them. Throws if a loopback host is not valid. */
export function installsOf(
  { installDir, allowLoopback = [], npmRegistry, homebrew = false }: InstallOptions,
  floor: ToolParts & { readonly clock: Clock; readonly log: Log; readonly folders: Folders },
): Installs {
  const { clock, log, limits } = floor
  const hosts = allowLoopback.map((entry) => {
    const host = readLoopbackHost(entry)
    if (host) return host
    throw new Error(
      `createRunner: allowLoopback must name hosts of this machine such as 127.0.0.1:8443, got ${JSON.stringify(entry)}`,
    )
  })
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
