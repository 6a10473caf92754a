import { distributionSchema } from '../schemas/distribution.ts'
import { pluginManifestSchema } from '../schemas/plugin-manifest.ts'
import { publisher } from '../schemas/publisher.ts'
import { snapshot, visibility } from '../states/reservation.ts'
import * as z from '../values/zod.ts'
import { next_cursor } from './list-query.ts'
import { nothing } from './nothing.ts'
import { plugBodies } from './plug-bodies.ts'
import { route } from './row.ts'

const own = '/plugs/my/tools/{tool_id}'
const tool = { tool_id: 'A plugin of the user.' } as const

/** Null of a skill, and of a plugin of the operator, which is a command. */
const distribution_type = z.enum(distributionSchema.options.map(({ shape }) => shape.type.value)).nullable()

const shared = {
  tool_id: z.string(),
  name: z.string(),
  type: z.enum(['tool', 'skill']),
  version: z.string(),
  visibility: z.enum(visibility.states),
  logo_url: z.string().nullable(),
  sample_prompts: z.array(z.string()),
  tags: z.array(z.string()),
  /** Null of a skill. */
  status: z.enum(['available', 'deploying', 'unavailable']).nullable(),
  problem: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
}
const plug = z.object({
  ...shared,
  manifest: pluginManifestSchema,
  distribution: distributionSchema.nullable(),
  distribution_type,
  package_name: z.string().nullable(),
  executable_name: z.string().nullable(),
  readme: z.string().nullable(),
})
const listed = z.object({
  ...shared,
  distribution_type,
  tools: z.array(z.string()),
  /** The names that its user may give values. */
  variables: z.array(z.string()),
  /** Null of a plugin of the operator. */
  publisher: publisher.nullable(),
  own: z.boolean(),
  configured: z.boolean(),
})
const version = z.object({
  tool_id: z.string(),
  version: z.string(),
  status: z.enum(snapshot.states),
  reason: z.string().nullable(),
  successor: z.string().nullable(),
  created_at: z.string(),
})
const variables = z.object({
  tool_id: z.string(),
  name: z.string(),
  variables: z.array(
    z.object({
      name: z.string(),
      description: z.string().nullable(),
      secret: z.boolean(),
      /** Whether the plugin does not start without it. */
      required: z.boolean(),
      default: z.string().nullable(),
      /** What the plugin may do in the folder that it is; null: it is no folder. */
      folder: z.enum(['read', 'write']).nullable(),
      is_set: z.boolean(),
      /** What the user gave; null of a secret, and where nothing is given. */
      value: z.string().nullable(),
    }),
  ),
  /** Names that need a value before it starts. */
  missing: z.array(z.string()),
})
const ofAnybody = { tool_id: 'A plugin that the user may use.' } as const
const places = z.array(z.string())
const preview = z.object({
  dry_run: z.literal(true),
  /** Null where there is none yet. */
  from: z.string().nullable(),
  /** Null where it would be refused with no_content_changes. */
  version: z.string().nullable(),
  changes: z.object({ added: places, removed: places, changed: places, truncated: z.boolean() }),
})

