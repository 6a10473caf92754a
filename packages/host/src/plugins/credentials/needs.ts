import type { Limits, Manifest } from '@svc/contract'
import * as z from '@svc/contract/zod'
import { toolDenial } from '../../access/manifest.ts'
import { type KnownPlugin, nameOf, type Seeker } from '../deployments/plugins.ts'
import type { PluginServices } from '../services.ts'

/** A credential that plugins ask for. */
export interface Need {
  readonly name: string
  readonly description: string | null
  /** Names of the plugins. */
  readonly plugins: readonly string[]
}

type Parts = Pick<PluginServices, 'plugins'> & {
  readonly limits: Pick<Limits, 'CREDENTIALS_PER_PLUGIN' | 'DESCRIPTION_MAX_CHARS'>
}

const entry = z.union([
  z.string().transform((name) => ({ name, description: null })),
  z.object({ name: z.string(), description: z.string().nullable().catch(null) }),
])

/** What a plugin said that it asks for; an entry that names nothing is passed over. */
export function credentialsOf({ description }: KnownPlugin, limits: Parts['limits']) {
  const entries = (description?.credentials ?? []).slice(0, limits.CREDENTIALS_PER_PLUGIN)
  return entries.flatMap((one) => {
    const { data } = entry.safeParse(one)
    return data && data.name !== ''
      ? [{ ...data, description: data.description?.slice(0, limits.DESCRIPTION_MAX_CHARS) ?? null }]
      : []
  })
}

/** What the plugins ask for that an app may use, in the order of their names. */
export async function needsOf(
  { plugins, limits }: Parts,
  seeker: Seeker,
  manifest: Manifest,
): Promise<Need[]> {
  const needs = new Map<string, Need>()
  for (const plugin of await plugins.of(seeker)) {
    if (toolDenial(manifest, plugin) !== null) continue
    const pluginName = nameOf(plugin)
    for (const { name, description } of credentialsOf(plugin, limits)) {
      const before = needs.get(name)
      needs.set(name, {
        name,
        description: before?.description ?? description,
        plugins: [...new Set([...(before?.plugins ?? []), pluginName])],
      })
    }
  }
  return [...needs.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}
