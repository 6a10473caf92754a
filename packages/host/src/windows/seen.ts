import { window as states } from '@svc/contract/states'
import { pause } from '@svc/node'
import type { WindowRecord } from '../catalog/window-row.ts'
import { changeOpen } from './own-window.ts'
import type { WindowNeeds } from './services.ts'

/**
 * Makes what notes that a call of a window came in. A write wakes a stale window at once. Others come together for
 * `WINDOW_SEEN_GATHER_MS`: thousands of windows send heartbeats, and in a folder each commit waits for the disk.
 */
export function openSeen(services: WindowNeeds) {
  const { clock, leaving, limits, log } = services
  /** Windows whose write is to come or under way. */
  const noted = new Set<string>()
  let gathered: (readonly [id: string, at: number])[] = []
  let stopTimer = () => {}

  async function write(id: string, at: number): Promise<void> {
    try {
      await changeOpen(services, id, (open) => ({
        ...open,
        status: states.next(open.status, 'call') ?? open.status,
        last_seen_at: Math.max(open.last_seen_at, at),
      }))
    } catch (err) {
      log.error({ err, window: id }, 'the time of a call was not written')
    } finally {
      noted.delete(id)
    }
  }

  async function writeGathered(): Promise<void> {
    stopTimer()
    const those = gathered
    gathered = []
    for (const [at, [id, seenAt]] of those.entries()) {
      void write(id, seenAt)
      if ((at + 1) % limits.CLEAN_RECORDS_MAX > 0) continue
      await pause()
      // The store may be closed by now. The times that it has are half a minute older than these.
      if (leaving.isClosed) return
    }
  }
  leaving.signal.addEventListener('abort', () => void writeGathered(), { once: true })

  return ({ id, row }: WindowRecord, now: number): void => {
    const silence = now - row.last_seen_at
    const wakes = states.next(row.status, 'call') !== row.status || silence >= limits.WINDOW_STALE_MS
    if ((!wakes && silence <= limits.WINDOW_SEEN_WRITE_MS) || noted.has(id)) return
    const mayWait = !wakes && silence + limits.WINDOW_SEEN_GATHER_MS < limits.WINDOW_STALE_MS
    noted.add(id)
    if (!mayWait || leaving.isLeaving) void write(id, now)
    else if (gathered.push([id, now]) === 1)
      stopTimer = clock.setTimer(() => void writeGathered(), limits.WINDOW_SEEN_GATHER_MS)
  }
}