/** Publishing of plugins. */
export const plugs = {
  'plugs.list': route('GET', '/plugs', {
    auth: 'cookie',
    tag: 'plugins',
    summary:
      'Lists the plugins that the user may see: the own ones and those of the operator (`configured`) on the first page, then what others made public.',
    query: plugBodies.list,
    answer: () => z.object({ plugs: z.array(listed), next_cursor }),
    errors: [],
  }),
  'plugs.mint': route('POST', '/plugs/my/drafts', {
    auth: 'cookie',
    tag: 'plugins',
    rate: 'publish',
    summary: 'Reserves a tool_id for 24 hours.',
    body: plugBodies.mint,
    answer: () => z.object({ draft_id: z.string(), tool_id: z.string(), expires_at: z.string() }),
    example: {
      body: { name: 'Weather', type: 'tool', slug: 'weather' },
      answer: {
        draft_id: 'drf_9a1b',
        tool_id: 'tool-ada-weather-4k2x',
        expires_at: '2026-01-02T00:00:00.000Z',
      },
    },
    errors: ['quota_exceeded'],
  }),
  'plugs.commit': route('POST', '/plugs/my/drafts/{draft_id}/commit', {
    auth: 'cookie',
    tag: 'plugins',
    rate: 'publish',
    summary: 'Makes the plugin of a draft, once.',
    params: { draft_id: 'A draft of the user.' },
    body: plugBodies.commit,
    answer: plug,
    errors: [
      'not_found',
      'conflict',
      'draft_expired',
      'quota_exceeded',
      'agent_unavailable',
      'plug_unavailable',
      'plug_error',
      'tool_timeout',
    ],
  }),
  'plugs.create': route('POST', '/plugs/my/tools', {
    auth: 'cookie',
    tag: 'plugins',
    rate: 'publish',
    summary: 'Mints and commits at once; a tool_id in the body is dropped.',
    body: plugBodies.create,
    answer: plug,
    errors: [
      'conflict',
      'quota_exceeded',
      'agent_unavailable',
      'plug_unavailable',
      'plug_error',
      'tool_timeout',
    ],
  }),
  'plugs.describe': route('POST', '/plugs/my/describe', {
    auth: 'cookie',
    tag: 'plugins',
    rate: 'publish',
    summary: 'Has a runner of the user install a plugin and ask it what it is; makes nothing.',
    body: plugBodies.describe,
    answer: () => z.object({ manifest: pluginManifestSchema }),
    errors: ['agent_unavailable', 'plug_unavailable', 'plug_error', 'tool_timeout'],
  }),
  'plugs.own': route('GET', '/plugs/my/tools', {
    auth: 'cookie',
    tag: 'plugins',
    summary: 'Lists the plugins of the user, the newest first.',
    query: plugBodies.list,
    answer: () => z.object({ plugs: z.array(listed), next_cursor }),
    errors: [],
  }),
  'plugs.get': route('GET', own, {
    auth: 'cookie',
    tag: 'plugins',
    summary: 'Reads a plugin of the user.',
    params: tool,
    answer: plug,
    errors: ['not_found'],
  }),
  'plugs.edit': route('PATCH', own, {
    auth: 'cookie',
    tag: 'plugins',
    rate: 'publish',
    summary: 'Edits the live record; the first promotion past private freezes the first version.',
    params: tool,
    body: plugBodies.edit,
    answer: plug,
    errors: ['not_found', 'conflict', 'quota_exceeded'],
  }),
  'plugs.remove': route('DELETE', own, {
    auth: 'cookie',
    tag: 'plugins',
    rate: 'publish',
    summary: 'Takes a plugin away, for good; its tool_id is never given again.',
    params: tool,
    answer: nothing,
    errors: ['not_found'],
  }),
  'plugs.publish': route('POST', `${own}/versions`, {
    auth: 'cookie',
    tag: 'plugins',
    rate: 'publish',
    summary: 'Freezes a version; with dry_run=1 it returns what would be different and freezes nothing.',
    params: tool,
    query: () => z.object({ dry_run: z.enum(['0', '1']).default('0') }),
    body: plugBodies.publish,
    answer: () => z.union([version, preview]),
    errors: ['not_found', 'conflict', 'no_content_changes', 'quota_exceeded'],
  }),
  'plugs.versions': route('GET', `${own}/versions`, {
    auth: 'cookie',
    tag: 'plugins',
    summary: 'Lists the frozen versions, the newest first.',
    params: tool,
    answer: () => z.object({ versions: z.array(version) }),
    errors: ['not_found'],
  }),
  'plugs.variables': route('GET', '/plugs/{tool_id}/variables', {
    auth: 'cookie',
    tag: 'plugins',
    summary: 'Lists the variables of a plugin and what the user gave them; a secret is never returned.',
    params: ofAnybody,
    answer: variables,
    errors: ['not_found'],
  }),
  'plugs.set_variables': route('PUT', '/plugs/{tool_id}/variables', {
    auth: 'cookie',
    tag: 'plugins',
    rate: 'publish',
    summary:
      'Gives variables of a plugin values for this user alone; null takes one back, and what is not named stays.',
    params: ofAnybody,
    body: plugBodies.variables,
    answer: variables,
    example: {
      body: { values: { TAVILY_API_KEY: 'tvly-…', REGION: null } },
      answer: {
        tool_id: 'tool-ada-tavily-4k2x',
        name: 'Tavily',
        variables: [
          {
            name: 'TAVILY_API_KEY',
            description: 'the key of your account',
            secret: true,
            required: true,
            default: null,
            folder: null,
            is_set: true,
            value: null,
          },
        ],
        missing: [],
      },
    },
    errors: ['not_found', 'quota_exceeded', 'conflict'],
  }),
  'plugs.mark': route('PATCH', `${own}/versions/{version}`, {
    auth: 'cookie',
    tag: 'plugins',
    rate: 'publish',
    summary: 'Marks a version active, deprecated or yanked.',
    params: { ...tool, version: 'A frozen version.' },
    body: plugBodies.mark,
    answer: version,
    errors: ['not_found'],
  }),
}
