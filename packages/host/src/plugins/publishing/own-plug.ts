import { refuse } from '@svc/contract'
import { withLastWords } from '@svc/runner'
import { type PlugRecord, type PlugRow, plugs } from '../../catalog/plug-row.ts'
import type { PluginContent } from '../deployments/content.ts'
import type { PluginServices } from '../services.ts'
import type { PlugState, PublishingParts } from './publishing.ts'

/** The refusal for a plugin that is unknown, removed or not the caller's: they look the same. */
const noSuchPlug = (toolId: string) =>
  refuse('not_found', `there is no plugin ${JSON.stringify(toolId)} of this user`)

/** A plugin of its owner. Errors: `not_found`. */
export async function ownPlug(
  { store }: Pick<PluginServices, 'store'>,
  userId: string,
  toolId: string,
): Promise<PlugRecord> {
  const plug = await store.get(plugs, toolId)
  if (plug?.row.owner !== userId || plug.row.removed_at !== null) throw noSuchPlug(toolId)
  return plug
}

/**
 * Writes the row that `next` makes of a plugin of its owner, and makes it again where somebody else wrote first; then
 * tells whom it concerns. Errors: `not_found`, those of `next`.
 */
export async function changePlug(
  parts: Pick<PluginServices, 'published' | 'store'>,
  userId: string,
  toolId: string,
  next: (plug: PlugRecord) => Promise<PlugRow>,
): Promise<PlugRecord> {
  for (;;) {
    const plug = await ownPlug(parts, userId, toolId)
    const swapped = await parts.store.swap(plugs, toolId, plug.revision, await next(plug))
    if (!swapped.ok) continue
    await parts.published.changed({ toolId, plug: { before: plug, after: swapped.record } })
    return swapped.record
  }
}

/** The state of a plugin on the runners of a user, without its link. */
export async function plugState(
  { published }: PublishingParts,
  userId: string,
  content: PluginContent,
): Promise<PlugState> {
  const runnerState = await published.stateOf(userId, content)
  if (runnerState === null) return { status: null, problem: null }
  const { status, problem, stderr } = runnerState
  return { status, problem: problem && withLastWords(problem, { stderr }) }
}
