import { viewOf } from '@svc/contract'
import { admittedMethods, permitted } from '../access/manifest.ts'
import { type InstallRow, installId, type VersionRow } from '../catalog/records.ts'
import { openWindowsUnder, statusAt, type WindowRecord, type WindowRow } from '../catalog/window-row.ts'
import { entryUrl, notReady } from './bundle-url.ts'
import { closeWindow, forgetWindow, sweepWindows } from './close.ts'
import { checkPayload, insertWindow, targetOf, tooManyWindows } from './open.ts'
import { changeOpen, noSuchWindow, ownWindow, topOf } from './own-window.ts'
import { openSeen } from './seen.ts'
import type { InstallFinder, WindowNeeds } from './services.ts'
import type { ListedWindow, Windows } from './windows.ts'

/** The windows of a host, with what its handlers and the sweeper do with them. */
export interface OpenWindows extends Windows {
  /**
   * Raises the open window of a view, or opens one, and notifies the page (`window.open_view`). The app is that of
   * `from`, or another that its user has; without a name its default view. Errors: `not_found`, `bundle_not_ready`,
   * `invalid_arg` (payload), `quota_exceeded`.
   */
  openView(
    from: WindowRecord,
    name: string | undefined,
    payload: unknown,
    app_id?: string,
  ): Promise<{ window_uuid: string; created: boolean }>
  /** Raises a window above the user's others and says so (`window.focus`). Errors: `not_found`. */
  raise(userId: string, uuid: string): Promise<void>
  /** Changes a window by compare-and-set until it succeeds; `null` when it is closed. */
  change(uuid: string, change: (row: WindowRow) => WindowRow): Promise<WindowRecord | null>
  /**
   * Notes that a call came in: wakes a stale window, and writes the time down at most twice a minute. For most calls there
   * is nothing to do, for the rest one write under way a window.
   */
  seen(record: WindowRecord, now: number): void
  /** Closes every window of an app that a user has open. */
  closeAll(userId: string, appId: string, reason: string): Promise<void>
  /** Forgets a window, and what it kept. */
  forget(record: WindowRecord): Promise<void>
  /** Closes what was silent for too long, marks what is stale. The sweeper calls it. */
  sweep(): Promise<void>
}

const attachedOf = ({ attached = 0 }: WindowRow) => attached

