import { window as states } from '@svc/contract/states'
import { changeOpen } from './change.ts'
import type { WindowParts } from './parts.ts'
import type { WindowRecord } from './windows.ts'

/** Makes `seen`: nothing to do for most calls, one write under way a window for the rest. */
export function seenBy(services: WindowParts): (record: WindowRecord, now: number) => void {
  const { clock, limits, log } = services
  const waking = new Set<string>()
  return ({ id, row }, now) => {
    const silence = now - row.last_seen_at
    const asleep = states.next(row.status, 'call') !== row.status || silence >= limits.WINDOW_STALE_MS
    if ((!asleep && silence <= limits.WINDOW_SEEN_WRITE_MS) || waking.has(id)) return
    waking.add(id)
    changeOpen(services, id, (open) => ({
      ...open,
      status: states.next(open.status, 'call') ?? open.status,
      last_seen_at: Math.max(open.last_seen_at, clock.now()),
    }))
      .catch((error) => log.error({ err: error, window: id }, 'the time of a call was not written down'))
      .finally(() => waking.delete(id))
  }
}
