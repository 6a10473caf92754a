import { limits } from '../limits/index.ts'
import { text } from '../values/text.ts'
import * as z from '../values/zod.ts'
import { method } from './define.ts'

const app_id = text(limits.NAME_MAX_CHARS).min(1).describe('The id of the app.')

/** An app that the user has installed. */
export const app = z
  .object({
    app_id: z.string().describe('The id of the app.'),
    name: z.string().describe('Its name in the manifest.'),
    version: z.string().describe('The version that is installed.'),
    views: z
      .array(
        z.object({
          name: z.string().describe('The name of the view.'),
          title: z.string().optional().describe('Its title in the manifest.'),
          default: z.boolean().optional().describe('Whether it opens where no view is named.'),
        }),
      )
      .describe('Its views.'),
  })
  .describe('An app that the user has installed.')

/** `apps.*`: the apps that the user of the window has installed, the calling one among them. */
export const apps = {
  list: method({
    doc: 'Lists the apps that the user has installed, oldest install first.',
    access: 'declared',
    args: () => z.object({}),
    result: () => z.object({ apps: z.array(app).describe('The apps, this one among them.') }),
    example: 'const { apps } = await svc.apps.list()',
  }),
  get: method({
    doc: 'Reads one installed app.',
    access: 'declared',
    args: () => z.object({ app_id }),
    result: app,
    errors: ['not_found'],
    example: 'const { name, views } = await svc.apps.get({ app_id })',
  }),
  open: method({
    doc: 'Opens a view of an installed app, or brings it to the front.',
    access: 'declared',
    rate: 'open',
    args: () =>
      z.object({
        app_id,
        view: text(limits.VIEW_NAME_MAX_CHARS)
          .min(1)
          .optional()
          .describe('The view. Left out: the default one.'),
        payload: z.unknown().optional().describe('JSON that the view gets as `entry_payload`.'),
      }),
    result: () => z.object({ window_uuid: z.string().describe('The id of the window of that view.') }),
    errors: ['not_found', 'bundle_not_ready', 'quota_exceeded'],
    example: "await svc.apps.open({ app_id, view: 'reader', payload: { page: 3 } })",
  }),
}
