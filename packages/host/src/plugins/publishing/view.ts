import type { Distribution, Publisher, Visibility } from '@svc/contract'
import type { Content, PlugRecord, SnapshotRow } from '../../catalog/plug-row.ts'
import { isoOf } from '../../kernel/iso.ts'
import type { KnownPlugin } from '../deployments/plugins.ts'
import type { ListedPlug, PlugState, PublishedPlug, PublishedVersion } from './publishing.ts'

/** A plugin as its owner sees it. */
export function plugOf({ id, row }: PlugRecord, runnerState: PlugState): PublishedPlug {
  const { owner: _owner, removed_at: _removed, created_at, updated_at, ...shown } = row
  const times = { created_at: isoOf(created_at), updated_at: isoOf(updated_at) }
  return { tool_id: id, ...shown, ...cameFrom(row.distribution), ...runnerState, ...times }
}

/** Where a plugin comes from, as single fields. */
const cameFrom = (distribution: Distribution | null) => ({
  distribution_type: distribution?.type ?? null,
  package_name: distribution && 'package_name' in distribution ? distribution.package_name : null,
  executable_name: distribution?.executable_name ?? null,
})

/** What a list says of a plugin besides its content. */
interface PlugContext {
  /** Whether it is the caller's own. */
  readonly own: boolean
  readonly publisher: Publisher
  readonly standing: PlugState
}

/** The names to which users give values. */
const namesOfVariables = (distribution: Distribution | null): string[] =>
  Object.entries(distribution?.env ?? {}).flatMap(([name, one]) => (typeof one === 'object' ? [name] : []))

/** A plugin in a list, by its live content or that of a version. */
export function listedPlug(
  { id, row }: PlugRecord,
  { version, manifest, distribution }: Content & { readonly version: string },
  { own, publisher, standing }: PlugContext,
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
    variables: namesOfVariables(distribution),
    own,
    publisher,
    configured: false,
    created_at: isoOf(row.created_at),
    updated_at: isoOf(row.updated_at),
  }
}

/** The reason may name a path of the host, which is the operator's to know. */
const HIDDEN_PROBLEM = 'it cannot be used on this host now; its operator finds the reason in the log'

/**
 * A plugin of the operator's configuration in a list: everybody's, a command of the host itself since it began. In the
 * harness, where users are the operator, it says why it cannot be used.
 */
export function configuredPlug(
  { tool_id, handle, spec, description, status, problem }: KnownPlugin,
  startedAt: number,
  harness: boolean,
): ListedPlug {
  const since = isoOf(startedAt)
  return {
    status,
    problem: problem === null || harness ? problem : HIDDEN_PROBLEM,
    tool_id,
    name: description?.name ?? handle,
    type: 'tool',
    version: description?.version ?? spec.version,
    visibility: 'public' satisfies Visibility,
    logo_url: null,
    sample_prompts: [],
    tags: [],
    distribution_type: null,
    tools: description?.tools.map((tool) => tool.name) ?? [],
    variables: [],
    publisher: null,
    own: false,
    configured: true,
    created_at: since,
    updated_at: since,
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