/** Makes the windows of a host; there is nothing to close. */
export function openWindows(services: WindowNeeds & InstallFinder): OpenWindows {
  const { clock, copies, events, limits, tokens } = services
  const openOf = (userId: string) => openWindowsUnder(services, 'openByUser', [userId])

  async function mintFor({ id: wid, row }: WindowRecord, install: InstallRow, version: VersionRow) {
    const { user_id, app_id, version_id } = row
    const scopes = admittedMethods(version.manifest, install.grants)
    const ttl = limits.WINDOW_TOKEN_TTL_MS
    const token = await tokens.mint('window', { wid, user_id, app_id, version_id, scopes }, ttl)
    return { token, expires_in: Math.floor(ttl / 1_000) }
  }

  async function listed({ id, row }: WindowRecord): Promise<ListedWindow | null> {
    const version = await copies.versions.get(row.version_id)
    // A pushed draft may have dropped the view of an open window: the default one is used.
    const view = version && (viewOf(version.row.manifest, row.view) ?? viewOf(version.row.manifest))
    if (!version || !view) return null
    const install = await copies.installs.get(installId(row.user_id, row.app_id))
    return {
      window_uuid: id,
      app_id: row.app_id,
      version: version.row.version,
      view: row.view,
      entry_url: entryUrl(services, version.row, id),
      view_meta: view,
      geometry: row.geometry,
      title: row.title,
      browser: install ? permitted(version.row.manifest, install.row.grants) : [],
      opened_by: row.opened_by ?? null,
      status: statusAt(row, clock.now(), limits),
    }
  }

  /** Puts a window above the others of its user, and keeps `given`, a payload and the app that gave it. */
  async function raise(
    userId: string,
    uuid: string,
    given?: Required<Pick<WindowRow, 'payload' | 'opened_by'>>,
  ) {
    const top = topOf((await openOf(userId)).filter(({ id }) => id !== uuid))
    const raised = await changeOpen(services, uuid, (row) => ({
      ...row,
      ...given,
      geometry: row.geometry.z > top ? row.geometry : { ...row.geometry, z: top + 1 },
    }))
    if (!raised) throw noSuchWindow()
    events.emit(userId, 'window_focus_changed', uuid, { focused: true, geometry: raised.row.geometry })
    await events.told(userId)
  }

  /** Of two calls at once one opens the window and the other raises that one: the cap of the insert decides. */
  async function show(user_id: string, app_id: string, view: string, payload: unknown, opened_by: string) {
    for (;;) {
      const open = await openWindowsUnder(services, 'openByView', [user_id, app_id, view])
      const top = open.sort((a, b) => b.row.geometry.z - a.row.geometry.z)[0]
      if (top) {
        await raise(user_id, top.id, payload === undefined ? undefined : { payload, opened_by })
        return { window_uuid: top.id, created: false }
      }
      const target = await targetOf(services, user_id, app_id, view)
      const opened = await insertWindow(services, target, payload, opened_by)
      if (opened === 'windows' || opened === 'app') throw tooManyWindows(opened, limits)
      if (opened !== 'view') return { window_uuid: opened.id, created: true }
      // What holds the place is a window opened meanwhile, or one whose silence is over and not yet noted.
      await sweepWindows(services)
    }
  }

  return {
    async open(userId, request) {
      checkPayload(request.payload, limits.WINDOW_PAYLOAD_MAX_BYTES)
      const { install, version, view } = await targetOf(services, userId, request.app_id, request.view)
      const record = await insertWindow(services, { install, version, view }, request.payload, null)
      if (typeof record === 'string') throw tooManyWindows(record === 'app' ? 'app' : 'windows', limits)
      const entry_url = entryUrl(services, version, record.id)
      // It was judged with the target.
      if (entry_url === null) throw notReady(version.manifest.ui.bundle.entry)
      return {
        window_uuid: record.id,
        ...(await mintFor(record, install, version)),
        entry_url,
        view_meta: view,
        geometry: record.row.geometry,
        title: record.row.title,
        browser: permitted(version.manifest, install.grants),
      }
    },
    async list(userId) {
      const all = await Promise.all((await openOf(userId)).map(listed))
      return all.filter((row) => row !== null)
    },
    async token(userId, uuid, attach = false) {
      const record = await ownWindow(services, userId, uuid)
      const install = await copies.installs.get(installId(userId, record.row.app_id))
      const version = await copies.versions.get(record.row.version_id)
      if (!install || !version) throw noSuchWindow()
      const minted = await mintFor(record, install.row, version.row)
      if (!attach) return minted
      const shown = await changeOpen(services, uuid, (row) => ({ ...row, attached: attachedOf(row) + 1 }))
      if (!shown) throw noSuchWindow()
      return { ...minted, attached: attachedOf(shown.row) }
    },
    async close(userId, uuid, reason, attached) {
      const record = await copies.windows.get(uuid)
      if (record?.row.user_id !== userId) throw noSuchWindow()
      await closeWindow(services, uuid, reason, (row) => (attached ?? attachedOf(row)) === attachedOf(row))
      await events.told(userId)
    },
    async openView(from, name, payload, app_id = from.row.app_id) {
      const { user_id, app_id: opened_by } = from.row
      checkPayload(payload, limits.WINDOW_PAYLOAD_MAX_BYTES)
      const isNamed = app_id === opened_by && name !== undefined
      const view = isNamed ? name : (await targetOf(services, user_id, app_id, name)).view.name
      const shown = await show(user_id, app_id, view, payload, opened_by)
      events.emit(user_id, 'view_opened', from.id, {
        app_id,
        opened_uuid: shown.window_uuid,
        view,
        created: shown.created,
        opened_by,
        ...(payload !== undefined && { payload }),
      })
      await events.told(user_id)
      return shown
    },
    async raise(userId, uuid) {
      await ownWindow(services, userId, uuid)
      await raise(userId, uuid)
    },
    change: (uuid, change) => changeOpen(services, uuid, change),
    seen: openSeen(services),
    async closeAll(userId, appId, reason) {
      for (const { id, row } of await openOf(userId))
        if (row.app_id === appId) await closeWindow(services, id, reason)
      await events.told(userId)
    },
    forget: (record) => forgetWindow(services, record),
    sweep: () => sweepWindows(services),
  }
}
