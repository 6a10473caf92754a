import type { Project } from '../project/project.ts'
import { readBundle } from './bundle-files.ts'
import { lintBundle } from './lint.ts'

/**
 * What `svc app lint` finds in the manifest of a built app, a line each. Never rejects: a folder that cannot be read, such
 * as one that is being built again, is a line too.
 */
export async function manifestLines({ name, bundleDir }: Pick<Project, 'name' | 'bundleDir'>) {
  try {
    return lintBundle(await readBundle(bundleDir))
      .filter(({ where }) => where.startsWith('manifest.json'))
      .map(
        ({ where, problem, hint }) => `${name}: ${where}: ${problem}${hint === undefined ? '' : `. ${hint}`}`,
      )
  } catch (error) {
    return [
      `${name}: its manifest could not be checked: ${error instanceof Error ? error.message : String(error)}`,
    ]
  }
}
