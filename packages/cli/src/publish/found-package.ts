import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { distributionSchema, isFloating, limits } from '@svc/contract'
import type { PlugFile } from './plug-file.ts'

/**
 * Fills in what a published version keeps of an npm package: the version that its registry has now, where the file
 * names none, and the integrity. What npm does not tell stays out, and the host says whether it is needed.
 */
export async function withFoundPackage(
  file: PlugFile,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<PlugFile> {
  const { distribution } = file
  if (distribution?.type !== 'npm' || distribution.integrity !== undefined) return file
  // A tag or a range is left as it is: the host refuses it with a sentence of its own.
  if (distribution.version !== undefined && isFloating(distribution)) return file
  const { package_name, version: named = 'latest' } = distribution
  const asked = `${package_name}@${named}`
  const args = ['view', '--json', '--', asked, 'version', 'dist.integrity']
  try {
    const { stdout } = await promisify(execFile)('npm', args, { signal, timeout: limits.INSTALL_TIMEOUT_MS })
    const { version, 'dist.integrity': integrity }: Readonly<Record<string, unknown>> = JSON.parse(stdout)
    const found = distributionSchema.parse({ ...distribution, version, integrity })
    say(`takes ${package_name} ${version} from npm, ${integrity}`)
    return { ...file, distribution: found }
  } catch {
    signal.throwIfAborted()
    say(`npm does not tell the integrity of ${asked}; it is published without one`)
    return file
  }
}
