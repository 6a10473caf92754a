import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Kept } from './testing/counted-ports.ts'
import { openYearHost, type YearHost } from './testing/year-host.ts'
import { oneDay, setUp, visit } from './testing/year-life.ts'

/** From then on nothing may grow: the longest time that anything is kept is that of the audit log. */
const FLAT_FROM = Math.ceil(limits.AUDIT_KEPT_MS / 86_400_000) + 7
/** The host is started again after so many days; every day of the week is among them. */
const SPAN = 28
/** A year; else two spans that lie a week apart. */
const DAYS = rounds(365, FLAT_FROM + 2 * SPAN + 7)

/** Numbers that count on, such as generations, may take so many more digits in a record. */
const DIGITS = 4

/** By how much of what a kind is bounded, and by which limits. `users`: one for each who ever signed in. */
type Bound = readonly [grows: 'no' | 'users', why: string]

/** Everything that a host keeps. What is in no row here fails the test, so a new collection gets its bound. */
const bounds: Readonly<Record<string, Bound>> = {
  users: ['users', 'one a user, until the operator erases the user'],
  'journal user': ['users', 'the last number for each user; items JOURNAL_KEPT_MS, _EVENTS and _BYTES'],
  apps: ['no', 'APPS_PER_USER'],
  versions: ['no', 'RELEASES_PER_APP, and one draft an app'],
  bundles: ['no', 'BUNDLES_BYTES_PER_USER; a replaced one BUNDLE_KEEP_MS at most'],
  installs: ['no', 'INSTALLS_PER_USER'],
  windows: ['no', 'WINDOWS_OPEN_MAX; closed ones CLOSED_WINDOW_KEEP_MS and CLOSED_WINDOWS_PER_USER'],
  items: ['no', 'STORAGE_KEYS_PER_SPACE, _PER_USER and STORAGE_BYTES_PER_SPACE, _PER_USER'],
  spaces: ['no', 'one a user and app, and one an app, until an uninstall or a removal'],
  app_files: ['no', 'APP_FILES_PER_SPACE, _PER_USER and APP_FILES_BYTES_PER_SPACE, _PER_USER'],
  files: ['no', 'FILES_PER_APP, _PER_USER and FILES_BYTES_PER_APP, _PER_USER; unconfirmed UPLOAD_CONFIRM_MS'],
  file_uses: ['no', 'one for each file of a bundle, upload and file under a path'],
  removals: ['no', 'one while bytes are being removed'],
  blobs: ['no', 'those that a record of file_uses or files names'],
  sessions: [
    'no',
    'SESSIONS_PER_APP, _PER_USER; ended REVOKED_RETENTION_MS and SESSIONS_KEPT_PER_APP, _PER_USER',
  ],
  messages: ['no', 'SESSION_MESSAGES_MAX and _MAX_BYTES a session, MESSAGES_BYTES_PER_USER'],
  runs: ['no', 'RUN_KEPT_MS, RUNS_KEPT_PER_APP and _PER_USER'],
  'journal run': ['no', 'STREAM_RETAIN_MS and RUN_FRAMES_MAX_BYTES'],
  jobs: ['no', 'JOB_KEPT_MS, JOBS_KEPT_PER_APP and _PER_USER'],
  'journal job': ['no', 'with the job; PROGRESS_KEPT and PROGRESS_ENDED_MAX_BYTES'],
  quotas: ['no', 'QUOTA_KEPT_MS'],
  approvals: ['no', 'APPROVALS_PER_APP'],
  credential_requests: ['no', 'CREDENTIAL_REQUESTS_PER_USER'],
  plugs: ['no', 'PLUGS_PER_USER; removed ones PLUG_REMOVED_KEPT_MS and PLUGS_REMOVED_PER_USER'],
  snapshots: ['no', 'PLUG_VERSIONS_MAX a plugin and PLUG_VERSIONS_BYTES_PER_USER'],
  reservations: ['no', 'DRAFTS_PER_USER; ended ones DRAFT_KEPT_MS and DRAFTS_ENDED_PER_USER'],
  runners: ['no', 'RUNNERS_PER_USER'],
  hosts: ['no', 'one a running host'],
  'journal audit': ['no', 'AUDIT_KEPT, AUDIT_MAX_BYTES and AUDIT_KEPT_MS'],
}

let year: YearHost
beforeAll(async () => {
  year = await openYearHost()
})
afterAll(() => year.close())

/** The most of each kind on any of these days. */
const most = (days: readonly ReadonlyMap<string, Kept>[], of: keyof Kept) => (kind: string) =>
  Math.max(...days.map((kept) => kept.get(kind)?.[of] ?? 0))

verifies(
  'kept.year',
  'after the first months a host keeps no more than before, but for its new users',
  async () => {
    const appId = await setUp(year)
    const [before, last]: [ReadonlyMap<string, Kept>[], ReadonlyMap<string, Kept>[]] = [[], []]
    for (let day = 1; day <= DAYS; day += 1) {
      await oneDay(year, appId, day)
      if (day % 7 === 0) await visit(year, appId, `guest-${String(day).padStart(3, '0')}`)
      if (day > DAYS - SPAN) last.push(await year.kept())
      else if (day > FLAT_FROM && before.length < SPAN) before.push(await year.kept())
      if (day % SPAN === 0) await year.restart()
      await year.nextDay()
    }
    const kinds = [...new Set([...before, ...last].flatMap((kept) => [...kept.keys()]))].sort()
    expect(kinds).toEqual(Object.keys(bounds).sort())
    const users = most(last, 'count')('users')
    const grown = kinds.filter((kind) => {
      const isFlat = (of: keyof Kept, more = 0) => most(last, of)(kind) <= most(before, of)(kind) + more
      if (bounds[kind]?.[0] === 'users') return most(last, 'count')(kind) > users || !isFlat('items')
      const digits = most(last, 'count')(kind) * DIGITS
      return !(isFlat('count') && isFlat('items') && isFlat('bytes', digits))
    })
    expect(grown.map((kind) => [kind, most(before, 'count')(kind), last.at(-1)?.get(kind)])).toEqual([])
  },
)

verifies('kept.year', 'each bound is that of a limit that there is', () => {
  const named = Object.values(bounds).flatMap(([, why]) => why.match(/\b[A-Z]+(_[A-Z]+)+\b/g) ?? [])
  expect(named.filter((name) => !Object.hasOwn(limits, name))).toEqual([])
})
