import { limits } from '../limits/index.ts'
import { grantsSchema, manifestSchema } from '../schemas/manifest.ts'
import { plugConsents, plugTerms } from '../schemas/plug-terms.ts'
import { problemParts } from '../values/build-problem.ts'
import { archiveTypes } from '../values/media-types.ts'
import { text } from '../values/text.ts'
import * as z from '../values/zod.ts'
import { listQuery, next_cursor, search } from './list-query.ts'
import { nothing } from './nothing.ts'
import { route } from './row.ts'

const app = { app_id: 'The id that registering answered.' } as const
const version = { version_id: z.string(), version: z.string() }

/** A version as its owner finds it again: what `digest` names, and how much that is. */
const kept = {
  ...version,
  /** The name in its manifest. */
  name: z.string(),
  digest: z.string(),
  /** The files of its bundle, and what they hold. */
  files: z.number(),
  bytes: z.number(),
}
const ownApp = z.object({
  app_id: z.string(),
  slug: z.string(),
  /** The name under which it was registered. */
  name: z.string(),
  /** What was pushed last; null: nothing was. */
  draft: z.object({ ...kept, pushed_at: z.string() }).nullable(),
  /** The version of the newest release; null: none was ever made. */
  latest_release: z.string().nullable(),
  created_at: z.string(),
})
const release = z.object({
  ...kept,
  /** The version of each plugin that it keeps, by its tool_id. */
  pins: z.record(z.string(), z.string()),
  released_at: z.string(),
})

/** A plugin that a version declares; `name` is null where the user cannot reach it. */
const plug = z.object({
  tool_id: z.string(),
  kind: z.enum(['required', 'optional']),
  name: z.string().nullable(),
  /** Whether it may run: `none` where it needs no agreement, because it is the user's own or the operator's. */
  consent: z.enum(plugConsents),
  /** What the user agrees to; null where it needs no agreement. */
  terms: plugTerms.nullable(),
})

const install = z.object({
  install_id: z.string(),
  app_id: z.string(),
  slug: z.string(),
  name: z.string(),
  version: z.string(),
  version_id: z.string(),
  grants: grantsSchema,
  /** What the manifest of the installed version asks for. */
  asks: grantsSchema,
  /** The plugins that the installed version declares. */
  plugs: z.array(plug),
  /** The tools marked as destructive that the user allowed the app for good; `*`: every one of the plugin. Those of the host have the `tool_id` `host`. */
  approved: z.array(z.object({ tool_id: z.string(), tool: z.string() })),
  /** The version of the newest release; null: none was ever made. */
  latest_release: z.string().nullable(),
  /** The newest release, where it is newer than what is installed. */
  newer: z.object({ version: z.string(), asks: grantsSchema, plugs: z.array(plug) }).nullable(),
  /** What is wrong with the app while it is developed; null: nothing is known to be. */
  build_problem: z
    .object({
      part: z.enum(problemParts),
      message: z.string(),
      file: z.string().nullable(),
      line: z.number().nullable(),
      column: z.number().nullable(),
      hint: z.string().nullable(),
    })
    .nullable(),
  views: z.array(
    z.object({ name: z.string(), title: z.string().optional(), default: z.boolean().optional() }),
  ),
  created_at: z.string(),
})

/** What an app would miss; `required`: it says that it cannot do without, so it is not released. */
const lack = z.object({
  where: z.string(),
  problem: z.string(),
  hint: z.string(),
  required: z.boolean(),
})

