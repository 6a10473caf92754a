import { type BuildProblem, compareSemver, type Grants } from '@svc/contract'
import type { StoreRecord } from '@svc/state'
import { apps, DRAFT_VERSION, type VersionRow, versions } from '../catalog/records.ts'
import type { AppInstall, InstalledApp } from './apps.ts'
import { grantsAskedBy } from './grants.ts'
import { installsOf } from './install.ts'
import type { AppParts } from './parts.ts'
import { plugsAskedBy, plugsOf } from './plugs.ts'

/** Names as a reader looks for them, the same on every machine. */
const { compare } = new Intl.Collator('en', { numeric: true })

/** The apps that a user has installed, by name; those of one name by their id. */
export async function installedApps(services: AppParts, userId: string): Promise<InstalledApp[]> {
  const rows = await installsOf(services, userId)
  const listed = await Promise.all(
    rows.map(async ({ row }): Promise<InstalledApp | null> => {
      const app = await services.store.get(apps, row.app_id)
      const version = await services.copies.versions.get(row.version_id)
      if (!app || !version) return null
      return {
        install_id: row.install_id,
        app_id: row.app_id,
        slug: app.row.slug,
        name: version.row.manifest.name,
        version: row.version,
        version_id: row.version_id,
        grants: row.grants,
        views: version.row.manifest.ui.views.map(({ name, title, default: first }) => ({
          name,
          ...(title !== undefined && { title }),
          ...(first !== undefined && { default: first }),
        })),
        created_at: new Date(row.created_at).toISOString(),
      }
    }),
  )
  return listed
    .filter((row) => row !== null)
    .sort((a, b) => compare(a.name, b.name) || (a.app_id < b.app_id ? -1 : 1))
}

/** Adds to what a user installed what these versions ask for and the plugins they use, and what is newer. */
export function withAsked(
  services: AppParts,
  userId: string,
  installed: readonly InstalledApp[],
  problemOf: (appId: string) => BuildProblem | null,
): Promise<AppInstall[]> {
  const wants = async ({ row }: StoreRecord<VersionRow>, grants: Grants) => {
    const plugs = await plugsOf(services, userId, row, grants)
    const asked = plugsAskedBy(plugs)
    const asks = grantsAskedBy(row.manifest, services.platformTools)
    return { asks: asked.length > 0 ? { ...asks, plugs: asked } : asks, plugs }
  }
  return Promise.all(
    installed.map(async (app) => {
      const version = await services.copies.versions.get(app.version_id)
      const newest = await newestRelease(services, app.app_id)
      const isRelease = app.version !== DRAFT_VERSION
      const isNewer = isRelease && newest !== null && compareSemver(newest.row.version, app.version) > 0
      return {
        ...app,
        ...(version ? await wants(version, app.grants) : { asks: {}, plugs: [] }),
        approved: await services.approvals.allowed(userId, app.app_id),
        latest_release: newest?.row.version ?? null,
        build_problem: problemOf(app.app_id),
        newer: isNewer ? { version: newest.row.version, ...(await wants(newest, app.grants)) } : null,
      }
    }),
  )
}

/** The release of an app with the highest version. */
async function newestRelease({ store }: AppParts, appId: string): Promise<StoreRecord<VersionRow> | null> {
  const page = await store.scan(versions, 'released', { eq: [appId], order: 'desc', limit: 1 })
  return page.rows[0] ?? null
}
