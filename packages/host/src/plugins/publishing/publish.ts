import { bumpPatch, compareSemver, refuse, wrongArg } from '@svc/contract'
import {
  type Content,
  type PlugRecord,
  plugs,
  type SnapshotRecord,
  type SnapshotRow,
} from '../../catalog/plug-row.ts'
import { newest, offered } from '../../catalog/plug-versions.ts'
import { changesOf } from './changes.ts'
import { judgeFrozen, judgePlug, sameContent, unversioned, withVersion } from './content.ts'
import { ownPlug } from './own-plug.ts'
import type { PublishBody } from './plug-input.ts'
import type { PublishingParts, VersionPreview } from './publishing.ts'
import { FIRST_SEQ, freeze } from './snapshots.ts'

/** What a publish comes to, before anything is written. */
interface Plan {
  readonly plug: PlugRecord
  readonly latest: SnapshotRecord | null
  readonly content: Content
  readonly version: string
  readonly isSame: boolean
}

/** Which version comes after `latest` when `asked` is wanted. Errors: `invalid_arg`. */
function versionAfter(latest: string | null, asked: string | undefined, live: string): string {
  if (latest === null) return asked ?? live
  if (asked === undefined) return bumpPatch(latest)
  const order = compareSemver(asked, latest)
  if (order < 0)
    throw wrongArg('version', `must not be below the latest, ${latest}, got ${JSON.stringify(asked)}`)
  return order === 0 ? bumpPatch(latest) : asked
}

async function plan(
  parts: PublishingParts,
  userId: string,
  toolId: string,
  body: PublishBody,
): Promise<Plan> {
  const plug = await ownPlug(parts, userId, toolId)
  const own = body.manifest?.version
  if (body.version !== undefined && own !== undefined && own !== body.version)
    throw wrongArg(
      'version',
      `must be that of the manifest, ${JSON.stringify(own)}, got ${JSON.stringify(body.version)}`,
      { hint: 'Leave one of the two out.' },
    )
  const { row } = plug
  const manifest = body.manifest ?? row.manifest
  const content = { manifest, distribution: body.distribution ?? row.distribution }
  judgePlug(parts, { ...row, ...content })
  judgeFrozen(toolId, content)
  const latest = await newest(parts, toolId)
  const asked = body.version ?? manifest.version
  const version = versionAfter(latest?.row.version ?? null, asked, row.version)
  return { plug, latest, content, version, isSame: latest !== null && sameContent(latest.row, content) }
}

/** Freezes a version. Errors: `not_found`, `invalid_arg`, `no_content_changes`, `conflict`, `quota_exceeded`. */
export async function publishVersion(
  parts: PublishingParts,
  userId: string,
  toolId: string,
  body: PublishBody,
): Promise<SnapshotRow> {
  const { plug, latest, content, version, isSame } = await plan(parts, userId, toolId, body)
  if (isSame) throw refuse('no_content_changes')
  const before = await offered(parts, toolId)
  const { owner } = plug.row
  const next = { ...content, owner, manifest: withVersion(content.manifest, version), version }
  const frozen = await freeze(parts, toolId, latest ? latest.row.seq + 1 : FIRST_SEQ, next)
  if (!frozen)
    throw refuse('conflict', 'another version of this plugin was published at the same time', {
      hint: 'Look at the versions, and publish again.',
    })
  await parts.published.changed({
    toolId,
    plug: { before: plug, after: plug },
    offered: { before, after: frozen },
    version: { name: version, before: null, after: frozen },
  })
  await follow(parts, frozen.row)
  return frozen.row
}

/** Brings the live record to a version that was frozen, unless a later one is there. */
async function follow(parts: PublishingParts, frozen: SnapshotRow): Promise<void> {
  const { clock, store } = parts
  const { tool_id, seq, version, manifest, distribution } = frozen
  for (;;) {
    const plug = await store.get(plugs, tool_id)
    const latest = await newest(parts, tool_id)
    if (!plug || plug.row.removed_at !== null || latest?.row.seq !== seq) return
    const row = { ...plug.row, version, manifest, distribution, updated_at: clock.now() }
    const swapped = await store.swap(plugs, tool_id, plug.revision, row)
    if (!swapped.ok) continue
    await parts.published.changed({ toolId: tool_id, plug: { before: plug, after: swapped.record } })
    return
  }
}

/** What a publish would do. Errors: `not_found`, `invalid_arg`. */
export async function previewVersion(
  parts: PublishingParts,
  userId: string,
  toolId: string,
  body: PublishBody,
): Promise<VersionPreview> {
  const { latest, content, version, isSame } = await plan(parts, userId, toolId, body)
  const before = latest ? unversioned(latest.row) : {}
  return {
    dry_run: true,
    from: latest?.row.version ?? null,
    version: isSame ? null : version,
    changes: changesOf(before, unversioned(content), parts.limits.VERSION_CHANGES_MAX),
  }
}
