import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const root = path.resolve(import.meta.dirname, '../../..')
const all = (file: string): [string, string][] => {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(path.join(root, file), 'utf8'),
  ) as Manifest
  return Object.entries({ ...dependencies, ...devDependencies })
}
const own = new Map(all('package.json'))

/** What the workspace has under the name of another package, or as a range. */
const apart = ['typescript', '@types/node']

it.each(globSync('packages/create-svc/templates/*/package.json', { cwd: root }))(
  '%s has the versions that the workspace is tested with',
  (file) => {
    for (const [name, range] of all(file)) {
      const tested = own.get(name)
      if (tested !== undefined && !apart.includes(name) && !name.startsWith('@svc/'))
        expect(`${name} ${range}`).toBe(`${name} ^${tested}`)
    }
  },
)
