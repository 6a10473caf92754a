import { dropBundles } from './apps/drop-bundles.ts'
import { dropAppFiles } from './data/app-files/drop.ts'
import { finishDrops } from './data/app-files/uses.ts'
import { dropExpired } from './data/storage/items.ts'
import { dropFiles } from './data/uploads/drop.ts'
import type { Services } from './edge/services.ts'
import { forgetClosedWindows } from './windows/close.ts'
import { sweepToolSessions } from './work/tools/over-sessions.ts'

/** One kind of sweep: how often, and what it does. */
type Task = readonly [everyMs: number, work: () => Promise<void>]

/**
 * Looks at what is due, once every `REAPER_INTERVAL_MS`, and at what can be thrown away, once every
 * `CLEAN_INTERVAL_MS`. A sweep that fails is logged and tried again later; the others still run.
 */
export function openSweeper(services: Services): { close(): void } {
  const {
    clock,
    limits,
    log,
    windows,
    events,
    runners,
    plugins,
    jobs,
    quotas,
    sessions,
    runs,
    publishing,
    audit,
  } = services
  const tasks: readonly Task[] = [
    [limits.REAPER_INTERVAL_MS, async () => windows.sweep()],
    [limits.REAPER_INTERVAL_MS, () => runners.sweep()],
    [limits.REAPER_INTERVAL_MS, async () => plugins.sweep()],
    [limits.REAPER_INTERVAL_MS, () => jobs.sweep()],
    [limits.REAPER_INTERVAL_MS, () => sessions.sweep()],
    [limits.REAPER_INTERVAL_MS, () => runs.sweep()],
    [limits.REAPER_INTERVAL_MS, () => sweepToolSessions(services)],
    [limits.CLEAN_INTERVAL_MS, () => events.sweep()],
    [limits.CLEAN_INTERVAL_MS, () => dropExpired(services)],
    [limits.CLEAN_INTERVAL_MS, () => forgetClosedWindows(services)],
    [limits.CLEAN_INTERVAL_MS, () => dropBundles(services)],
    [limits.CLEAN_INTERVAL_MS, () => dropFiles(services)],
    [limits.CLEAN_INTERVAL_MS, () => dropAppFiles(services)],
    [limits.CLEAN_INTERVAL_MS, () => finishDrops(services)],
    [limits.CLEAN_INTERVAL_MS, () => jobs.forget()],
    [limits.CLEAN_INTERVAL_MS, () => runs.forget()],
    [limits.CLEAN_INTERVAL_MS, () => quotas.sweep()],
    [limits.CLEAN_INTERVAL_MS, () => publishing.sweep()],
    [limits.CLEAN_INTERVAL_MS, () => audit.sweep()],
  ]
  const due = tasks.map(([everyMs]) => clock.now() + everyMs)
  let closed = false
  let stop = () => {}
  const next = () => {
    stop = clock.setTimer(sweep, limits.REAPER_INTERVAL_MS)
  }
  async function sweep() {
    for (const [at, [everyMs, work]] of tasks.entries()) {
      if (closed || clock.now() < (due[at] ?? 0)) continue
      due[at] = clock.now() + everyMs
      try {
        await work()
      } catch (error) {
        if (!closed) log.error({ err: error }, 'a sweep failed')
      }
    }
    if (!closed) next()
  }
  next()
  return {
    close() {
      closed = true
      stop()
    },
  }
}
