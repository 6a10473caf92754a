import {
  type AgreedPlug,
  type BuildProblem,
  compareSemver,
  type Grants,
  type PlugConsent,
  type PlugTerms,
} from '@svc/contract'
import type { StoreRecord } from '@svc/state'
import { publisherOf } from '../access/users/publishers.ts'
import { apps, DRAFT_VERSION, type VersionRow, versions } from '../catalog/records.ts'
import { consentTo, termsOf } from '../plugins/deployments/agreement.ts'
import { choose, sourceOf } from '../plugins/deployments/choose.ts'
import { declaredIn } from '../plugins/deployments/declared.ts'
import { type Deployable, isDeployable } from '../plugins/deployments/plugin-state.ts'
import { nameOf, type Seeker } from '../plugins/deployments/plugins.ts'
import type { AppInstall, InstalledApp } from './apps.ts'
import { grantsAskedBy } from './grants.ts'
import { installsOf } from './install.ts'
import type { AppNeeds } from './services.ts'

/** A plugin that a version of an app declares. */
export interface AppPlug {
  /** The id of the plugin. */
  readonly tool_id: string
  /** Under which list of the manifest it is. */
  readonly kind: 'required' | 'optional'
  /** What it is called; `null` where the user cannot reach it: then its name is nobody's business. */
  readonly name: string | null
  /** Whether it may run: `none` where it needs no agreement, because it is the user's own or the operator's. */
  readonly consent: PlugConsent
  /** What the user agrees to; `null` where it needs no agreement. */
  readonly terms: PlugTerms | null
}

/** The plugins of a version that need its user's agreement, as an install grants them. */
const plugsAskedBy = (plugs: readonly AppPlug[]): AgreedPlug[] =>
  plugs.flatMap(({ tool_id, terms }) =>
    terms ? [{ tool_id, version: terms.version, digest: terms.digest }] : [],
  )

/** The plugins that a version declares, each once, as its user would get them. Nothing is installed for it. */
async function plugsOf(
  services: AppNeeds,
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
      const named = await namedPlugin(services, { userId, version }, tool_id ?? handle ?? '')
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

const shownTerms = async ({ copies }: AppNeeds, content: Deployable): Promise<PlugTerms> => ({
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
async function namedPlugin(
  { copies, limits, plugins }: AppNeeds,
  seeker: Seeker & { readonly version: VersionRow },
  asked: string,
): Promise<NamedPlugin> {
  const declared = declaredIn(seeker.version.manifest).byName.get(asked)
  if (!declared) {
    const known = await plugins.find(seeker, asked)
    return { id: known?.tool_id ?? asked, name: known ? nameOf(known) : null }
  }
  const { tool_id } = declared
  const content = await choose(sourceOf(copies), seeker, declared, limits)
  const name = content ? ((await copies.plugs.get(tool_id))?.row.name ?? null) : null
  return { id: tool_id, name, ...(isDeployable(content) && { content }) }
}

/** Names as a reader looks for them, the same on every machine. */
const { compare } = new Intl.Collator('en', { numeric: true })

/** The apps that a user has installed, by name; those of one name by their id. */
export async function installedApps(services: AppNeeds, userId: string): Promise<InstalledApp[]> {
  const rows = await installsOf(services, userId)
  const listed = await Promise.all(
    rows.map(async ({ row }): Promise<InstalledApp | null> => {
      const app = await services.store.get(apps, row.app_id)
      const version = await services.copies.versions.get(row.version_id)
      if (!app || !version) return null
      return {
        install_id: row.install_id,
        app_id: row.app_id,
        slug: app.row.slug,
        name: version.row.manifest.name,
        version: row.version,
        version_id: row.version_id,
        grants: row.grants,
        views: version.row.manifest.ui.views.map(({ name, title, default: first }) => ({
          name,
          ...(title !== undefined && { title }),
          ...(first !== undefined && { default: first }),
        })),
        created_at: new Date(row.created_at).toISOString(),
      }
    }),
  )
  return listed
    .filter((row) => row !== null)
    .sort((a, b) => compare(a.name, b.name) || (a.app_id < b.app_id ? -1 : 1))
}

/** Adds to what a user installed what these versions ask for and the plugins they use, and what is newer. */
export function withRequested(
  services: AppNeeds,
  userId: string,
  installed: readonly InstalledApp[],
  problemOf: (appId: string) => BuildProblem | null,
): Promise<AppInstall[]> {
  const wants = async ({ row }: StoreRecord<VersionRow>, grants: Grants) => {
    const plugs = await plugsOf(services, userId, row, grants)
    const asked = plugsAskedBy(plugs)
    const asks = grantsAskedBy(row.manifest, services.platformTools)
    return { asks: asked.length > 0 ? { ...asks, plugs: asked } : asks, plugs }
  }
  return Promise.all(
    installed.map(async (app) => {
      const version = await services.copies.versions.get(app.version_id)
      const newest = await newestRelease(services, app.app_id)
      const isRelease = app.version !== DRAFT_VERSION
      const isNewer = isRelease && newest !== null && compareSemver(newest.row.version, app.version) > 0
      return {
        ...app,
        ...(version ? await wants(version, app.grants) : { asks: {}, plugs: [] }),
        approved: await services.approvals.allowed(userId, app.app_id),
        latest_release: newest?.row.version ?? null,
        build_problem: problemOf(app.app_id),
        newer: isNewer ? { version: newest.row.version, ...(await wants(newest, app.grants)) } : null,
      }
    }),
  )
}

/** The release of an app with the highest version. */
export async function newestRelease(
  { store }: AppNeeds,
  appId: string,
): Promise<StoreRecord<VersionRow> | null> {
  const page = await store.scan(versions, 'released', { eq: [appId], order: 'desc', limit: 1 })
  return page.rows[0] ?? null
}
