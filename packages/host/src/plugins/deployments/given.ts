import { type Needs, neededNames, variableText, wordList } from '@svc/contract'
import { visibleLine } from '@svc/contract/visible-text'
import type { Copies } from '../../catalog/copies.ts'
import { plugValuesId } from '../../catalog/plug-values.ts'
import type { PluginContent } from './content.ts'
import type { Deployable } from './plugin-state.ts'
import type { KnownPlugin } from './plugins.ts'

/** What a plugin is started with, as its author wrote it. */
export const needsOfContent = ({ spec, reach }: Deployable): Needs => ({ ...spec.distribution, reach })

/** The names to which users of a plugin give values, in the order of its author. */
export const variablesOf = ({ spec }: Pick<PluginContent, 'spec'>): string[] => {
  const env = spec?.distribution.env ?? {}
  return Object.keys(env).filter((name) => typeof env[name] === 'object')
}

/** A content with what its user gave, and the names that it still needs. */
export interface GivenContent {
  readonly content: Deployable
  readonly missing: readonly string[]
}

/** Adds to a content what a user gave its variables. */
export async function withGiven(
  { plugValues }: Pick<Copies, 'plugValues'>,
  userId: string,
  content: Deployable,
): Promise<GivenContent> {
  const names = variablesOf(content)
  if (names.length === 0) return { content, missing: [] }
  const given = (await plugValues.get(plugValuesId(userId, content.tool_id)))?.row.values ?? {}
  const values = Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(given, name) ? [[name, given[name]?.value ?? '']] : [])),
  )
  const lookUp = (name: string) => (Object.hasOwn(values, name) ? values[name] : undefined)
  return {
    content: { ...content, spec: { ...content.spec, values } },
    missing: neededNames(needsOfContent(content), lookUp),
  }
}

/** The state of a plugin that is not started before its user gave it what it needs. */
export async function needing(
  { plugs }: Pick<Copies, 'plugs'>,
  userId: string,
  content: Deployable,
  missing: readonly string[],
): Promise<Pick<KnownPlugin, 'status' | 'problem' | 'link' | 'needs'>> {
  const { env = {} } = content.spec.distribution
  const words = missing.map((name) => {
    const one = env[name]
    return typeof one === 'object' ? variableText(name, one) : name
  })
  const row = (await plugs.get(content.tool_id))?.row
  const name = visibleLine(row?.name ?? content.tool_id)
  // What only comes with an app is in no list of plugins.
  const tab = row?.visibility === 'public' || content.owner === userId ? 'Plugins' : 'Apps'
  const problem = `${name} needs ${wordList(words)}. Give ${words.length > 1 ? 'them' : 'it'} under Manage, ${tab}.`
  return { status: 'unavailable', problem, link: null, needs: missing }
}
