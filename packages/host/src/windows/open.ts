import { refuse, type View, viewOf, wrongArg } from '@svc/contract'
import { checkSignedIn, signOutsOf } from '../access/users/sign-in.ts'
import { fileOf, type InstallRow, type VersionRow } from '../catalog/records.ts'
import { dueAt, openWindowsUnder, type WindowRecord, type WindowRow, windows } from '../catalog/window-row.ts'
import { insertWithRoom } from '../kernel/room.ts'
import { notReady } from './bundle-url.ts'
import { closeWindow, forgetWindow } from './close.ts'
import { topOf } from './own-window.ts'
import type { InstallFinder, WindowNeeds } from './services.ts'

/** What a window is opened from: judged, so that nothing can be refused any more but by a cap. */
interface Target {
  readonly install: InstallRow
  readonly version: VersionRow
  readonly view: View
}

/** Finds what to open. Errors: `not_found` (not installed, no such view), `bundle_not_ready`. */
export async function targetOf(
  services: WindowNeeds & InstallFinder,
  userId: string,
  appId: string,
  name: string | undefined,
): Promise<Target> {
  const install = await services.installOf(userId, appId)
  const version = install && (await services.copies.versions.get(install.row.version_id))
  if (!install || !version)
    throw refuse('not_found', `the app ${JSON.stringify(appId)} is not installed`, {
      hint: 'Install it first; GET /api/v1/svc-apps/installs lists what is there.',
    })
  const { manifest } = version.row
  const view = viewOf(manifest, name)
  if (!view) {
    const names = manifest.ui.views.map((one) => JSON.stringify(one.name)).join(', ')
    throw refuse('not_found', `view must be one of ${names}, got ${JSON.stringify(name)}`)
  }
  const { entry } = manifest.ui.bundle
  if (!fileOf(version.row.files, entry)) throw notReady(entry)
  return { install: install.row, version: version.row, view }
}

/**
 * A record of a new window, or the name of the cap that is full of windows that pages show. `from`: the app that
 * opens it, as the one window of its view.
 */
export async function insertWindow(
  services: WindowNeeds,
  target: Target,
  payload: unknown,
  from: string | null,
): Promise<WindowRecord | 'windows' | 'app' | 'view'> {
  const { clock, limits, store } = services
  const { install, version, view } = target
  const { user_id, app_id, version_id } = install
  const now = clock.now()
  const signOuts = signOutsOf(await services.copies.users.get(user_id))
  const others = await openWindowsUnder(services, 'openByUser', [user_id])
  const row: WindowRow = {
    user_id,
    app_id,
    version_id,
    view: view.name,
    title: view.title ?? version.manifest.name,
    ...(payload !== undefined && { payload }),
    ...(from !== null && { opened_by: from }),
    geometry: { w: view.w, h: view.h, z: topOf(others) + 1 },
    status: 'open',
    opened_at: now,
    last_seen_at: now,
    closed_at: null,
    close_reason: null,
    due_at: dueAt({ status: 'open', last_seen_at: now }, limits),
  }
  const inserted = await insertWithRoom(store, windows, services.newId('window'), row, {
    room: {
      cap: {
        index: 'byUser',
        eq: [user_id],
        max: limits.WINDOWS_OPEN_MAX + limits.CLOSED_WINDOWS_PER_USER,
      },
      oldest: 'closedByUser',
      forget: (closed) => forgetWindow(services, closed),
    },
    caps: [
      { name: 'windows', index: 'openByUser', eq: [user_id], max: limits.WINDOWS_OPEN_MAX },
      { name: 'app', index: 'openByView', eq: [user_id, app_id], max: limits.WINDOWS_PER_APP },
      ...(from !== null
        ? [{ name: 'view', index: 'openByView' as const, eq: [user_id, app_id, view.name], max: 1 }]
        : []),
    ],
  })
  if (inserted.ok) {
    const { id } = inserted.record
    services.copies.windows.drop(id, inserted.record)
    await checkSignedIn(services, user_id, signOuts).catch(async (refused: unknown) => {
      await closeWindow(services, id, 'the access of the user ended')
      throw refused
    })
    return inserted.record
  }
  if ('exists' in inserted) throw new Error('a window uuid was given twice')
  const { full } = inserted
  if (full === 'view') return full
  const hasRoom = await giveWay(
    services,
    full === 'app' ? others.filter(({ row }) => row.app_id === app_id) : others,
  )
  if (hasRoom) return insertWindow(services, target, payload, from)
  return full === 'app' ? full : 'windows'
}

/**
 * Closes the one of these windows that was silent longest, where no page shows it: apps send heartbeats every ten seconds,
 * and where a browser slows the timers of a page that nobody sees, every minute. Says whether there was one.
 */
async function giveWay(services: WindowNeeds, open: readonly WindowRecord[]): Promise<boolean> {
  const { clock, limits } = services
  const isUnseen = (row: WindowRow) => clock.now() - row.last_seen_at >= limits.WINDOW_UNSEEN_MS
  const [oldest] = [...open].sort((a, b) => a.row.last_seen_at - b.row.last_seen_at)
  if (!oldest || !isUnseen(oldest.row)) return false
  await closeWindow(services, oldest.id, 'another window needed its place', isUnseen)
  return true
}

/** The refusal of one window too many, of the user's or of the app's. */
export function tooManyWindows(full: 'windows' | 'app', limits: WindowNeeds['limits']) {
  const [whose, max] =
    full === 'app' ? ['an app', limits.WINDOWS_PER_APP] : ['a user', limits.WINDOWS_OPEN_MAX]
  return refuse('quota_exceeded', `${whose} may have ${max} windows open`, { max, hint: 'Close one first.' })
}

/** Judges what a window is opened with: JSON of at most `WINDOW_PAYLOAD_MAX_BYTES`. Errors: `invalid_arg`. */
export function checkPayload(payload: unknown, maxBytes: number): void {
  const bytes = payload === undefined ? 0 : Buffer.byteLength(JSON.stringify(payload))
  if (bytes > maxBytes) throw wrongArg('payload', `must have at most ${maxBytes} bytes of JSON, got ${bytes}`)
}
