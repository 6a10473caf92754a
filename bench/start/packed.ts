import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** What `@svc/host` and `svc --help` need of ours. */
const ofHost = ['contract', 'node', 'state', 'plugin', 'mcp', 'runner', 'host', 'cli']

interface Manifest {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly publishConfig?: object
}

const run = promisify(execFile)

/** Builds the page of windows: `npm run build -- shell`. */
export const buildShell = () => run(process.execPath, ['scripts/build.ts', 'shell'], { cwd: root })

/**
 * Builds packages, by default what a host is made of, into a folder as an install does: `node_modules` with files and no
 * sources.
 */
export async function packInto(folder: string, names: readonly string[] = ofHost): Promise<void> {
  for (const name of names) {
    const from = join(root, 'packages', name)
    const manifest: Manifest = JSON.parse(await readFile(join(from, 'package.json'), 'utf8'))
    const to = join(folder, 'node_modules', manifest.name)
    const config = join(root, 'tsup.config.ts')
    await run('tsup', ['--config', config, '--no-dts', '--out-dir', join(to, 'dist')], { cwd: from })
    await writeFile(join(to, 'package.json'), JSON.stringify({ ...manifest, ...manifest.publishConfig }))
    for (const other of Object.keys(manifest.dependencies ?? {}).filter((key) => !key.startsWith('@svc/'))) {
      const link = join(to, 'node_modules', other)
      await mkdir(dirname(link), { recursive: true })
      await symlink(join(from, 'node_modules', other), link)
    }
  }
}
