import type { PluginDescription } from '@svc/contract/stdio'
import type { Project } from '../project/project.ts'
import { declareTools } from './declare-tools.ts'
import { declaredPlugs } from './declared-plugs.ts'
import { headerOf } from './types-file.ts'

/** The types of the tools of an app. */
export interface AppTypes {
  readonly text: string
  /** The plugins whose tools are declared, by slug, with the names of their tools. */
  readonly plugins: readonly { readonly slug: string; readonly tools: readonly string[] }[]
  /** Names in the manifest that no plugin of the app's package.json has: calls of them are not checked. */
  readonly open: readonly string[]
}

/** What the manifest of an app declares, beside the plugins that its package.json starts. */
export interface AppPlugs {
  /** Names of each plugin in the manifest, with its slug where the app's package.json has it. */
  readonly declared: readonly { readonly names: readonly string[]; readonly slug: string | undefined }[]
  /** Slugs in the package.json that the manifest does not declare: the app cannot call them. */
  readonly unused: readonly string[]
}

/** Reads them. Errors: `config`. */
export async function readPlugs(app: Project): Promise<AppPlugs> {
  const slugs = app.plugins.map(({ slug }) => slug)
  const declared = declaredPlugs(app).map((names) => ({
    names,
    slug: slugs.find((slug) => names.includes(slug)),
  }))
  return { declared, unused: slugs.filter((slug) => !declared.some((plug) => plug.slug === slug)) }
}

/** Writes the types of an app from what its plugins said, by slug. Errors: `failed`. */
export function appTypes({ declared }: AppPlugs, said: ReadonlyMap<string, PluginDescription>): AppTypes {
  const known = declared.flatMap(({ names, slug }) => {
    const description = slug === undefined ? undefined : said.get(slug)
    return slug !== undefined && description ? [{ names, slug, description }] : []
  })
  const open = declared.flatMap(({ names, slug }) => (slug !== undefined && said.has(slug) ? [] : names))
  const what = 'the tools that this app may call, as their plugins describe them'
  return {
    text: declareTools({ header: headerOf('svc types', what, 'svc types'), plugins: known, open }),
    plugins: known.map(({ slug, description: { tools } }) => ({
      slug,
      tools: tools.map(({ name }) => name),
    })),
    open,
  }
}
