import { canonicalJson } from '@svc/contract/digest'
import type { Log } from '../port/log.ts'
import type { ToolsChange } from '../port/runner.ts'
import type { CallParts } from './call.ts'
import { describe } from './describe.ts'
import { NOBODY } from './groups.ts'
import type { Worker } from './worker.ts'

/**
 * Asks processes again which tools they have, once they said that these are others: the process itself, while it has no
 * call, and `TOOLS_CHANGED_MS` apart, however often it says so. A plugin with a long list is asked less often, because all
 * of it is read in this thread. `onTools` hears of tools that are not those it heard last.
 */
export function openToolNews(
  desk: CallParts & { readonly log: Log },
  onTools: (change: ToolsChange) => void,
) {
  const { clock, limits, pool } = desk
  const waiting = new Map<Worker, () => void>()
  const heard = new WeakMap<Worker, string>()
  /** Until when a plugin is not asked again, in Unix ms. */
  const rests = new Map<string, number>()

  function lookLater(worker: Worker): void {
    waiting.set(
      worker,
      clock.setTimer(() => void look(worker), limits.TOOLS_CHANGED_MS),
    )
  }

  function forget(worker: Worker): void {
    waiting.get(worker)?.()
    waiting.delete(worker)
  }

  function isResting(id: string): boolean {
    for (const [one, untilMs] of rests) if (untilMs <= clock.now()) rests.delete(one)
    return rests.has(id)
  }

  async function look(worker: Worker): Promise<void> {
    const group = pool.homeOf(worker)
    if (!group) return forget(worker)
    const place = isResting(group.plugin.id) ? undefined : pool.claim(worker)
    // It is busy: its call comes first.
    if (!place) return lookLater(worker)
    waiting.delete(worker)
    rests.set(group.plugin.id, Number.POSITIVE_INFINITY)
    let readMs = 0
    const onBytes = (bytes: number) => {
      readMs = bytes / limits.TOOLS_CHANGED_BYTES_PER_MS
    }
    const own = { ...pool, acquire: async () => place, isClosed: pool.isClosed }
    const deadlineMs = clock.now() + limits.DESCRIBE_TIMEOUT_MS
    const outcome = await describe(group.plugin, { deadlineMs }, { ...desk, pool: own, onBytes })
    rests.set(group.plugin.id, clock.now() + readMs)
    const { id: plugin, version } = group.plugin
    if (!outcome.ok) return desk.log.warn({ plugin, version, event: 'tools_unknown' }, outcome.message)
    const text = canonicalJson(outcome.description)
    if (heard.get(worker) === text) return
    heard.set(worker, text)
    const { userId, appId } = group.userId === NOBODY ? {} : group
    onTools({ pluginId: plugin, version, userId, appId, description: outcome.description })
  }

  return {
    /** A process said that its tools are others. */
    changed(worker: Worker): void {
      if (!waiting.has(worker) && pool.homeOf(worker)) lookLater(worker)
    },
    close(): void {
      for (const worker of [...waiting.keys()]) forget(worker)
    },
  }
}
