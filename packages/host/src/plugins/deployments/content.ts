import { explain, type Limits, type Reach, reachSchema } from '@svc/contract'
import { jsonDigest } from '@svc/contract/digest'
import type { PluginDescription } from '@svc/contract/stdio'
import * as z from '@svc/contract/zod'
import { type InstalledSpec, parseDescription } from '@svc/runner'
import type { Content, PlugRow, SnapshotRow } from '../../catalog/plug-row.ts'

/** One version of a published plugin, or its live record: what it says and what runs belong together. */
export interface PluginContent {
  readonly tool_id: string
  readonly owner: string
  /** What a runner installs; `null`: a skill, which has no process. */
  readonly spec: InstalledSpec | null
  /** Its manifest, read as an answer of `describe` is. */
  readonly description: PluginDescription | null
  /** What its manifest says that it reaches. */
  readonly reach: Reach | undefined
  /** Why it never runs, whatever runners say; left out: nothing is wrong with what is stored of it. */
  readonly fault?: string
  /** Equal where all of it is equal. */
  readonly digest: string
}

const made = new WeakMap<Content, PluginContent>()

/** The content of a frozen version. */
export const contentOfVersion = (owner: string, row: SnapshotRow, limits: Limits): PluginContent =>
  contentOf({ tool_id: row.tool_id, owner, version: row.version, frozenAt: row.created_at }, row, limits)

/** The content of a live record. */
export const contentOfLive = (toolId: string, row: PlugRow, limits: Limits): PluginContent =>
  contentOf({ tool_id: toolId, owner: row.owner, version: liveVersion(row) }, row, limits)

/**
 * The version that a live record runs as. It can be edited under the version that it has, so what runs is named with
 * it, as SemVer's build data: nothing that was begun with one is gone on with by another.
 */
function liveVersion({ version, distribution }: PlugRow): string {
  const build = `live.${jsonDigest(distribution).slice(0, 12)}`
  return version.includes('+') ? `${version}.${build}` : `${version}+${build}`
}

interface PluginVersion {
  readonly tool_id: string
  readonly owner: string
  readonly version: string
  /** Unix ms; left out: it is a live record. */
  readonly frozenAt?: number
}

/** Rows are frozen: each is read once, as long as somebody holds it. */
function contentOf(
  { tool_id, owner, version, frozenAt }: PluginVersion,
  row: Content,
  limits: Limits,
): PluginContent {
  const known = made.get(row)
  if (known) return known
  const { manifest, distribution } = row
  const parsed = parseDescription({ ...manifest }, limits)
  const reached = readStored(manifest.reach)
  const content = {
    tool_id,
    owner,
    spec: distribution && {
      id: tool_id,
      version,
      author: owner,
      distribution,
      frozenAt,
      reach: reached.reach,
    },
    description: typeof parsed === 'string' ? null : parsed,
    ...reached,
    digest: jsonDigest({ tool_id, version, manifest, distribution }),
  }
  made.set(row, content)
  return content
}

const stored = z.object({ reach: reachSchema.optional() })

/** Rows are older than some rules: what was published then is not taken for a plugin that reaches nothing. */
function readStored(reach: unknown): Pick<PluginContent, 'reach' | 'fault'> {
  const { data, error } = stored.safeParse({ reach })
  if (!error) return { reach: data.reach }
  return {
    reach: undefined,
    fault: `its manifest is no longer valid: ${explain(error, { reach })}; its author must publish a new version`,
  }
}
