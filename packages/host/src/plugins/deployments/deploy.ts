import { type DescribeOutcome, describeMs, type Failure, type InstalledSpec, type Runner } from '@svc/runner'
import type { RunnerLink } from '../../machines/runners.ts'
import type { PluginServices } from '../services.ts'
import type { Deployable } from './plugin-state.ts'

/** Has a runner install a plugin and ask it what it is; each has its own time. */
export async function installAndDescribe(
  { clock, limits }: Pick<PluginServices, 'clock' | 'limits'>,
  runner: Runner,
  spec: InstalledSpec,
  signal: AbortSignal,
): Promise<DescribeOutcome> {
  const installed = await runner.install(spec, {
    signal,
    deadlineMs: clock.now() + limits.INSTALL_TIMEOUT_MS,
  })
  if (!installed.ok) return installed
  return runner.describe(spec, { signal, deadlineMs: clock.now() + describeMs(spec, limits) })
}

/**
 * Has a runner install a plugin, then asks the process what it is: one that does not answer is not there. Tools of the
 * manifest that the process does not know are a problem, but those that it knows can be called.
 */
export async function deploy(
  services: Pick<PluginServices, 'clock' | 'limits' | 'log'>,
  { link, content }: { readonly link: RunnerLink; readonly content: Deployable },
  signal: AbortSignal,
): Promise<{ readonly ok: true; readonly problem: string | null } | Failure> {
  const { description, spec } = content
  const described = await installAndDescribe(services, link.runner, spec, signal)
  if (!described.ok) return described
  const has = new Set(described.description.tools.map(({ name }) => name))
  const missing = (description?.tools ?? []).map(({ name }) => name).filter((name) => !has.has(name))
  if (missing.length === 0) return { ok: true, problem: null }
  const problem = `its process does not have these tools of its manifest: ${missing.join(', ')}`
  services.log.warn({ plugin: content.tool_id, runner: link.id, missing }, problem)
  return { ok: true, problem }
}