/** Registering, pushing, releasing and installing apps. */
export const apps = {
  'apps.register': route('POST', '/api/v1/svc-apps/apps', {
    auth: 'cookie',
    tag: 'apps',
    rate: 'publish',
    summary: 'Registers an app; an owner has one of a slug.',
    body: () => z.object({ slug: text(limits.NAME_MAX_CHARS), name: text(limits.APP_NAME_MAX_CHARS) }),
    answer: () => z.object({ app_id: z.string() }),
    example: { body: { slug: 'notes', name: 'Notes' }, answer: { app_id: 'app_k3v9' } },
    errors: ['conflict', 'quota_exceeded'],
  }),
  'apps.lint': route('POST', '/api/v1/svc-apps/lint', {
    auth: 'cookie',
    tag: 'apps',
    rate: 'publish',
    summary: 'Lists what an app asks for in its manifest and this host does not have.',
    body: () => z.object({ manifest: manifestSchema }),
    answer: () => z.object({ lacks: z.array(lack) }),
    errors: [],
  }),
  'apps.list': route('GET', '/api/v1/svc-apps/apps', {
    auth: 'cookie',
    tag: 'apps',
    summary: 'Lists the apps that the user registered, by slug, each with its draft and its newest release.',
    query: () => listQuery(limits.APP_LIST_DEFAULT, limits.APP_LIST_MAX),
    answer: () => z.object({ apps: z.array(ownApp), next_cursor }),
    errors: [],
  }),
  'apps.releases': route('GET', '/api/v1/svc-apps/apps/{app_id}/releases', {
    auth: 'cookie',
    tag: 'apps',
    summary: 'Lists the releases of an app of the user, the highest version first.',
    params: app,
    query: () => listQuery(limits.RELEASE_LIST_DEFAULT, limits.RELEASE_LIST_MAX),
    answer: () => z.object({ releases: z.array(release), next_cursor }),
    errors: ['not_found'],
  }),
  'apps.archive': route('GET', '/api/v1/svc-apps/apps/{app_id}/versions/{version}/archive', {
    auth: 'cookie',
    tag: 'apps',
    rate: 'publish',
    head: true,
    summary:
      'Sends what was pushed of an app of the user, as an archive that a push takes: manifest.json and the bundle.',
    params: { ...app, version: 'The version of a release, or 0.0.0-draft.' },
    answer: 'application/x-tar',
    errors: ['not_found'],
  }),
  'apps.push': route('PUT', '/api/v1/svc-apps/apps/{app_id}/draft', {
    auth: 'cookie',
    tag: 'apps',
    rate: 'publish',
    summary:
      'Pushes the working draft: manifest and files as JSON, or an archive of manifest.json and the bundle.',
    params: app,
    body: () =>
      z.object({
        manifest: manifestSchema,
        /** Path → base64. */
        files: z.record(z.string(), z.string()).optional(),
      }),
    bodyTypes: archiveTypes,
    answer: () => z.object({ ...version, digest: z.string() }),
    errors: ['not_found', 'quota_exceeded'],
  }),
  'apps.release': route('POST', '/api/v1/svc-apps/apps/{app_id}/releases', {
    auth: 'cookie',
    tag: 'apps',
    rate: 'publish',
    summary: 'Freezes the draft as a release, with the versions of the plugins that it declares.',
    params: app,
    /** `force`: also where this host has not what the app requires. */
    body: () => z.object({ version: text(limits.NAME_MAX_CHARS), force: z.boolean().optional() }),
    /** `pins`: the version of each plugin that it keeps, by its tool_id. */
    answer: () => z.object({ ...version, pins: z.record(z.string(), z.string()) }),
    example: {
      body: { version: '1.2.0' },
      answer: { version_id: 'ver_7d2m', version: '1.2.0', pins: { 'tool-ada-weather-4k2x': '1.0.3' } },
    },
    errors: ['not_found', 'conflict', 'bundle_not_ready', 'quota_exceeded'],
  }),
  'apps.remove': route('DELETE', '/api/v1/svc-apps/apps/{app_id}', {
    auth: 'cookie',
    tag: 'apps',
    rate: 'publish',
    summary: 'Takes an app away for good, from everybody who installed it, with its draft and its releases.',
    params: app,
    answer: nothing,
    errors: ['not_found'],
  }),
  'apps.remove_release': route('DELETE', '/api/v1/svc-apps/apps/{app_id}/releases/{version}', {
    auth: 'cookie',
    tag: 'apps',
    rate: 'publish',
    summary: 'Takes a release away that nobody has installed or open.',
    params: { ...app, version: 'The version of the release.' },
    answer: nothing,
    errors: ['not_found', 'conflict'],
  }),
  'installs.install': route('POST', '/api/v1/svc-apps/installs', {
    auth: 'cookie',
    tag: 'apps',
    rate: 'publish',
    summary: 'Installs a version with grants; a second install of the same app replaces both.',
    body: () =>
      z.object({
        app_id: text(limits.NAME_MAX_CHARS),
        version: text(limits.NAME_MAX_CHARS),
        grants: grantsSchema.optional(),
      }),
    answer: () => z.object({ install_id: z.string() }),
    example: {
      body: {
        app_id: 'app_k3v9',
        version: '1.2.0',
        grants: {
          upload_grant: true,
          plugs: [{ tool_id: 'tool-ada-weather-4k2x', version: '1.0.3' }],
        },
      },
      answer: { install_id: 'ins_5f8a' },
    },
    errors: ['not_found', 'quota_exceeded'],
  }),
  'installs.list': route('GET', '/api/v1/svc-apps/installs', {
    auth: 'cookie',
    tag: 'apps',
    summary: 'Lists the apps of the user by name, those of the operator included.',
    query: () => z.object({ search }),
    answer: () => z.object({ installs: z.array(install) }),
    errors: [],
  }),
  'installs.remove': route('DELETE', '/api/v1/svc-apps/installs/{install_id}', {
    auth: 'cookie',
    tag: 'apps',
    rate: 'publish',
    summary: 'Takes an install away, closes its windows and cancels its jobs and sessions.',
    params: { install_id: 'The id that installing answered.' },
    answer: nothing,
    errors: ['not_found'],
  }),
}
