import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Distribution } from '@svc/contract'
import { fault } from './problem.ts'

/**
 * Compares the package that npm has installed with the one that was published, before anything of it runs. npm notes
 * the digest of each archive in its own lock once it has checked the bytes against it. Errors: `invalid_arg`
 * (`integrity_differs`).
 */
export async function holdIntegrity(
  folder: string,
  root: string,
  { package_name, version, integrity }: Extract<Distribution, { type: 'npm' }>,
): Promise<void> {
  if (integrity === undefined) return
  const got = integrityIn(await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8'), root)
  // The whole text: of several digests, npm takes bytes that have any one.
  if (got === integrity) return
  throw fault(
    'integrity_differs',
    `the registry has ${package_name} ${version} with ${got === undefined ? 'no integrity' : `the integrity ${got}`}, and ${integrity} was published`,
    'If it was changed on purpose, publish a version that names the package as it is now.',
  )
}

function integrityIn(lock: string, root: string): string | undefined {
  const { packages = {} }: { readonly packages?: Readonly<Record<string, { readonly integrity?: string }>> } =
    JSON.parse(lock)
  return packages[root]?.integrity
}
