import type { Limits } from '@svc/contract'
import type { Clock } from '@svc/node'
import type { DescribeOutcome, Runner } from '@svc/runner'
import type { Logger } from 'pino'
import type { KnownPlugin } from './plugins.ts'
import { openTrials, type Trials } from './trials.ts'

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
export type Describer = Trials

/** Opens the describing of plugins over a runner. */
export function openDescriber({ clock, limits, log, runner, get, set }: DescriberDeps): Describer {
  async function attempt(toolId: string): Promise<boolean> {
    const plugin = get(toolId)
    if (!plugin) return true
    set({ ...plugin, status: 'deploying' })
    const outcome = await runner.describe(plugin.spec, {}).catch((err: unknown): DescribeOutcome => {
      log.error({ err, plugin: plugin.handle }, 'a runner broke down while it described a plugin')
      return { ok: false, code: 'plug_unavailable', message: 'its runner broke down' }
    })
    if (outcome.ok) {
      set({ ...plugin, status: 'available', description: outcome.description, problem: null })
      return true
    }
    log.warn({ plugin: plugin.handle, code: outcome.code, details: outcome.details }, outcome.message)
    set({ ...plugin, status: 'unavailable', problem: outcome.message })
    return false
  }
  return openTrials({ clock, limits, attempt })
}
