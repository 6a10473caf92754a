import { window as states } from '@svc/contract/states'
import { each, eachSettled, type Store } from '@svc/state'
import { states as kept } from '../catalog/records.ts'
import { statusAt, type WindowRecord, type WindowRow, windows } from '../catalog/window-row.ts'
import { rewrite } from './own-window.ts'
import type { WindowNeeds } from './services.ts'

/** Forgets the state that a window kept; a write that comes in between is forgotten too. */
async function forgetState(store: Store, uuid: string): Promise<void> {
  for (let old = await store.get(kept, uuid); old; old = await store.get(kept, uuid))
    await store.remove(kept, uuid, old.revision)
}

/** Forgets a window, and what it kept. */
export async function forgetWindow(
  { copies, store }: WindowNeeds,
  { id, revision }: WindowRecord,
): Promise<void> {
  await forgetState(store, id)
  await store.remove(windows, id, revision)
  copies.windows.drop(id)
}

/** Forgets windows, and what they kept, that were closed `CLOSED_WINDOW_KEEP_MS` ago. */
export async function forgetClosedWindows(services: WindowNeeds): Promise<void> {
  const { clock, limits, store } = services
  const to = clock.now() - limits.CLOSED_WINDOW_KEEP_MS
  await eachSettled(each(store, windows, 'closedAt', { to, limit: limits.CLEAN_RECORDS_MAX }), (window) =>
    forgetWindow(services, window),
  )
}

/**
 * Closes a window where `may` agrees. One caller wins and notifies the user; the others find nothing to do. Its calls
 * end as with a connection that is cut; jobs continue. `closed_at` is what the end of its sessions is counted from.
 */
export async function closeWindow(
  services: WindowNeeds,
  uuid: string,
  reason: string | null,
  may: (row: WindowRow) => boolean = () => true,
): Promise<void> {
  const closed = await rewrite(services, uuid, (row) => {
    const status = states.next(row.status, 'close')
    if (status === null || !may(row)) return null
    // Nobody reads it again, and its record stays for a while.
    const { payload: _payload, ...rest } = row
    return { ...rest, status, closed_at: services.clock.now(), close_reason: reason }
  })
  if (!closed) return
  services.underWay.cutEverywhere({ userId: closed.row.user_id, windowUuid: uuid })
  services.events.emit(closed.row.user_id, 'close_view', uuid, { revision: closed.revision, reason })
  // What this leaves behind, or a call under way writes after it, goes with the record of the window.
  await forgetState(services.store, uuid).catch((err: unknown) => {
    services.log.warn({ err, window: uuid }, 'the state of a closed window was not deleted yet')
  })
}

/** The `close_reason` of a window that nobody used for `WINDOW_SILENT_CLOSE_MS`. */
const SILENT = 'silent'

/** Marks the windows that fell silent as stale and closes the ones that stayed so. */
export async function sweepWindows(services: WindowNeeds): Promise<void> {
  const now = services.clock.now()
  const is = (status: WindowRow['status']) => (row: WindowRow) =>
    statusAt(row, now, services.limits) === status
  for await (const { id, row } of each(services.store, windows, 'dueAt', { to: now }))
    if (is('closed')(row)) await closeWindow(services, id, SILENT, is('closed'))
    else
      await rewrite(services, id, (current) => ({
        ...current,
        status: statusAt(current, now, services.limits),
      }))
}
