import type { Settings } from '../house.ts'
import { paths } from '../http/paths.ts'
import type { VersionRow } from '../records.ts'
import { fileOf } from './bundles.ts'

/** The folder that the files of a digest are served from, under an origin or, with an empty one, the root. */
export const bundleFolder = (origin: string, digest: string): string => `${origin}${paths.bundles}${digest}/`

/** The URL of a version's entry file; `null` while the file is not there. */
export function entryUrl(settings: Pick<Settings, 'bundleOrigin'>, version: VersionRow): string | null {
  const { entry } = version.manifest.ui.bundle
  if (!fileOf(version.files, entry)) return null
  const path = entry.split('/').map(encodeURIComponent).join('/')
  return bundleFolder(settings.bundleOrigin ?? '', version.digest) + path
}
