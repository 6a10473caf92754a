import type { App } from './state.ts'

/** The version of an app; a draft is called so only beside a release, and is nothing special without one. */
export function versionText({
  version,
  latest_release,
}: Pick<App, 'version' | 'latest_release'>): string | null {
  if (!version.endsWith('-draft')) return version
  return latest_release === null ? null : 'draft'
}
