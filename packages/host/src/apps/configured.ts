import { resolve } from 'node:path'
import { type Grants, type Limits, limits as names, refuse } from '@svc/contract'
import { apps, type InstallRow, installId, versions } from '../records.ts'
import { collection, type StoreRecord } from '../store/port.ts'
import type { ConfiguredApp, Push } from './apps.ts'
import { readFolder } from './folder.ts'
import { grantsAskedBy } from './grants.ts'
import { insertInstall } from './install.ts'
import { readManifest } from './manifest-input.ts'
import { type AppParts, OPERATOR } from './parts.ts'
import { pushDraft } from './push.ts'
import { registerApp } from './register.ts'

/** That a user took a configured app away: it is not given again unasked. The record's id is `installId`. */
const declines = collection({ name: 'declines', row: {} as { readonly created_at: number }, indexes: {} })

interface Loaded {
  readonly app_id: string
  readonly version_id: string
  readonly grants: Grants | undefined
}

/** The apps that the operator configured (design §9). */
export interface Configured {
  /** Reads and pushes all of them once; rejects with a sentence that names the folder. */
  load(): Promise<ReadonlyMap<string, Loaded>>
  /** Installs a configured app for a user who has not declined it; `null` for any other app or user. */
  offer(userId: string, appId: string): Promise<StoreRecord<InstallRow> | null>
  /** Notes that a user takes an app away; nothing where it is not a configured one. */
  decline(userId: string, appId: string): Promise<void>
  /** Reads a configured folder again. Errors: `not_found`, `invalid_arg`. */
  reload(dir: string): Promise<{ app_id: string; version_id: string; changed: boolean }>
}

/** Opens the configured apps; nothing is read before the first call. */
export function openConfigured(house: AppParts, configured: readonly ConfiguredApp[]): Configured {
  const appIds = new Map<string, string>()
  let loading: Promise<ReadonlyMap<string, Loaded>> | undefined

  const load = () => {
    loading ??= loadAll().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }

  return {
    load,
    async offer(userId, appId) {
      const loaded = (await load()).get(appId)
      const id = installId(userId, appId)
      if (!loaded || (await house.store.get(declines, id))) return null
      const version = await house.store.get(versions, loaded.version_id)
      if (!version) return null
      const asked = house.settings.harness ? grantsAskedBy(version.row.manifest, house.platformTools) : {}
      return insertInstall(house, userId, version, loaded.grants ?? asked)
    },
    async decline(userId, appId) {
      const now = house.clock.now()
      if ((await load()).has(appId))
        await house.store.insert(declines, installId(userId, appId), { created_at: now })
    },
    async reload(dir) {
      await load()
      const app_id = appIds.get(resolve(dir))
      if (app_id === undefined) throw refuse('not_found', `no app is configured with the folder ${dir}`)
      const { version_id, changed } = await pushDraft(house, app_id, await readFolder(dir, house.limits))
      return { app_id, version_id, changed }
    },
  }

  async function loadAll() {
    const loaded = new Map<string, Loaded>()
    for (const { dir, grants } of configured)
      try {
        const push = await readFolder(dir, house.limits)
        const app_id = await operatorApp(house, push)
        if (loaded.has(app_id)) throw new Error('another configured app has the same name')
        const { version_id } = await pushDraft(house, app_id, push)
        appIds.set(resolve(dir), app_id)
        loaded.set(app_id, { app_id, version_id, grants })
      } catch (error) {
        throw new Error(
          `the app in ${dir} cannot be used: ${error instanceof Error ? error.message : error}`,
          {
            cause: error,
          },
        )
      }
    return loaded
  }
}

/** The operator's app of that name: found by its slug, so that a restart over a lasting store meets it again. */
async function operatorApp(house: AppParts, push: Push): Promise<string> {
  const { name } = readManifest(push.manifest, house.limits)
  const slug = slugOf(name, house.limits)
  const found = await house.store.scan(apps, 'byOwner', { eq: [OPERATOR, slug], limit: 1 })
  return found.rows[0]?.id ?? (await registerApp(house, OPERATOR, { slug, name })).app_id
}

/** The slug of a name: its letters and digits, everything else a hyphen. */
function slugOf(name: string, limits: Pick<Limits, 'SLUG_MAX_CHARS'> = names): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
  return plain.replace(/^-/, '').slice(0, limits.SLUG_MAX_CHARS).replace(/-$/, '') || 'app'
}
