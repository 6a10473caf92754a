import type { View, WindowStatus } from '@svc/contract'
import type { StoreRecord } from '@svc/state'
import type { WindowRow } from '../catalog/records.ts'

/** A window's record. */
export type WindowRecord = StoreRecord<WindowRow>

/** What the page gets of a window that was opened. */
export interface OpenedWindow {
  /** The id of the window. */
  readonly window_uuid: string
  /** The token of its calls; `windows.token` mints the next. */
  readonly token: string
  /** Whole seconds that the token lives. */
  readonly expires_in: number
  /** What the iframe shows: good for this window alone, while it is open. */
  readonly entry_url: string
  /** The view, with the bounds of its size. */
  readonly view_meta: View
  /** Its size in CSS pixels, and its place in the order of windows. */
  readonly geometry: WindowRow['geometry']
  /** Its title. */
  readonly title: string
}

/** One row of the user's open windows: all that a page needs to put them up again. */
export interface ListedWindow {
  /** The id of the window. */
  readonly window_uuid: string
  /** The id of its app. */
  readonly app_id: string
  /** The name of its view. */
  readonly view: string
  /** What its iframe shows; `null` where the version is gone. */
  readonly entry_url: string | null
  /** The view, with the bounds of its size. */
  readonly view_meta: View
  /** Its size in CSS pixels, and its place in the order of windows. */
  readonly geometry: WindowRow['geometry']
  /** Its title. */
  readonly title: string
  /** The app that opened it, or gave it its payload last; `null`: the user. */
  readonly opened_by: string | null
  /** Whether it is open, stale, crashed or closed. */
  readonly status: WindowStatus
}

/** Windows: what the page's routes, the `window.*` handlers and the sweeper do with them. */
export interface Windows {
  /** Opens a window. Errors: `not_found` (not installed, no such view), `bundle_not_ready`. */
  open(
    userId: string,
    request: { readonly app_id: string; readonly view?: string; readonly payload?: unknown },
  ): Promise<OpenedWindow>
  /** The user's open windows, oldest first. */
  list(userId: string): Promise<ListedWindow[]>
  /** A fresh token for a window of this user. Errors: `not_found` (closed or not the user's). */
  token(userId: string, windowUuid: string): Promise<{ token: string; expires_in: number }>
  /** Closes a window of this user; closing it twice is harmless while its record is kept. Errors: `not_found`. */
  close(userId: string, windowUuid: string, reason: string | null): Promise<void>
  /**
   * Finds an open window of the app with that view and raises it, or opens one (`window.open_view`). The app is
   * that of `from`, or another that its user has; no view is its default one. Errors: `not_found`,
   * `bundle_not_ready`, `invalid_arg` (payload), `quota_exceeded`.
   */
  openView(
    from: WindowRecord,
    view: string | undefined,
    payload: unknown,
    appId?: string,
  ): Promise<{ window_uuid: string; created: boolean }>
  /** Raises a window above the user's others and says so (`window.focus`). Errors: `not_found`. */
  raise(userId: string, windowUuid: string): Promise<void>
  /** Changes a window by compare-and-set until it holds; `null` when it is closed. */
  change(windowUuid: string, change: (row: WindowRow) => WindowRow): Promise<WindowRecord | null>
  /** Notes that a call came in: wakes a stale window, and writes the time down at most twice a minute. */
  seen(record: WindowRecord, now: number): void
  /** Closes the windows of a version's install or of a whole app of one user. */
  closeAll(userId: string, appId: string, reason: string): Promise<void>
  /** Closes what was silent for too long, marks what is stale. The sweeper calls it. */
  sweep(): Promise<void>
}
