import type { Limits } from '@svc/contract'
import type { DescribeOutcome, Runner } from '@svc/runner'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { KnownPlugin, Patience } from './plugins.ts'

/** What describing needs; `set` is told each new state of a plugin, at once. */
export interface DescriberDeps {
  readonly clock: Clock
  readonly limits: Limits
  readonly log: Logger
  readonly runner: Runner
  readonly get: (toolId: string) => KnownPlugin | undefined
  readonly set: (plugin: KnownPlugin) => void
}

/** Asks plugins what they are, and asks again those that did not say. */
export interface Describer {
  /** Begins to describe a plugin that is not being described. */
  start(toolId: string): void
  /** Begins again where the last try failed at least `DESCRIBE_RETRY_MS` ago. */
  retry(toolId: string): void
  /** Begins again where it is due: after each failure in a row twice as late, up to `DESCRIBE_RETRY_MAX_MS`. */
  sweep(): void
  /** Waits for a description that is under way, as long as `patience` lasts. */
  settled(toolId: string, patience?: Patience): Promise<void>
}

/** Opens the describing of plugins over a runner. It keeps no timer but those of calls that wait. */
export function openDescriber({ clock, limits, log, runner, get, set }: DescriberDeps): Describer {
  const running = new Map<string, Promise<void>>()
  const failed = new Map<string, { readonly at: number; readonly times: number }>()

  async function describe(plugin: KnownPlugin) {
    const outcome = await runner.describe(plugin.spec, {}).catch((err: unknown): DescribeOutcome => {
      log.error({ err, plugin: plugin.handle }, 'a runner broke down while it described a plugin')
      return { ok: false, code: 'plug_unavailable', message: 'its runner broke down' }
    })
    running.delete(plugin.tool_id)
    if (outcome.ok) {
      failed.delete(plugin.tool_id)
      return set({ ...plugin, status: 'available', description: outcome.description, problem: null })
    }
    failed.set(plugin.tool_id, { at: clock.now(), times: (failed.get(plugin.tool_id)?.times ?? 0) + 1 })
    log.warn({ plugin: plugin.handle, code: outcome.code, details: outcome.details }, outcome.message)
    set({ ...plugin, status: 'unavailable', problem: outcome.message })
  }

  function start(toolId: string) {
    const plugin = get(toolId)
    if (!plugin || running.has(toolId)) return
    set({ ...plugin, status: 'deploying' })
    running.set(toolId, describe(plugin))
  }

  return {
    start,
    retry(toolId) {
      const last = failed.get(toolId)
      if (last && clock.now() - last.at >= limits.DESCRIBE_RETRY_MS) start(toolId)
    },
    sweep() {
      for (const [toolId, { at, times }] of failed) {
        const pause = Math.min(limits.DESCRIBE_RETRY_MS * 2 ** (times - 1), limits.DESCRIBE_RETRY_MAX_MS)
        if (clock.now() - at >= pause) start(toolId)
      }
    },
    async settled(toolId, patience) {
      const described = running.get(toolId)
      if (!described || !patience) return described
      const { deadlineMs, signal } = patience
      let stop = () => {}
      const over = new Promise<void>((resolve) => {
        const stopTimer = clock.setTimer(resolve, deadlineMs - clock.now())
        const leave = () => resolve()
        signal.addEventListener('abort', leave, { once: true })
        if (signal.aborted) resolve()
        stop = () => {
          stopTimer()
          signal.removeEventListener('abort', leave)
        }
      })
      await Promise.race([described, over])
      stop()
    },
  }
}
