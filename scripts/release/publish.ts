import { run } from '../spawn.mjs'
import type { ReleasedPackage } from './pack.ts'

const MINUTES = 5

/** Where a release goes, and whether npm proves from which commit and build it comes. */
export interface Registry {
  readonly url: string
  readonly provenance: boolean
}

/** Whether a registry is on this machine: a trial, for which any version will do. */
export const isLocal = (url: string): boolean =>
  ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)

/** Publishes the tarballs one after the other. Those that the registry has are left: a release that was cut goes on. */
export async function publish(
  packages: readonly ReleasedPackage[],
  { url, provenance }: Registry,
  log: (line: string) => void,
): Promise<void> {
  for (const { name, version, file } of packages) {
    const known = await npm(['view', `${name}@${version}`, 'version', '--registry', url])
    if (known.code === 0 && known.output.trim() === version) {
      log(`${name}@${version} was there already`)
      continue
    }
    const flags = ['--access', 'public', ...(provenance ? [] : ['--no-provenance'])]
    const { code, output } = await npm(['publish', file, '--registry', url, ...flags])
    if (code !== 0) throw new Error(`${name}@${version} could not be published:\n${output}`)
    log(`${name}@${version} is published`)
  }
}

const npm = (args: string[]) => run('npm', args, { capture: true, minutes: MINUTES })
