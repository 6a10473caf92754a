import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { distributionSchema, isFloating, limits } from '@svc/contract'
import { findProgram, wordsOf } from '@svc/runner'
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
  // Of a single value npm would print no name; each package has a name and a version.
  const args = ['view', '--json', '--', asked, 'name', 'version', 'dist.integrity']
  try {
    const [npm, ...before] = wordsOf(findProgram('npm', '.', process.env.PATH) ?? 'npm')
    const { stdout } = await promisify(execFile)(npm, [...before, ...args], {
      signal,
      timeout: limits.INSTALL_TIMEOUT_MS,
    })
    const { version, 'dist.integrity': integrity }: Readonly<Record<string, unknown>> = JSON.parse(stdout)
    const found = distributionSchema.parse({ ...distribution, version })
    const held = distributionSchema.safeParse({ ...found, integrity })
    const isHeld = held.success && integrity !== undefined
    say(`takes ${package_name} ${version} from npm, ${isHeld ? integrity : NO_INTEGRITY}`)
    return { ...file, distribution: isHeld ? held.data : found }
  } catch {
    signal.throwIfAborted()
    say(`npm does not find ${asked}; it is published as the file has it, without an integrity`)
    return file
  }
}

const NO_INTEGRITY =
  'which tells no integrity (SHA-512) of it: users get what the registry has under that version then'
