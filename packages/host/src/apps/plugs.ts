import { choose, shelfOf } from '../plugins/choose.ts'
import { declaredIn } from '../plugins/declared.ts'
import type { Seeker } from '../plugins/plugins.ts'
import type { VersionRow } from '../records.ts'
import type { AppParts } from './parts.ts'

/** A plugin that a version of an app declares. */
export interface AppPlug {
  readonly tool_id: string
  readonly kind: 'required' | 'optional'
  /** What it is called; `null` where the user cannot reach it: then its name is nobody's business. */
  readonly name: string | null
}

/** The plugins that a version declares, each once, as its user would get them. Nothing is installed for it. */
export async function plugsOf(house: AppParts, userId: string, version: VersionRow): Promise<AppPlug[]> {
  const { required_plugs, optional_plugs } = version.manifest
  const kinds = [
    ...required_plugs.map((plug) => ({ plug, kind: 'required' as const })),
    ...optional_plugs.map((plug) => ({ plug, kind: 'optional' as const })),
  ]
  const named = await Promise.all(
    kinds.map(async ({ plug, kind }) => {
      const { tool_id, handle } = typeof plug === 'string' ? { tool_id: plug } : plug
      const { id, name } = await nameOf(house, { userId, version }, tool_id ?? handle ?? '')
      return { tool_id: id, kind, name }
    }),
  )
  const first = new Map<string, AppPlug>()
  for (const plug of named) if (!first.has(plug.tool_id)) first.set(plug.tool_id, plug)
  return [...first.values()]
}

/** A published plugin is not looked for among those that run: whoever is looked for there is installed. */
async function nameOf(
  { copies, limits, plugins }: AppParts,
  seeker: Seeker & { readonly version: VersionRow },
  asked: string,
): Promise<{ readonly id: string; readonly name: string | null }> {
  const declared = declaredIn(seeker.version.manifest).byName.get(asked)
  if (!declared) {
    const known = await plugins.find(seeker, asked)
    return { id: known?.tool_id ?? asked, name: known ? (known.description?.name ?? known.handle) : null }
  }
  const { tool_id } = declared
  const reached = await choose(shelfOf(copies), seeker, declared, limits)
  return { id: tool_id, name: reached ? ((await copies.plugs.get(tool_id))?.row.name ?? null) : null }
}
