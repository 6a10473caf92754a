import { each } from '@svc/state'
import { withdrawPublisher } from '../access/users/publishers.ts'
import { bundles } from '../apps/bundles.ts'
import { declines } from '../apps/configured.ts'
import { plugs, reservations, snapshots } from '../catalog/plug-row.ts'
import { apps, installs, items, publishers, spaces, states, users, versions } from '../catalog/records.ts'
import { runs } from '../catalog/run-row.ts'
import { windows } from '../catalog/window-row.ts'
import { appFiles } from '../data/app-files/app-file.ts'
import { letAppFileGo } from '../data/app-files/leave.ts'
import { dropFile } from '../data/uploads/drop.ts'
import { files } from '../data/uploads/file.ts'
import { runners } from '../machines/runner-row.ts'
import { quotas } from '../models/quotas/quota-row.ts'
import { approvals } from '../plugins/approvals/approval-row.ts'
import { credentialRequests } from '../plugins/credentials/operator-credentials.ts'
import { jobs } from '../work/jobs/job-row.ts'
import { messages } from '../work/runs/messages.ts'
import { sessions } from '../work/sessions/session-row.ts'
import {
  dropApp,
  dropBundleOf,
  dropInstall,
  dropItem,
  dropJob,
  dropPlug,
  dropRun,
  dropSession,
  dropUser,
} from './drops.ts'
import { both, type HeldRows, held, lineOf, type NoRows, type RowsOfOther } from './rows.ts'

/**
 * What belongs to a user: a row for each collection of the store, by its name, in the order in which an erase drops
 * them. What finds others by it comes after them, so that an erase that broke off is taken up by the next.
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
  app_files: held(appFiles, 'byUser', (services, { id }) => letAppFileGo(services, id), {
    bytes: ({ live }) => (live === null ? [] : [{ digest: live.digest, size: live.size_bytes }]),
  }),
  items: both(held(items, 'byUser', dropItem), held(items, 'byWriter', dropItem)),
  spaces: held(spaces, 'byUser'),
  approvals: held(approvals, 'byApp'),
  declines: held(declines, 'byUser'),
  quotas: held(quotas, 'byUser'),
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
    row: ({ token_hash: _, next_token_hash: __, ...row }) => row,
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
  hosts: { none: 'Its records are processes of the operator.' },
}

/** The rows that are found by the id of a user. */
export const heldRows: readonly HeldRows[] = Object.values(userRows).filter(
  (one): one is HeldRows => 'drop' in one,
)
