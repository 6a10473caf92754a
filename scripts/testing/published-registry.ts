import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { type PackedPackage, packRelease } from '../release/pack.ts'
import { publish } from '../release/publish.ts'
import { openRegistry, type Registry } from './registry.ts'

/** A registry on this machine that has the next release, and everything of others from the registry of the machine. */
export interface PublishedRegistry {
  readonly registry: Registry
  readonly packages: readonly PackedPackage[]
}

/** Packs everything that is published and opens a registry that has it. It keeps what it needs in `home`. Close it. */
export async function openPublishedRegistry(root: string, home: string): Promise<PublishedRegistry> {
  const { stdout: behind } = await promisify(execFile)('npm', ['config', 'get', 'registry'])
  const registry = await openRegistry(home, behind.trim())
  const { packages } = await packRelease(root, path.join(home, 'release'), '@svc')
  const failed = await publish(packages, registry, { log: () => {}, env: registry.env })
  if (failed.length > 0) throw new Error(failed.join('\n'))
  return { registry, packages }
}
