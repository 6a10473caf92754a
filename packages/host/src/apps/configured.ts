import { resolve } from 'node:path'
import { type BuildProblem, type Grants, type Limits, limits as names, refuse } from '@svc/contract'
import { collection, type StoreRecord } from '@svc/state'
import { isShutOut } from '../access/users/admitted.ts'
import {
  apps,
  type InstallRow,
  installId,
  installs,
  OPERATOR,
  type VersionRow,
  versions,
} from '../catalog/records.ts'
import type { ConfiguredApp, Push } from './apps.ts'
import { openBuildProblems } from './build-problems.ts'
import { readFolder } from './folder.ts'
import { grantsAskedBy } from './grants.ts'
import { insertInstall } from './install.ts'
import { readManifest } from './manifest-input.ts'
import type { AppParts } from './parts.ts'
import { pushDraft } from './push.ts'
import { registerApp } from './register.ts'

/** That a user took a configured app away: it is not given again unasked. The record's id is `installId`. */
export const declines = collection({
  name: 'declines',
  row: {} as { readonly user_id: string; readonly created_at: number },
  indexes: { byUser: (row) => [row.user_id] },
})

interface LoadedApp {
  readonly app_id: string
  readonly version_id: string
  readonly grants: Grants | undefined
}

/** The apps that the operator configured. */
export interface ConfiguredApps {
  /** Reads and pushes all of them once; rejects with a sentence that names the folder. */
  load(): Promise<ReadonlyMap<string, LoadedApp>>
  /** Installs a configured app for a user who has not declined it; `null` for any other app or user, and who is shut out. */
  offer(userId: string, appId: string): Promise<StoreRecord<InstallRow> | null>
  /** Notes that a user takes an app away; nothing where it is not a configured one. */
  decline(userId: string, appId: string): Promise<void>
  /** Reads a configured folder again. Errors: `not_found`, `invalid_arg`. */
  reload(dir: string): Promise<{ app_id: string; version_id: string; changed: boolean }>
  /** Notes why a build of a configured folder failed, until it is read again. Errors: `not_found`. */
  reportBuild(dir: string, problem: BuildProblem): Promise<void>
  /** Why the last build of an app failed, or `null`. */
  problemOf(appId: string): BuildProblem | null
}

/** Opens the configured apps; nothing is read before the first call. */
export function openConfigured(services: AppParts, configured: readonly ConfiguredApp[]): ConfiguredApps {
  const appIds = new Map<string, string>()
  const problems = openBuildProblems(services)
  let loading: Promise<ReadonlyMap<string, LoadedApp>> | undefined

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
      if (!loaded || (await services.store.get(declines, id))) return null
      const version = await services.store.get(versions, loaded.version_id)
      if (!version) return null
      const asked = services.settings.harness
        ? grantsAskedBy(version.row.manifest, services.platformTools)
        : {}
      const given = { userId, version, grants: loaded.grants ?? asked }
      return (await isShutOut(services, userId)) ? null : give(services, given)
    },
    async decline(userId, appId) {
      const now = services.clock.now()
      if ((await load()).has(appId))
        await services.store.insert(declines, installId(userId, appId), { user_id: userId, created_at: now })
    },
    async reload(dir) {
      const { app_id } = await loadedOf(dir)
      const { version_id, changed } = await pushDraft(
        services,
        { appId: app_id, owner: OPERATOR },
        await readFolder(dir, services),
      )
      await problems.set(app_id, version_id, null)
      return { app_id, version_id, changed }
    },
    async reportBuild(dir, problem) {
      const { app_id, version_id } = await loadedOf(dir)
      await problems.set(app_id, version_id, problem)
    },
    problemOf: problems.of,
  }

  async function loadedOf(dir: string): Promise<LoadedApp> {
    const found = (await load()).get(appIds.get(resolve(dir)) ?? '')
    if (!found) throw refuse('not_found', `no app is configured with the folder ${dir}`)
    return found
  }

  async function loadAll() {
    const loaded = new Map<string, LoadedApp>()
    const folders = new Map<string, string>()
    for (const { dir, grants } of configured)
      try {
        const push = await readFolder(dir, services)
        const app_id = await operatorApp(services, push)
        const other = folders.get(app_id)
        if (other !== undefined)
          throw new Error(
            `the app in ${other} has the same name; change "name" in the manifest of one of them`,
          )
        folders.set(app_id, dir)
        const { version_id } = await pushDraft(services, { appId: app_id, owner: OPERATOR }, push)
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

/** Asked again behind the write: either the end of the user finds the install, or this finds the end. */
async function give(
  services: AppParts,
  { userId, version, grants }: { userId: string; version: StoreRecord<VersionRow>; grants: Grants },
): Promise<StoreRecord<InstallRow> | null> {
  const { record, inserted } = await insertInstall(services, userId, version, grants)
  if (!(await isShutOut(services, userId))) return record
  // One that was there already is kept over a block.
  if (!inserted) return null
  await services.store.remove(installs, record.id, record.revision)
  services.copies.installs.drop(record.id)
  return null
}

/** The operator's app of that name: found by its slug, so that a restart over a lasting store meets it again. */
async function operatorApp(services: AppParts, push: Push): Promise<string> {
  const { name } = readManifest(push.manifest, services.limits)
  const slug = slugOf(name, services.limits)
  const found = await services.store.scan(apps, 'byOwner', { eq: [OPERATOR, slug], limit: 1 })
  return found.rows[0]?.id ?? (await registerApp(services, OPERATOR, { slug, name })).app_id
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
