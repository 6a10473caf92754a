import type { Visibility } from '@svc/contract'
import type { RouteInput } from '@svc/contract/route-client'
import { type DistributionForm, emptyDistribution } from './distribution-form.ts'
import { manifestText, readManifest } from './manifest-text.ts'
import type { MintedDraft, OwnPlug, PlugType } from './plug.ts'
import { distributionOf, formOf } from './read-distribution.ts'

/** What is typed of a plugin. */
export interface PlugFields {
  readonly name: string
  readonly manifest: string
  readonly distribution: DistributionForm
  readonly logo_url: string
  readonly readme: string
  /** One per line. */
  readonly sample_prompts: string
  /** One per line, or separated by commas. */
  readonly tags: string
}

/** A plugin that is to be. */
export interface NewPlug {
  readonly type: PlugType
  readonly fields: PlugFields
  readonly visibility: Visibility
  readonly draft: MintedDraft | null
}

/** Nothing is typed. */
export const emptyNewPlug: NewPlug = {
  type: 'tool',
  fields: {
    name: '',
    manifest: '',
    distribution: emptyDistribution,
    logo_url: '',
    readme: '',
    sample_prompts: '',
    tags: '',
  },
  visibility: 'private',
  draft: null,
}

/** What the host has of a plugin, as it would be typed. */
export const fieldsOf = (plug: OwnPlug): PlugFields => ({
  name: plug.name,
  manifest: manifestText(plug.manifest),
  distribution: formOf(plug.distribution),
  logo_url: plug.logo_url ?? '',
  readme: plug.readme ?? '',
  sample_prompts: plug.sample_prompts.join('\n'),
  tags: plug.tags.join('\n'),
})

const listOf = (text: string, between: RegExp): string[] =>
  [...new Set(text.split(between).map((one) => one.trim()))].filter((one) => one !== '')

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

/** What is written of a plugin, as the routes take it. */
type PlugBody = NonNullable<RouteInput<'PATCH /plugs/my/tools/{tool_id}'>['body']>

/** The body that says what was typed. A skill needs no manifest of its own: its name is all that is in one. */
export function bodyOf(type: PlugType, fields: PlugFields): PlugBody {
  const { manifest } = readManifest(fields.manifest)
  const name = fields.name.trim()
  const own = manifest ?? (type === 'skill' ? { name, tools: [] } : null)
  return {
    ...(own && { manifest: own }),
    ...(type === 'tool' && { distribution: distributionOf(fields.distribution) }),
    logo_url: orNull(fields.logo_url),
    readme: fields.readme.trim() === '' ? null : fields.readme,
    sample_prompts: listOf(fields.sample_prompts, /\n/),
    tags: listOf(fields.tags, /[\n,]/),
  }
}

/** Whether nothing is typed that the host does not have. */
export const isSaved = (plug: OwnPlug, fields: PlugFields): boolean =>
  JSON.stringify(fieldsOf(plug)) === JSON.stringify(fields)
