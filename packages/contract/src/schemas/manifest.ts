import { limits } from '../limits/index.ts'
import { text } from '../values/text.ts'
import * as z from '../values/zod.ts'
import { browserPermissions } from './browser-permissions.ts'

const px = z.int().min(limits.VIEW_SIZE_MIN_PX).max(limits.VIEW_SIZE_MAX_PX)
const methodNames = z.array(text(limits.NAME_MAX_CHARS)).max(256)

/** A view of an app: its name, and the size that its window has and may have, in CSS pixels. */
export const viewSchema = z
  .object({
    name: text(limits.VIEW_NAME_MAX_CHARS)
      .min(1)
      .describe('Its name, by which `window.open_view` and the page open it; each once.'),
    default: z.boolean().optional().describe('It opens when none is named; left out of all, the first does.'),
    title: text(limits.TITLE_MAX_CHARS)
      .optional()
      .describe("The title of its window; left out, the app's name."),
    w: px.default(limits.VIEW_WIDTH_DEFAULT_PX).describe('Its width when it opens, in CSS pixels.'),
    h: px.default(limits.VIEW_HEIGHT_DEFAULT_PX).describe('Its height when it opens, in CSS pixels.'),
    min_w: px.default(limits.VIEW_SIZE_MIN_PX).describe('The least width; no more than `max_w`.'),
    min_h: px.default(limits.VIEW_SIZE_MIN_PX).describe('The least height; no more than `max_h`.'),
    max_w: px.default(limits.VIEW_SIZE_MAX_PX).describe('The greatest width.'),
    max_h: px.default(limits.VIEW_SIZE_MAX_PX).describe('The greatest height.'),
  })
  .refine((view) => view.min_w <= view.max_w && view.min_h <= view.max_h, 'has a minimum above its maximum')
  .transform((view) => ({
    ...view,
    w: Math.min(Math.max(view.w, view.min_w), view.max_w),
    h: Math.min(Math.max(view.h, view.min_h), view.max_h),
  }))

/** A tool plugin that an app declares: its `tool_id`, or an object that names it. */
export const plugSchema = z.union([
  text(limits.TOOL_ID_MAX_CHARS).min(1),
  z
    .object({
      tool_id: text(limits.TOOL_ID_MAX_CHARS).min(1).optional().describe('The id of a published plugin.'),
      handle: text(limits.TOOL_ID_MAX_CHARS)
        .min(1)
        .optional()
        .describe(
          'The slug of a plugin of the operator, or your own short name for the plugin of `tool_id`.',
        ),
      version: text(64).optional().describe('The version that a release keeps; left out, the newest.'),
    })
    .refine(
      (plug) => plug.tool_id !== undefined || plug.handle !== undefined,
      'must name a tool_id or a handle',
    ),
])

const fixedSchema = z.object({
  client_ids: z.array(text(limits.TOOL_ID_MAX_CHARS)).max(256).describe('Plugins by `tool_id` or handle.'),
})

const namespaces = z.object({
  llm: methodNames.optional().describe('Methods of `llm`, or `["*"]`.'),
  storage: methodNames.optional().describe('Methods of `storage`, or `["*"]`.'),
  tools: z
    .array(text(limits.TOOL_ID_MAX_CHARS * 2).min(1))
    .max(256)
    .optional()
    .describe(
      'Which declared plugins may be called: a name, `required:<name>`, `optional:<name>`, `required:*`; left out, all of them.',
    ),
  agent: z
    .object({
      session: z
        .object({
          auto: z.boolean().default(false).describe('Whether sessions of the kind `auto` may be created.'),
          fixed: fixedSchema
            .nullable()
            .default(null)
            .describe('Whether sessions of the kind `fixed` may be, and the tools that they begin with.'),
        })
        .default({ auto: false, fixed: null })
        .describe('The kinds of agent sessions; one of the two must be set.'),
      tools: z
        .array(text(limits.NAME_MAX_CHARS))
        .max(256)
        .optional()
        .describe('Platform tools that the agent may be granted; left out, those that are `dev_safe`.'),
    })
    .optional()
    .describe('Agent sessions.'),
})

/** The namespaces that are known, and lists under any other name. A catchall's own type has it that all are lists. */
type HostApi<Known> = Known & { [namespace: string]: string[] | Known[keyof Known] | undefined }

/** What an app may call: the agent's form is an object, every other namespace lists methods or `*`. */
export const hostApiSchema = namespaces.catchall(methodNames) as unknown as z.ZodType<
  HostApi<z.output<typeof namespaces>>,
  HostApi<z.input<typeof namespaces>>
>

const source = z
  .string()
  .regex(/^https:\/\/[a-z0-9.-]+(:\d+)?$/i, 'must be an https origin such as https://api.site.org')

const browserList = z.array(z.enum(browserPermissions)).max(browserPermissions.length)

