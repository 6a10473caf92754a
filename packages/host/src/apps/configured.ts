import { resolve } from 'node:path'
import { type Grants, type Limits, type Manifest, limits as names, refuse } from '@svc/contract'
import { all, collection, type StoreRecord, update } from '@svc/state'
import { isShutOut } from '../access/users/sign-in.ts'
import {
  apps,
  DRAFT_VERSION,
  type InstallRow,
  installId,
  installs,
  OPERATOR,
  type VersionRow,
  versions,
} from '../catalog/records.ts'
import type { ConfiguredApp, Push } from './apps.ts'
import { openBuildProblems, type ProblemPart, type ToldProblem } from './build-problems.ts'
import type { DevSource } from './dev-source.ts'
import { grantsAskedBy, withNewGrants } from './grants.ts'
import { insertInstall } from './install.ts'
import { findVersion } from './own-app.ts'
import { pushDraft } from './push.ts'
import { readFolder, readManifest } from './push-input.ts'
import { registerApp } from './register.ts'
import type { AppNeeds } from './services.ts'

/** That a user removed a configured app: it is not given again unasked. The record's id is `installId`. */
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

/** Opens the configured apps; nothing is read before the first call. */
export function openConfigured(services: AppNeeds, configured: readonly ConfiguredApp[]) {
  const appIds = new Map<string, string>()
  const devSources = new Map<string, DevSource>()
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
    /** Reads and pushes all of them once; rejects with a sentence that names the folder. */
    load,
    /** Installs a configured app for a user who has not declined it; `null` for any other app or user, and who is shut out. */
    async offer(userId: string, appId: string) {
      const loaded = (await load()).get(appId)
      const id = installId(userId, appId)
      if (!loaded || (await services.store.get(declines, id))) return null
      const version = await services.store.get(versions, loaded.version_id)
      if (!version) return null
      const asked = services.settings.harness
        ? grantsAskedBy(version.row.manifest, services.platformTools)
        : {}
      const given = { userId, version, grants: loaded.grants ?? asked }
      return (await isShutOut(services, userId)) ? null : installFor(services, given)
    },
    /** Notes that a user removes an app; nothing where it is not a configured one. */
    async decline(userId: string, appId: string) {
      const now = services.clock.now()
      if ((await load()).has(appId))
        await services.store.insert(declines, installId(userId, appId), { user_id: userId, created_at: now })
    },
    /** Reads a configured folder again. Errors: `not_found`, `invalid_arg`. */
    async reload(dir: string) {
      const { app_id, grants } = await loadedOf(dir)
      const { version_id, changed } = await pushed(app_id, await readFolder(dir, services), grants)
      await problems.set({ app_id, version_id, part: 'build' }, null)
      return { app_id, version_id, changed }
    },
    /** Notes what is wrong with a part of a configured folder, until `null` is told of it. Errors: `not_found`. */
    async reportProblem(dir: string, part: ProblemPart, problem: ToldProblem | null) {
      const { app_id, version_id } = await loadedOf(dir)
      await problems.set({ app_id, version_id, part }, problem)
    },
    /** What is wrong with an app, or `null`. */
    problemOf: problems.of,
    /** What serves the files of an app while somebody develops it, or `null`. */
    devSource: (appId: string): DevSource | null => devSources.get(appId) ?? null,
  }

  /** Pushes what a folder holds. In the harness its users get what the manifest newly asks for, before windows reload. */
  async function pushed(appId: string, push: Push, grants: Grants | undefined) {
    if (services.settings.harness && grants === undefined)
      await grantNew(services, appId, readManifest(push.manifest, services.limits))
    return pushDraft(services, { appId, owner: OPERATOR }, push)
  }

  async function loadedOf(dir: string): Promise<LoadedApp> {
    const found = (await load()).get(appIds.get(resolve(dir)) ?? '')
    if (!found) throw refuse('not_found', `no app is configured with the folder ${dir}`)
    return found
  }

  async function loadAll() {
    const loaded = new Map<string, LoadedApp>()
    const folders = new Map<string, string>()
    for (const { dir, grants, dev } of configured)
      try {
        const push = await readFolder(dir, services)
        const app_id = await operatorApp(services, push)
        const other = folders.get(app_id)
        if (other !== undefined)
          throw new Error(
            `the app in ${other} has the same name; change "name" in the manifest of one of them`,
          )
        folders.set(app_id, dir)
        const { version_id } = await pushed(app_id, push, grants)
        appIds.set(resolve(dir), app_id)
        if (dev) devSources.set(app_id, dev)
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

/** The apps that the operator configured. */
export type ConfiguredApps = ReturnType<typeof openConfigured>

/** Checked again after the write: either the end of the user finds the install, or this check finds the end. */
async function installFor(
  services: AppNeeds,
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

/** Grants to those who have an app what its manifest asks for and that of its draft before did not. */
async function grantNew(services: AppNeeds, appId: string, manifest: Manifest): Promise<void> {
  const { copies, platformTools, store } = services
  const before = await findVersion(services, appId, DRAFT_VERSION)
  if (!before) return
  const asked = grantsAskedBy(manifest, platformTools)
  const old = grantsAskedBy(before.row.manifest, platformTools)
  for (const { id } of await all(store, installs, 'byApp', { eq: [appId, before.id] })) {
    const record = await update(store, installs, id, (row) =>
      row ? { ...row, grants: withNewGrants(row.grants, asked, old) } : null,
    )
    if (record) copies.installs.drop(id, record)
  }
}

/** The operator's app of that name: found by its slug, so that a restart over a lasting store meets it again. */
async function operatorApp(services: AppNeeds, push: Push): Promise<string> {
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
