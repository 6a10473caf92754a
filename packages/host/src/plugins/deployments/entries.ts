import type { Methods, ResultOf } from '@svc/contract'
import { toolDenial } from '../../access/manifest.ts'
import type { VersionRow } from '../../catalog/records.ts'
import type { PluginServices } from '../services.ts'
import { type KnownPlugin, nameOf, type Seeker } from './plugins.ts'

/** One line of `tools.list`. */
export type ToolEntry = ResultOf<Methods['tools']['list']>['tools'][number]

/** The lines of one plugin: one a tool. */
export const entriesOf = (
  plugin: Pick<KnownPlugin, 'tool_id' | 'handle' | 'description' | 'status'> &
    Partial<Pick<KnownPlugin, 'name' | 'problem' | 'unagreed' | 'fault'>>,
): ToolEntry[] => {
  const { tool_id, description, status, problem, unagreed, fault } = plugin
  const reason = fault ?? (unagreed && problem)
  return (description?.tools ?? []).map((tool) => ({
    tool_id,
    plugin_name: nameOf(plugin),
    tool_name: tool.name,
    description: tool.description ?? '',
    input_schema: { ...tool.input_schema },
    ...(tool.output_schema && { output_schema: tool.output_schema }),
    status,
    ...(reason && { reason }),
  }))
}

/** What `tools.list` returns to a user in an app at a version: exactly what both sides allow. */
export async function listTools(
  { plugins }: Pick<PluginServices, 'plugins'>,
  seeker: Seeker & { readonly version: VersionRow },
): Promise<ToolEntry[]> {
  const { userId, version, window = null } = seeker
  const known = await plugins.of({ userId, version, window })
  return known.filter((plugin) => toolDenial(version.manifest, plugin) === null).flatMap(entriesOf)
}
