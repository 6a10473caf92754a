import type { Failure } from '@svc/runner'
import type { RunnerLink } from '../../machines/runners.ts'
import type { PluginServices } from '../services.ts'
import type { Deployable } from './standing.ts'

/**
 * Has a runner install a plugin, then asks the process what it is: one that does not answer is not there. Tools of the
 * manifest that the process does not know are a problem, but those that it knows can be called.
 */
export async function deploy(
  { clock, limits, log }: Pick<PluginServices, 'clock' | 'limits' | 'log'>,
  { link, content }: { readonly link: RunnerLink; readonly content: Deployable },
  signal: AbortSignal,
): Promise<{ readonly ok: true; readonly problem: string | null } | Failure> {
  const { runner } = link
  const { description, spec } = content
  const installed = await runner.install(spec, {
    signal,
    deadlineMs: clock.now() + limits.INSTALL_TIMEOUT_MS,
  })
  if (!installed.ok) return installed
  const told = await runner.describe(spec, { signal, deadlineMs: clock.now() + limits.DESCRIBE_TIMEOUT_MS })
  if (!told.ok) return told
  const has = new Set(told.description.tools.map(({ name }) => name))
  const missing = (description?.tools ?? []).map(({ name }) => name).filter((name) => !has.has(name))
  if (missing.length === 0) return { ok: true, problem: null }
  const problem = `its process does not know these tools of its manifest: ${missing.join(', ')}`
  log.warn({ plugin: content.tool_id, runner: link.id, missing }, problem)
  return { ok: true, problem }
}
