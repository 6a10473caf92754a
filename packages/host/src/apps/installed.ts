import { apps } from '../records.ts'
import type { InstalledApp } from './apps.ts'
import { installsOf } from './install.ts'
import type { AppParts } from './parts.ts'

/** The apps that a user has installed, oldest first. */
export async function installedApps(house: AppParts, userId: string): Promise<InstalledApp[]> {
  const rows = await installsOf(house, userId)
  const listed = await Promise.all(
    rows.map(async ({ row }): Promise<InstalledApp | null> => {
      const app = await house.store.get(apps, row.app_id)
      const version = await house.copies.versions.get(row.version_id)
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
  return listed.filter((row) => row !== null)
}
