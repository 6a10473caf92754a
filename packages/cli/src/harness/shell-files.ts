import { existsSync, globSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { build } from 'vite'
import { withNodeEnv } from '../project/build.ts'
import { failure } from '../terminal/failure.ts'

const require = createRequire(import.meta.url)

/** What the page is made from, relative to the shell's folder: its own sources and those of the packages in it. */
const sources = [
  'src/**/*',
  'index.html',
  'package.json',
  'vite.config.ts',
  '../bridge/src/**/*.ts',
  '../contract/src/**/*.ts',
]

/**
 * The folder of the shell's built files. Beside its sources it is built first when it is missing or older than
 * they are; installed from a registry it is built already. Errors: `build`.
 */
export async function shellFiles(): Promise<string> {
  const dir = path.dirname(require.resolve('@svc/shell/package.json'))
  const dist = path.join(dir, 'dist')
  if (!existsSync(path.join(dir, 'src')) || isFresh(dir, path.join(dist, 'index.html'))) return dist
  await withNodeEnv('production', () => build({ root: dir, mode: 'production', logLevel: 'silent' })).catch(
    (error: unknown) => {
      throw failure(
        'build',
        `the shell could not be built: ${error instanceof Error ? error.message : String(error)}`,
      )
    },
  )
  return dist
}

function isFresh(dir: string, entry: string): boolean {
  if (!existsSync(entry)) return false
  const builtAt = statSync(entry).mtimeMs
  return globSync(sources, { cwd: dir }).every((file) => {
    const stat = statSync(path.join(dir, file))
    return stat.isDirectory() || stat.mtimeMs <= builtAt
  })
}
