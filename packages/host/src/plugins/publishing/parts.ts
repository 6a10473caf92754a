import { refuse } from '@svc/contract'
import { withLastWords } from '@svc/runner'
import { type PlugRecord, plugs } from '../../catalog/plug-row.ts'
import type { InFlight } from '../../kernel/inflight.ts'
import type { PluginContent } from '../deployments/content.ts'
import type { PluginServices } from '../services.ts'
import type { PlugStanding } from './publishing.ts'

/** What publishing needs of the host's services. */
export type PublishingParts = Pick<
  PluginServices,
  'clock' | 'newId' | 'limits' | 'store' | 'copies' | 'settings' | 'published'
> & {
  readonly runners: Pick<PluginServices['runners'], 'online'>
  readonly plugins: Pick<PluginServices['plugins'], 'of'>
  /** Since when the operator's plugins are there, in Unix ms. */
  readonly startedAt: number
  /** The plugins that are being described, by user. */
  readonly describing: InFlight
}

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

/** How a plugin stands with the runners of a user, told without its link. */
export function standingOf(
  { published }: PublishingParts,
  userId: string,
  content: PluginContent,
): PlugStanding {
  const standing = published.standing(userId, content)
  if (standing === null) return { status: null, problem: null }
  const { status, problem, stderr } = standing
  return { status, problem: problem && withLastWords(problem, { stderr }) }
}
