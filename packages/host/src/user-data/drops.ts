import { Refusal } from '@svc/contract'
import { each, type StoreRecord } from '@svc/state'
import { type BundleRow, bundles, dropBundle } from '../apps/bundles.ts'
import { uninstallApp } from '../apps/install.ts'
import { letAppGo, removeApp } from '../apps/remove.ts'
import { type PlugRecord, plugs, snapshots } from '../catalog/plug-row.ts'
import { type AppRow, type InstallRow, type ItemRow, type UserRow, users } from '../catalog/records.ts'
import { type RunRecord, runs } from '../catalog/run-row.ts'
import { removeItem } from '../data/storage/items.ts'
import { removePlug } from '../plugins/publishing/edit.ts'
import { dropCopies } from '../plugins/publishing/snapshots.ts'
import { isActive as isActiveJob, type JobRecord, jobs } from '../work/jobs/job-row.ts'
import { forgetJob } from '../work/jobs/retention.ts'
import { forgetRun } from '../work/runs/retention.ts'
import type { WorkServices } from '../work/services.ts'
import { purge } from '../work/sessions/ends.ts'
import { isActive as isActiveSession, type SessionRecord, sessions } from '../work/sessions/session-row.ts'

const WHY = 'the user was erased'

/** Somebody else took it away first, which is as good. */
async function unlessGone(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof Refusal) || !['not_found', 'job_not_found'].includes(error.code)) throw error
  })
}

/** With its windows, files and values. */
export const dropInstall = (services: WorkServices, { row }: StoreRecord<InstallRow>): Promise<void> =>
  unlessGone(uninstallApp(services, row.user_id, row.install_id, async () => {}))

/** For everybody, as its owner removes it. */
export const dropApp = (services: WorkServices, { id, row }: StoreRecord<AppRow>): Promise<void> =>
  unlessGone(removeApp(services, row.owner, id))

/** With what is left of its app, whose own record goes before this one: a removal that broke off is found by it. */
export async function dropBundleOf(services: WorkServices, bundle: StoreRecord<BundleRow>): Promise<void> {
  await letAppGo(services, bundle.row.app_id)
  const left = await services.store.get(bundles, bundle.id)
  if (left) await dropBundle(services, left)
}

/** The space of the value keeps its generation; a space of the user's own goes after this. */
export const dropItem = ({ store }: WorkServices, record: StoreRecord<ItemRow>): Promise<boolean> =>
  removeItem(store, record, record.row.generation + 1)

/** With its progress. */
export async function dropJob(services: WorkServices, { id, row }: JobRecord): Promise<void> {
  if (isActiveJob(row)) await unlessGone(services.jobs.ofUser.cancel(row.user_id, id, WHY))
  const ended = await services.store.get(jobs, id)
  if (ended) await forgetJob(services, ended)
}

/** With its frames, once the last one is written: who writes them would begin a new journal. */
export async function dropRun(services: WorkServices, { id, row }: RunRecord): Promise<void> {
  const { clock, limits, store } = services
  if (!row.stream_closed) {
    const { user_id: userId, app_id: appId, session_uuid: sessionUuid, run_id, stream_id } = row
    await services.runs.cancel({ userId, appId, sessionUuid }, run_id)
    const late = new AbortController()
    const stop = clock.setTimer(() => late.abort(), limits.SHUTDOWN_MS)
    for await (const { done } of services.runs.frames(stream_id, 0, late.signal)) if (done) break
    stop()
  }
  const ended = await store.get(runs, id)
  if (ended) await forgetRun(services, ended)
}

/** With its messages. */
export async function dropSession(services: WorkServices, { id, row }: SessionRecord): Promise<void> {
  if (isActiveSession(row)) await services.sessions.revokeAll(row.user_id, row.app_id)
  const ended = await services.store.get(sessions, id)
  if (ended) await purge(services, ended)
}

/** For everybody, with its versions: its id holds the name of its author. */
export async function dropPlug(services: WorkServices, { id, row }: PlugRecord): Promise<void> {
  const { copies, store } = services
  if (row.removed_at === null) await unlessGone(removePlug(services, row.owner, id))
  for await (const version of each(store, snapshots, 'byPlug', { eq: [id] })) {
    await store.remove(snapshots, version.id, version.revision)
    dropCopies(copies, version)
  }
  const removed = await store.get(plugs, id)
  if (removed) await store.remove(plugs, id, removed.revision)
  copies.plugs.drop(id)
}

/** The last of all. */
export async function dropUser({ copies, store }: WorkServices, userId: string): Promise<number> {
  const record: StoreRecord<UserRow> | null = await store.get(users, userId)
  if (record) await store.remove(users, userId, record.revision)
  copies.users.drop(userId)
  return record ? 1 : 0
}
