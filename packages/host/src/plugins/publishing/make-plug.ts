import { type PluginManifest, refuse, wrongArg } from '@svc/contract'
import { type PlugRecord, type PlugRow, plugs, type ReservationRow } from '../../catalog/plug-row.ts'
import { insertWithRoom } from '../../kernel/room.ts'
import { judgeFrozen, judgeLink, judgePlug, noDistribution, withVersion } from './content.ts'
import { describePlugin } from './describe.ts'
import { forgetPlug } from './forget-plug.ts'
import type { CommitBody } from './plug-input.ts'
import type { PublishingParts } from './publishing.ts'

const FIRST_VERSION = '1.0.0'

/** A plugin that is to be: its minted id, and what was said at the mint. */
type Minted = Pick<ReservationRow, 'tool_id' | 'owner' | 'name' | 'type'>

/** The manifest of a commit; left out, a runner of the user asks the plugin. Errors: `invalid_arg`, those of asking. */
async function manifestOf(
  parts: PublishingParts,
  { owner, type }: Minted,
  { manifest, distribution }: CommitBody,
  signal: AbortSignal | undefined,
): Promise<PluginManifest> {
  if (manifest) return manifest
  if (type === 'skill') throw wrongArg('manifest', 'is required for a skill, which no runner can describe')
  if (!distribution) throw noDistribution()
  return describePlugin(parts, owner, { distribution }, signal)
}

/**
 * Judges what a commit brings and makes the plugin of it, as a private one: the insert under its `tool_id` decides, so an id
 * becomes one plugin at most, once and for all. It is shown to others after that, when its first version is frozen.
 * Errors: `invalid_arg`, `agent_unavailable`, `conflict`, `quota_exceeded`; the reason of the signal, while the plugin is
 * described.
 */
export async function makePlug(
  parts: PublishingParts,
  minted: Minted,
  body: CommitBody,
  signal: AbortSignal | undefined,
): Promise<PlugRecord> {
  const { clock, limits, store } = parts
  const { tool_id, owner, name, type } = minted
  const { distribution = null, logo_url = null, readme = null, sample_prompts = [], tags = [] } = body
  if (logo_url !== null) judgeLink(parts, logo_url, 'logo_url')
  const manifest = await manifestOf(parts, minted, body, signal)
  const version = manifest.version ?? FIRST_VERSION
  judgePlug(parts, { type, readme, manifest, distribution })
  // Its first version is frozen once it is made: a refusal then would leave a private plugin.
  if (body.visibility !== undefined && body.visibility !== 'private') judgeFrozen(tool_id, { distribution })
  const now = clock.now()
  const row: PlugRow = {
    owner,
    name,
    type,
    manifest: withVersion(manifest, version),
    version,
    distribution,
    visibility: 'private',
    logo_url,
    readme,
    sample_prompts,
    tags,
    removed_at: null,
    created_at: now,
    updated_at: now,
  }
  const max = limits.PLUGS_PER_USER
  const made = await insertWithRoom(store, plugs, tool_id, row, {
    caps: [{ name: 'plugs', index: 'byOwner', eq: [owner], max }],
    room: {
      cap: { index: 'madeBy', eq: [owner], max: max + limits.PLUGS_REMOVED_PER_USER },
      oldest: 'removedByOwner',
      forget: (removed) => forgetPlug(parts, removed),
    },
  })
  if (made.ok) {
    await parts.published.changed({ toolId: tool_id, plug: { before: null, after: made.record } })
    return made.record
  }
  if ('exists' in made) throw refuse('conflict', 'this draft is committed already')
  throw refuse('quota_exceeded', `a user may have at most ${max} plugins`, {
    hint: 'Remove one that is not needed.',
  })
}
