import { labelOf } from '../kernel/request/bundle-origin.ts'
import type { BundleAddress } from '../windows/bundle-url.ts'
import { statusAt, type WindowRecord } from '../windows/window-record.ts'

import type { AppServices } from './services.ts'

/** What a request shows to be the document of a window. */
export interface DocumentRequest extends Pick<BundleAddress, 'ticket' | 'ticketInPath'> {
  /** The label of the app whose origin it came to; `null` where this host has none; `''`: it came to none, and should. */
  readonly label: string | null
}

/** A window that was closed while its frame loads still gets its document: the page is told by an event, and not by `403`. */
function isThere({ row }: WindowRecord, now: number, limits: AppServices['limits']): boolean {
  if (row.closed_at !== null) return now < row.closed_at + limits.FRAME_LOAD_MS
  return statusAt(row, now, limits) !== 'closed'
}

/**
 * The window that a document is for: open or just closed, of the app at whose origin it is asked for, and with a ticket for just this
 * bundle; else `null`. The policy of a document may depend on it: `row.user_id` and `row.app_id` name the install.
 */
export async function shownIn(
  services: Pick<AppServices, 'tickets' | 'copies' | 'clock' | 'limits'>,
  digest: string,
  { ticket, label }: DocumentRequest,
): Promise<WindowRecord | null> {
  const uuid = ticket === null ? null : services.tickets.read(ticket, digest)
  const window = uuid === null ? null : await services.copies.windows.get(uuid)
  if (!window || !isThere(window, services.clock.now(), services.limits)) return null
  return label === null || label === labelOf(window.row.app_id) ? window : null
}
