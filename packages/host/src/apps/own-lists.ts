import type { StoreRecord } from '@svc/state'
import { type AppRow, apps, DRAFT_VERSION, type VersionRow, versions } from '../catalog/records.ts'
import { isoOf } from '../kernel/iso.ts'
import { type ListQuery, listPage } from '../kernel/list-page.ts'
import { openSearch } from '../kernel/search.ts'
import type { OwnApp, OwnAppPage, Release, ReleasePage } from './apps.ts'
import { newestRelease } from './installed.ts'
import { findVersion, ownApp } from './own-app.ts'
import type { AppNeeds } from './services.ts'

/** The apps that a user registered, by slug, which never changes: so pages keep their order. Errors: `invalid_arg`. */
export async function ownApps(services: AppNeeds, userId: string, query: ListQuery): Promise<OwnAppPage> {
  const { limits, store } = services
  const isFound = openSearch(query.search)
  const { entries, next_cursor } = await listPage(
    query,
    limits,
    (range) => store.scan(apps, 'byOwner', { eq: [userId], ...range }),
    async (app) => {
      // A version may have thousands of files: one is read at a time.
      const draft = await findVersion(services, app.id, DRAFT_VERSION)
      const { slug, name } = app.row
      if (!isFound([app.id, slug, name, draft?.row.manifest.name ?? ''])) return null
      return entryOf(app, draft, await newestRelease(services, app.id))
    },
  )
  return { apps: entries, next_cursor }
}

const entryOf = (
  { id, row }: StoreRecord<AppRow>,
  draft: StoreRecord<VersionRow> | null,
  newest: StoreRecord<VersionRow> | null,
): OwnApp => ({
  app_id: id,
  slug: row.slug,
  name: row.name,
  draft: draft && { ...keptOf(draft), pushed_at: isoOf(draft.row.created_at) },
  latest_release: newest?.row.version ?? null,
  created_at: isoOf(row.created_at),
})

/** The releases of an app of its owner, the highest version first. Errors: `not_found`, `invalid_arg`. */
export async function ownReleases(
  services: AppNeeds,
  userId: string,
  appId: string,
  query: ListQuery,
): Promise<ReleasePage> {
  await ownApp(services, userId, appId)
  const isFound = openSearch(query.search)
  const { entries, next_cursor } = await listPage(
    query,
    services.limits,
    (range) => services.store.scan(versions, 'released', { eq: [appId], order: 'desc', ...range }),
    async (release) =>
      isFound([release.row.version, release.row.manifest.name]) ? releaseOf(release) : null,
  )
  return { releases: entries, next_cursor }
}

const releaseOf = (release: StoreRecord<VersionRow>): Release => ({
  ...keptOf(release),
  pins: release.row.pins ?? {},
  released_at: isoOf(release.row.created_at),
})

function keptOf({ id, row }: StoreRecord<VersionRow>) {
  const files = Object.values(row.files)
  return {
    version_id: id,
    version: row.version,
    name: row.manifest.name,
    digest: row.digest,
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
  }
}
