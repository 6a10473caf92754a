import { isoOf } from './parts.ts'
import type { Content, PlugRecord, SnapshotRow } from './plug-row.ts'
import type { ListedPlug, PlugStanding, PublishedPlug, PublishedVersion } from './publishing.ts'

/** A plugin as its owner sees it. */
export function plugOf({ id, row }: PlugRecord, standing: PlugStanding): PublishedPlug {
  const { owner: _owner, removed_at: _removed, created_at, updated_at, ...shown } = row
  return { tool_id: id, ...shown, ...standing, created_at: isoOf(created_at), updated_at: isoOf(updated_at) }
}

/** A plugin in a list, by its live content or that of a version. */
export function listedPlug(
  { id, row }: PlugRecord,
  { version, manifest, distribution }: Content & { readonly version: string },
  own: boolean,
  standing: PlugStanding,
): ListedPlug {
  return {
    ...standing,
    tool_id: id,
    name: row.name,
    type: row.type,
    version,
    visibility: row.visibility,
    logo_url: row.logo_url,
    sample_prompts: row.sample_prompts,
    tags: row.tags,
    distribution_type: distribution?.type ?? null,
    tools: manifest.tools.map((tool) => tool.name),
    own,
    created_at: isoOf(row.created_at),
    updated_at: isoOf(row.updated_at),
  }
}

/** A version as its owner sees it. */
export const versionOf = (row: SnapshotRow): PublishedVersion => ({
  tool_id: row.tool_id,
  version: row.version,
  status: row.status,
  reason: row.reason,
  successor: row.successor,
  created_at: isoOf(row.created_at),
})
