import type { BrowserPermission, Geometry, View, WindowStatus } from '@svc/contract'

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
  readonly geometry: Geometry
  /** Its title. */
  readonly title: string
  /** What its app may ask of the browser. */
  readonly browser: readonly BrowserPermission[]
}

/** One row of the user's open windows: all that a page needs to put them up again. */
export interface ListedWindow {
  /** The id of the window. */
  readonly window_uuid: string
  /** The id of its app. */
  readonly app_id: string
  /** The version of the app that it runs. */
  readonly version: string
  /** The name of its view. */
  readonly view: string
  /** What its iframe shows; `null` where the version is gone. */
  readonly entry_url: string | null
  /** The view, with the bounds of its size. */
  readonly view_meta: View
  /** Its size in CSS pixels, and its place in the order of windows. */
  readonly geometry: Geometry
  /** Its title. */
  readonly title: string
  /** What its app may ask of the browser. */
  readonly browser: readonly BrowserPermission[]
  /** The app that opened it, or gave it its payload last; `null`: the user. */
  readonly opened_by: string | null
  /** Whether it is open, stale, crashed or closed. */
  readonly status: WindowStatus
}

/** The windows of users: the routes of the page and their programmatic twins. */
export interface Windows {
  /** Opens a window. Errors: `not_found` (not installed, no such view), `bundle_not_ready`, `invalid_arg`, `quota_exceeded`. */
  open(
    userId: string,
    request: { readonly app_id: string; readonly view?: string; readonly payload?: unknown },
  ): Promise<OpenedWindow>
  /** The user's open windows, oldest first. */
  list(userId: string): Promise<ListedWindow[]>
  /** A fresh token for a window of this user, which a page may `attach` with it. Errors: `not_found` (closed or not the user's). */
  token(
    userId: string,
    uuid: string,
    attach?: boolean,
  ): Promise<{ token: string; expires_in: number; attached?: number }>
  /**
   * Closes a window of this user; closing it twice is harmless while its record is kept. With `attached`, only where no page
   * attached it since. Errors: `not_found`.
   */
  close(userId: string, uuid: string, reason: string | null, attached?: number): Promise<void>
}