/** The parts of an app's manifest that the host reads. */
export const manifestSchema = z
  .object({
    schema: z.union([z.literal(1), z.literal(2), z.literal(3)]).describe('The form of the manifest: 3.'),
    name: text(limits.APP_NAME_MAX_CHARS)
      .min(1)
      .describe('The name of the app, as its user reads it; two apps of an operator have two names.'),
    version: text(64)
      .default('0.0.0')
      .describe('What the author calls it; a release is named when it is made.'),
    ui: z
      .object({
        bundle: z
          .object({
            entry: text(1_024).min(1).describe('The HTML file that a window loads, as a path in the bundle.'),
            multi_page: z
              .boolean()
              .optional()
              .describe(
                'The bundle has several pages, and its frame may go from one to the next; without it only the entry is served as a page. Every window then loads all files anew.',
              ),
          })
          .describe('The files of the app.'),
        views: z.array(viewSchema).min(1).max(limits.VIEWS_MAX).describe('What it shows in windows.'),
        host_api: hostApiSchema
          .default({})
          .describe('What it may call, by namespace: names of methods, or `["*"]`.'),
        csp: z
          .object({
            connect_src: z
              .array(source)
              .max(32)
              .optional()
              .describe('Origins that it may fetch from; each is a grant.'),
            img_src: z
              .array(source)
              .max(32)
              .optional()
              .describe('Origins that it may load images from; each is a grant.'),
          })
          .optional()
          .describe('What it may load besides its own files.'),
        browser: browserList.optional().describe("What it may ask of its user's browser; each is a grant."),
      })
      .describe('What it shows, and what it may do.'),
    required_plugs: z
      .array(plugSchema)
      .max(limits.PLUGS_MAX)
      .default([])
      .describe('Plugins that it calls: the `tool_id` or handle of each, or an object.'),
    optional_plugs: z
      .array(plugSchema)
      .max(limits.PLUGS_MAX)
      .default([])
      .describe('Plugins that it calls where they are there.'),
    permissions: z
      .array(z.unknown())
      .optional()
      .describe('Of schema 1 and 2; allows nothing, and is refused at schema 3.'),
  })
  .superRefine((manifest, check) => {
    if (manifest.schema === 3 && manifest.permissions !== undefined)
      check.addIssue({
        code: 'custom',
        path: ['permissions'],
        message: 'is not allowed at schema 3; declare methods under ui.host_api instead',
      })
    const seen = new Set<string>()
    for (const [at, view] of manifest.ui.views.entries()) {
      if (seen.has(view.name))
        check.addIssue({
          code: 'custom',
          path: ['ui', 'views', at, 'name'],
          message: 'is listed twice among the views',
        })
      seen.add(view.name)
    }
  })

/** A manifest after it was read: defaults filled in. */
export type Manifest = z.output<typeof manifestSchema>
/** A manifest as its author writes it. */
export type ManifestInput = z.input<typeof manifestSchema>
/** One view of a manifest. */
export type View = Manifest['ui']['views'][number]
/** One declared plug of a manifest. */
export type Plug = Manifest['required_plugs'][number]

/** A plugin of another that its user agreed to have run on machines of theirs, at one version. */
const agreedPlugSchema = z.object({
  tool_id: text(limits.TOOL_ID_MAX_CHARS).min(1),
  version: text(limits.PLUG_VERSION_MAX_CHARS).min(1),
  /** Equal where author, version, distribution and reach are; the record always has it. */
  digest: text(limits.NAME_MAX_CHARS).optional(),
})

/** A plugin that the user agreed to. */
export type AgreedPlug = z.output<typeof agreedPlugSchema>

/** The grants of an install: written when the user installs or answers whether a plugin may run, and nowhere else. */
export const grantsSchema = z.object({
  image_grant: z.boolean().optional(),
  upload_grant: z.boolean().optional(),
  web_grant: z.boolean().optional(),
  credentials_grant: z.boolean().optional(),
  connect_src: z.array(source).max(32).optional().describe('Origins of `ui.csp` that it may fetch from.'),
  img_src: z.array(source).max(32).optional().describe('Origins of `ui.csp` that it may load images from.'),
  browser: browserList.optional().describe("What of `ui.browser` it may ask of its user's browser."),
  allowed_scopes: z.array(text(64)).max(32).optional(),
  agent: z
    .object({
      platform_tools: z.array(text(limits.TOOL_ID_MAX_CHARS)).max(256).optional(),
      inherit_host_tools: z.boolean().optional(),
    })
    .optional(),
  quota_caps: z
    .object({
      max_tokens_per_call: z.int().min(1).optional(),
      max_runs_per_day: z.int().min(0).optional(),
      max_concurrent_runs: z.int().min(0).optional(),
    })
    .optional(),
  models: z.array(text(128)).max(64).optional(),
  /** Plugins of others that may run: the user's own and the operator's need no word here. */
  plugs: z
    .array(agreedPlugSchema)
    .max(2 * limits.PLUGS_MAX)
    .optional(),
  /** Plugins of others that may never run, whatever their version: the page is not asked again. */
  plugs_never: z
    .array(text(limits.TOOL_ID_MAX_CHARS).min(1))
    .max(2 * limits.PLUGS_MAX)
    .optional(),
})

/** The grants of an install. */
export type Grants = z.output<typeof grantsSchema>

/** The view that opens when none is named: the one marked `default`, else the first. */
export function viewOf(manifest: Manifest, name?: string): View | undefined {
  const { views } = manifest.ui
  if (name !== undefined) return views.find((view) => view.name === name)
  return views.find((view) => view.default) ?? views[0]
}
