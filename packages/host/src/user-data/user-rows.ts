import { Refusal } from '@svc/contract'
import { each, type StoreRecord } from '@svc/state'
import { withdrawPublisher } from '../access/users/publishers.ts'
import { type BundleRecord, bundles } from '../apps/bundles.ts'
import { declines } from '../apps/configured.ts'
import { dropBundle } from '../apps/drop-bundles.ts'
import { uninstallApp } from '../apps/install.ts'
import { deleteAppRest, removeApp } from '../apps/remove.ts'
import { type PlugRecord, plugs, reservations, snapshots } from '../catalog/plug-row.ts'
import { plugValues, withoutSecretValues } from '../catalog/plug-values.ts'
import {
  type AppRow,
  apps,
  type InstallRow,
  type ItemRow,
  installs,
  items,
  publishers,
  spaces,
  states,
  type UserRow,
  users,
  versions,
} from '../catalog/records.ts'
import { type RunRecord, runs } from '../catalog/run-row.ts'
import { windows } from '../catalog/window-row.ts'
import { appFiles } from '../data/app-files/app-file.ts'
import { deleteAppFile } from '../data/app-files/drop.ts'
import { removeItem } from '../data/storage/items.ts'
import { dropFile } from '../data/uploads/drop.ts'
import { files } from '../data/uploads/file.ts'
import { runners } from '../machines/runner-row.ts'
import { quotas } from '../models/quotas/quota-row.ts'
import { approvals } from '../plugins/approvals/approval-row.ts'
import { credentialRequests } from '../plugins/credentials/operator-credentials.ts'
import { removePlug } from '../plugins/publishing/edit.ts'
import { forgetPlug } from '../plugins/publishing/forget-plug.ts'
import { isActive as isActiveJob, type JobRecord, jobs } from '../work/jobs/job-row.ts'
import { forgetJob } from '../work/jobs/retention.ts'
import { messages } from '../work/runs/messages.ts'
import { forgetRun } from '../work/runs/retention.ts'
import type { WorkServices } from '../work/services.ts'
import { purge } from '../work/sessions/ends.ts'
import { isActive as isActiveSession, type SessionRecord, sessions } from '../work/sessions/session-row.ts'
import { both, type HeldRows, held, lineOf, type NoRows, type RowsOfOther } from './rows.ts'

const WHY = 'the user was erased'

/** Somebody else took it away first, which is as good. */
async function unlessGone(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof Refusal) || !['not_found', 'job_not_found'].includes(error.code)) throw error
  })
}

/** With its windows, files and values. */
const dropInstall = (services: WorkServices, { row }: StoreRecord<InstallRow>): Promise<void> =>
  unlessGone(uninstallApp(services, row.user_id, row.install_id, async () => {}))

/** For everybody, as its owner removes it. */
const dropApp = (services: WorkServices, { id, row }: StoreRecord<AppRow>): Promise<void> =>
  unlessGone(removeApp(services, row.owner, id))

/**
 * With what is left of its app, whose own record goes before this one: a removal that was interrupted is found by it.
 */
async function dropBundleOf(services: WorkServices, bundle: BundleRecord): Promise<void> {
  await deleteAppRest(services, bundle.row.app_id)
  const left = await services.store.get(bundles, bundle.id)
  if (left) await dropBundle(services, left)
}

/** The space of the value keeps its generation; a space of the user's own goes after this. */
const dropItem = ({ store }: WorkServices, record: StoreRecord<ItemRow>): Promise<boolean> =>
  removeItem(store, record, record.row.generation + 1)

/** With its progress. */
async function dropJob(services: WorkServices, { id, row }: JobRecord): Promise<void> {
  if (isActiveJob(row)) await unlessGone(services.jobs.ofUser.cancel(row.user_id, id, WHY))
  const ended = await services.store.get(jobs, id)
  if (ended) await forgetJob(services, ended)
}

