import { z } from 'zod'
import { limits } from './limits.ts'
import { text } from './text.ts'

const px = z.int().min(limits.VIEW_SIZE_MIN_PX).max(limits.VIEW_SIZE_MAX_PX)
const methodNames = z.array(text(limits.NAME_MAX_CHARS)).max(256)

/** A view of an app: its name, and the size that its window has and may have, in CSS pixels. */
export const viewSchema = z
  .object({
    name: text(limits.VIEW_NAME_MAX_CHARS).min(1),
    default: z.boolean().optional(),
    title: text(limits.TITLE_MAX_CHARS).optional(),
    w: px.default(limits.VIEW_WIDTH_DEFAULT_PX),
    h: px.default(limits.VIEW_HEIGHT_DEFAULT_PX),
    min_w: px.default(limits.VIEW_SIZE_MIN_PX),
    min_h: px.default(limits.VIEW_SIZE_MIN_PX),
    max_w: px.default(limits.VIEW_SIZE_MAX_PX),
    max_h: px.default(limits.VIEW_SIZE_MAX_PX),
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
      tool_id: text(limits.TOOL_ID_MAX_CHARS).min(1).optional(),
      handle: text(limits.TOOL_ID_MAX_CHARS).min(1).optional(),
      version: text(64).optional(),
    })
    .refine(
      (plug) => plug.tool_id !== undefined || plug.handle !== undefined,
      'must name a tool_id or a handle',
    ),
])

const fixedSchema = z.object({ client_ids: z.array(text(limits.TOOL_ID_MAX_CHARS)).max(256) })

const namespaces = z.object({
  llm: methodNames.optional(),
  storage: methodNames.optional(),
  tools: z
    .array(text(limits.TOOL_ID_MAX_CHARS * 2).min(1))
    .max(256)
    .optional(),
  agent: z
    .object({
      session: z
        .object({ auto: z.boolean().default(false), fixed: fixedSchema.nullable().default(null) })
        .default({ auto: false, fixed: null }),
      tools: z.array(text(limits.NAME_MAX_CHARS)).max(256).optional(),
    })
    .optional(),
})

/** The namespaces that are known, and lists under any other name. A catchall's own type has it that all are lists. */
type HostApi<Known> = Known & { [namespace: string]: string[] | Known[keyof Known] | undefined }

/** What an app may call (spec §2.3): the agent's form is an object, every other namespace lists methods or `*`. */
export const hostApiSchema = namespaces.catchall(methodNames) as unknown as z.ZodType<
  HostApi<z.output<typeof namespaces>>,
  HostApi<z.input<typeof namespaces>>
>

const source = z
  .string()
  .regex(/^https:\/\/[a-z0-9.-]+(:\d+)?$/i, 'must be an https origin such as https://api.site.org')

/** The parts of an app's manifest that the host reads (spec §2.3, design §9). */
export const manifestSchema = z
  .object({
    schema: z.union([z.literal(1), z.literal(2), z.literal(3)]),
    name: text(limits.APP_NAME_MAX_CHARS).min(1),
    version: text(64).default('0.0.0'),
    ui: z.object({
      bundle: z.object({ entry: text(1_024).min(1) }),
      views: z.array(viewSchema).min(1).max(limits.VIEWS_MAX),
      host_api: hostApiSchema.default({}),
      csp: z
        .object({
          connect_src: z.array(source).max(32).optional(),
          img_src: z.array(source).max(32).optional(),
        })
        .optional(),
    }),
    required_plugs: z.array(plugSchema).max(limits.PLUGS_MAX).default([]),
    optional_plugs: z.array(plugSchema).max(limits.PLUGS_MAX).default([]),
    permissions: z.array(z.unknown()).optional(),
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
          message: 'stands twice among the views',
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

/** The grants of an install (design §9): written when the user installs, and nowhere else. */
export const grantsSchema = z.object({
  image_grant: z.boolean().optional(),
  upload_grant: z.boolean().optional(),
  web_grant: z.boolean().optional(),
  credentials_grant: z.boolean().optional(),
  allowed_scopes: z.array(text(64)).max(32).optional(),
  agent: z
    .object({
      platform_tools: z.array(z.string()).max(256).optional(),
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
})

/** The grants of an install. */
export type Grants = z.output<typeof grantsSchema>

/** The view that opens when none is named: the one marked `default`, else the first. */
export function viewOf(manifest: Manifest, name?: string): View | undefined {
  const { views } = manifest.ui
  if (name !== undefined) return views.find((view) => view.name === name)
  return views.find((view) => view.default) ?? views[0]
}
