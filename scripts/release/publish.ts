import { run } from '../spawn.mjs'
import { twoAtATime } from '../two-at-a-time.ts'
import type { PackedPackage } from './pack.ts'

const MINUTES = 5

/** Where a release goes, and whether npm proves from which commit and build it comes. */
export interface Registry {
  readonly url: string
  readonly provenance: boolean
}

/** Whether a registry is on this machine: a trial, for which any version will do. */
export const isLocal = (url: string): boolean =>
  ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)

/**
 * Publishes the tarballs, two at a time. Those that the registry has are left, so that a release that was cut can go on.
 * Returns what could not be published, one sentence each.
 *
 * @param env what npm reads besides: its sign-in
 */
export async function publish(
  packages: readonly PackedPackage[],
  { url, provenance }: Registry,
  { log, env = process.env }: { readonly log: (line: string) => void; readonly env?: NodeJS.ProcessEnv },
): Promise<string[]> {
  const failed: string[] = []
  await twoAtATime(packages, async ({ name, version, file }) => {
    if (await isThere(url, name, version)) return log(`${name}@${version} is there already`)
    const flags = ['--registry', url, '--access', 'public', ...(provenance ? [] : ['--no-provenance'])]
    const publishing = ['publish', file, '--no-update-notifier', ...flags]
    const { code, output } = await run('npm', publishing, { capture: true, minutes: MINUTES, env })
    if (code === 0) log(`${name}@${version} is published`)
    else failed.push(`${name}@${version} could not be published:\n${output}${signInHint(url, output)}`)
  })
  return failed
}

/** npm asks for a token of each registry, also of one that takes everybody. */
export function signInHint(url: string, output: string): string {
  if (!output.includes('ENEEDAUTH')) return ''
  const { host, pathname } = new URL(url)
  const key = `//${host}${pathname.endsWith('/') ? pathname : `${pathname}/`}:_authToken`
  return `\nSign in with npm login --registry ${url}; for a registry that takes everybody any token will do: npm config set ${key}=any`
}

/** Whether a registry shows a version to everybody; one that shows nothing without a sign-in refuses it by itself. */
async function isThere(url: string, name: string, version: string): Promise<boolean> {
  const base = url.endsWith('/') ? url : `${url}/`
  const response = await fetch(new URL(name.replace('/', '%2f'), base))
  if (!response.ok) return false
  const { versions } = (await response.json()) as { versions?: Readonly<Record<string, unknown>> }
  return Object.hasOwn(versions ?? {}, version)
}
