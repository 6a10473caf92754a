import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Distribution } from '@svc/contract'
import { fault } from './problem.ts'

/**
 * Compares the package that npm has installed with the one that was published, before anything of it runs. npm notes
 * the digest of each archive in its own lock once it has checked the bytes against it. Errors: `invalid_arg`
 * (`integrity_differs`).
 */
export async function checkIntegrity(
  folder: string,
  root: string,
  { package_name, version, integrity }: Extract<Distribution, { type: 'npm' }>,
): Promise<void> {
  if (integrity === undefined) return
  const got = (await packagesIn(folder))[root]?.integrity
  // The whole text: of several digests, npm takes bytes that have any one.
  if (got === integrity) return
  throw fault(
    'integrity_differs',
    `the registry has ${package_name} ${version} with ${got === undefined ? 'no integrity' : `the integrity ${got}`}, and ${integrity} was published`,
    'If it was changed on purpose, publish a version that names the package as it is now.',
  )
}

/** Whether npm chose the version of any package for this one, which its own shrinkwrap or bundle did not. */
export async function needsOthers(folder: string, root: string): Promise<boolean> {
  const { [root]: own, ...others } = await packagesIn(folder)
  return !own?.hasShrinkwrap && Object.values(others).some(({ inBundle }) => !inBundle)
}

interface LockedPackage {
  readonly integrity?: string
  readonly hasShrinkwrap?: boolean
  readonly inBundle?: boolean
}

/** What npm wrote down of each package that it installed, by its folder. */
async function packagesIn(folder: string): Promise<Readonly<Record<string, LockedPackage>>> {
  const lock: { readonly packages?: Readonly<Record<string, LockedPackage>> } = JSON.parse(
    await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8'),
  )
  return lock.packages ?? {}
}
