import type { AgreedPlug, Grants, PlugConsent, PlugTerms } from '@svc/contract'
import { publisherOf } from '../access/users/publishers.ts'
import type { VersionRow } from '../catalog/records.ts'
import { consentTo, termsOf } from '../plugins/deployments/agreement.ts'
import { choose, sourceOf } from '../plugins/deployments/choose.ts'
import { declaredIn } from '../plugins/deployments/declared.ts'
import type { Seeker } from '../plugins/deployments/plugins.ts'
import { type Deployable, isDeployable } from '../plugins/deployments/standing.ts'
import type { AppParts } from './parts.ts'

/** A plugin that a version of an app declares. */
export interface AppPlug {
  readonly tool_id: string
  readonly kind: 'required' | 'optional'
  /** What it is called; `null` where the user cannot reach it: then its name is nobody's business. */
  readonly name: string | null
  /** Whether it may run: `none` where it needs no agreement, because it is the user's own or the operator's. */
  readonly consent: PlugConsent
  /** What the user agrees to; `null` where it needs no agreement. */
  readonly terms: PlugTerms | null
}

/** The plugins of a version that need its user's agreement, as an install grants them. */
export const plugsAskedBy = (plugs: readonly AppPlug[]): AgreedPlug[] =>
  plugs.flatMap(({ tool_id, terms }) =>
    terms ? [{ tool_id, version: terms.version, digest: terms.digest }] : [],
  )

/** The plugins that a version declares, each once, as its user would get them. Nothing is installed for it. */
export async function plugsOf(
  services: AppParts,
  userId: string,
  version: VersionRow,
  grants: Grants,
): Promise<AppPlug[]> {
  const { required_plugs, optional_plugs } = version.manifest
  const kinds = [
    ...required_plugs.map((plug) => ({ plug, kind: 'required' as const })),
    ...optional_plugs.map((plug) => ({ plug, kind: 'optional' as const })),
  ]
  const named = await Promise.all(
    kinds.map(async ({ plug, kind }) => {
      const { tool_id, handle } = typeof plug === 'string' ? { tool_id: plug } : plug
      const named = await nameOf(services, { userId, version }, tool_id ?? handle ?? '')
      const { id, name, content } = named
      const consent = content ? consentTo(content, userId, { grants }) : 'none'
      const terms = content && consent !== 'none' ? await shownTerms(services, content) : null
      return { tool_id: id, kind, name, consent: consent === 'once' ? 'asked' : consent, terms } as const
    }),
  )
  const first = new Map<string, AppPlug>()
  for (const plug of named) if (!first.has(plug.tool_id)) first.set(plug.tool_id, plug)
  return [...first.values()]
}

const shownTerms = async ({ copies }: AppParts, content: Deployable): Promise<PlugTerms> => ({
  ...termsOf(content),
  publisher: await publisherOf(copies, content.owner),
})

/** A plugin as a version names it. */
interface NamedPlugin {
  readonly id: string
  readonly name: string | null
  /** What would run; left out for one of the operator's, a skill, and what the user cannot reach. */
  readonly content?: Deployable
}

/** A published plugin is not looked for among those that run: whoever is looked for there is installed. */
async function nameOf(
  { copies, limits, plugins }: AppParts,
  seeker: Seeker & { readonly version: VersionRow },
  asked: string,
): Promise<NamedPlugin> {
  const declared = declaredIn(seeker.version.manifest).byName.get(asked)
  if (!declared) {
    const known = await plugins.find(seeker, asked)
    return { id: known?.tool_id ?? asked, name: known ? (known.description?.name ?? known.handle) : null }
  }
  const { tool_id } = declared
  const content = await choose(sourceOf(copies), seeker, declared, limits)
  const name = content ? ((await copies.plugs.get(tool_id))?.row.name ?? null) : null
  return { id: tool_id, name, ...(isDeployable(content) && { content }) }
}
