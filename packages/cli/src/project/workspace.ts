import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { failure } from '../terminal/failure.ts'

/**
 * The folders of the workspace's examples, seen from a folder inside it: what `svc dev` starts when none is
 * named. Errors: `config`.
 */
export function exampleFolders(from: string): string[] {
  for (let dir = path.resolve(from); ; dir = path.dirname(dir)) {
    const examples = path.join(dir, 'examples')
    if (existsSync(path.join(dir, 'pnpm-workspace.yaml')) && existsSync(examples))
      return readdirSync(examples, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && existsSync(path.join(examples, entry.name, 'index.html')))
        .map(({ name }) => path.join(examples, name))
        .sort()
    if (path.dirname(dir) === dir)
      throw failure(
        'config',
        'no folder was named, and this is not a workspace with examples',
        'svc dev my-app',
      )
  }
}
