import type { Methods, ResultOf } from '@svc/contract'
import { toolDenial } from '../access/tools.ts'
import type { House } from '../house.ts'
import type { KnownPlugin } from '../plugins/plugins.ts'
import type { VersionRow } from '../records.ts'

/** One line of `tools.list` (spec §2.8). */
export type ToolEntry = ResultOf<Methods['tools']['list']>['tools'][number]

/** The lines of one plugin: one a tool. */
export const entriesOf = ({
  tool_id,
  handle,
  description,
  status,
}: Pick<KnownPlugin, 'tool_id' | 'handle' | 'description' | 'status'>): ToolEntry[] =>
  (description?.tools ?? []).map((tool) => ({
    tool_id,
    plugin_name: description?.name ?? handle,
    tool_name: tool.name,
    description: tool.description ?? '',
    input_schema: { ...tool.input_schema },
    status,
  }))

/** What `tools.list` answers a user in an app at a version: exactly what both sides allow (spec §5.5). */
export async function listTools(
  { plugins }: Pick<House, 'plugins'>,
  userId: string,
  version: VersionRow,
): Promise<ToolEntry[]> {
  const known = await plugins.of({ userId, version })
  return known.filter((plugin) => toolDenial(version.manifest, plugin) === null).flatMap(entriesOf)
}
