import { limits } from '../limits/index.ts'
import { distributionSchema } from '../schemas/distribution.ts'
import { pluginManifestSchema, semver } from '../schemas/plugin-manifest.ts'
import { reachSchema } from '../schemas/reach-schema.ts'
import { snapshot, visibility } from '../states/reservation.ts'
import { text } from '../values/text.ts'
import * as z from '../values/zod.ts'
import { listQuery } from './list-query.ts'

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/

const visible = (maxChars: number) =>
  text(maxChars).refine((value) => /[^\s\p{C}]/u.test(value), 'must have a visible character')
const list = (max: number, maxChars: number) =>
  z
    .array(visible(maxChars))
    .max(max)
    .refine((items) => new Set(items).size === items.length, 'must not hold one entry twice')

const named = {
  name: visible(limits.PLUG_NAME_MAX_CHARS),
  type: z.enum(['tool', 'skill']),
  slug: text(limits.SLUG_MAX_CHARS)
    .refine((slug) => SLUG.test(slug), 'must be lower-case letters and digits, joined by single hyphens')
    .optional(),
}
const described = {
  visibility: z.enum(visibility.states).optional(),
  logo_url: z.string().nullable().optional(),
  readme: text(limits.PLUG_README_MAX_CHARS).nullable().optional(),
  sample_prompts: list(limits.PLUG_PROMPTS_MAX, limits.PLUG_PROMPT_MAX_CHARS).optional(),
  tags: list(limits.PLUG_TAGS_MAX, limits.PLUG_TAG_MAX_CHARS).optional(),
}
const content = {
  manifest: pluginManifestSchema.optional(),
  distribution: distributionSchema.optional(),
}

/**
 * The bodies of the publishing routes. No shape has a `tool_id`: one in a body is dropped, because an id is
 * never the client's.
 */
export const plugBodies = {
  mint: z.object(named),
  commit: z.object({ ...content, ...described }),
  create: z.object({ ...named, ...content, ...described }),
  describe: z.object({
    distribution: distributionSchema,
    reach: reachSchema.optional(),
    values: z.record(z.string(), text(limits.PLUG_VALUE_MAX_CHARS)).optional(),
  }),
  variables: z.object({ values: z.record(z.string(), text(limits.PLUG_VALUE_MAX_CHARS).nullable()) }),
  edit: z.object({ name: named.name.optional(), ...content, ...described }),
  publish: z.object({ ...content, version: semver.optional() }),
  mark: z.object({
    status: z.enum(snapshot.states),
    reason: visible(limits.PLUG_REASON_MAX_CHARS).optional(),
    successor: semver.optional(),
  }),
  list: listQuery(limits.PLUG_LIST_DEFAULT, limits.PLUG_LIST_MAX),
} as const