/** With its frames, once the last one is written: who writes them would begin a new journal. */
async function dropRun(services: WorkServices, { id, row }: RunRecord): Promise<void> {
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
async function dropSession(services: WorkServices, { id, row }: SessionRecord): Promise<void> {
  if (isActiveSession(row)) await services.sessions.revokeAll(row.user_id, row.app_id)
  const ended = await services.store.get(sessions, id)
  if (ended) await purge(services, ended)
}

/** For everybody, with its versions: its id holds the name of its author. */
async function dropPlug(services: WorkServices, { id, row }: PlugRecord): Promise<void> {
  if (row.removed_at === null) await unlessGone(removePlug(services, row.owner, id))
  await forgetPlug(services, { id })
}

/** The last of all. */
async function dropUser({ copies, store }: WorkServices, userId: string): Promise<number> {
  const record: StoreRecord<UserRow> | null = await store.get(users, userId)
  if (record) await store.remove(users, userId, record.revision)
  copies.users.drop(userId)
  return record ? 1 : 0
}

/**
 * What belongs to a user: a row for each collection of the store, by its name, in the order in which an erase drops
 * them. What finds others by it comes after them, so that the next erase finishes one that was interrupted.
 */
export const userRows: Readonly<Record<string, HeldRows | RowsOfOther | NoRows>> = {
  installs: held(installs, 'byUser', dropInstall),
  apps: held(apps, 'byOwner', dropApp, {
    async *children(services, { id }) {
      for await (const version of each(services.store, versions, 'byApp', { eq: [id] }))
        yield lineOf(versions, version.id, version.row)
    },
  }),
  versions: { goesWith: 'apps' },
  bundles: held(bundles, 'byOwner', dropBundleOf, {
    bytes: ({ files: kept }) => Object.entries(kept).map(([path, file]) => ({ path, ...file })),
  }),
  windows: held(windows, 'byUser', (services, window) => services.windows.forget(window), {
    async *children({ store }, { id }) {
      const state = await store.get(states, id)
      if (state) yield lineOf(states, id, state.row)
    },
  }),
  states: { goesWith: 'windows' },
  jobs: held(jobs, 'byUser', dropJob),
  runs: held(runs, 'byUser', dropRun),
  sessions: held(sessions, 'byUser', dropSession, {
    async *children(services, { id }) {
      for await (const message of each(services.store, messages, 'bySession', { eq: [id] }))
        yield lineOf(messages, message.id, message.row)
    },
  }),
  messages: { goesWith: 'sessions' },
  files: held(files, 'byOwner', dropFile, {
    bytes: ({ digest, size_bytes }) => (digest === null ? [] : [{ digest, size: size_bytes }]),
  }),
  app_files: held(appFiles, 'byUser', (services, { id }) => deleteAppFile(services, id), {
    bytes: ({ live }) => (live === null ? [] : [{ digest: live.digest, size: live.size_bytes }]),
  }),
  items: both(held(items, 'byUser', dropItem), held(items, 'byWriter', dropItem)),
  spaces: held(spaces, 'byUser'),
  approvals: held(approvals, 'byApp'),
  declines: held(declines, 'byUser'),
  quotas: held(quotas, 'byUser'),
  plug_values: held(
    plugValues,
    'byUser',
    async ({ copies, store }, { id, revision }) => {
      await store.remove(plugValues, id, revision)
      copies.plugValues.drop(id)
    },
    { row: withoutSecretValues },
  ),
  credential_requests: held(credentialRequests, 'byUser'),
  reservations: held(reservations, 'byOwner'),
  plugs: held(plugs, 'madeBy', dropPlug, {
    async *children(services, { id }) {
      for await (const version of each(services.store, snapshots, 'byPlug', { eq: [id] }))
        yield lineOf(snapshots, version.id, version.row)
    },
  }),
  snapshots: { goesWith: 'plugs' },
  publishers: held(publishers, 'byUser', (services, { row }) => withdrawPublisher(services, row.user_id)),
  runners: held(runners, 'byUser', undefined, {
    row: ({ token_hash: _, next_token_hash: __, held_by: ___, ...row }) => row,
  }),
  users: {
    drop: dropUser,
    async *lines({ store }, userId) {
      const record = await store.get(users, userId)
      if (record) yield lineOf(users, userId, record.row)
    },
  },
  removed_users: { none: 'It says that somebody is shut out by the digest of an id, and names nobody.' },
  file_uses: { none: 'It names bytes and the record that needs them, and goes with that one.' },
  late_uses: { none: 'It names bytes and the record that needed them, for a minute.' },
  removals: { none: 'It names bytes that are being removed, and goes with them.' },
  hosts: { none: 'Its records are processes of the operator.' },
  untold: { none: 'It says that events of a user wait in a host, and goes with his events.' },
}

/** The rows that are found by the id of a user. */
export const heldRows: readonly HeldRows[] = Object.values(userRows).filter(
  (one): one is HeldRows => 'drop' in one,
)
