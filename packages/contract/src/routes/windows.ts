import { limits } from '../limits/index.ts'
import { window as windowMethods } from '../methods/window.ts'
import { browserPermissions } from '../schemas/browser-permissions.ts'
import { plugAnswers } from '../schemas/plug-terms.ts'
import { window } from '../states/window.ts'
import { text } from '../values/text.ts'
import * as z from '../values/zod.ts'
import { nothing } from './nothing.ts'
import { route } from './row.ts'

const one = { window_uuid: 'A window of the user.' } as const
const { view_meta, geometry } = windowMethods.hello.result.shape
const view = view_meta.extend({ default: z.boolean().optional() })
const token = { token: z.string(), expires_in: z.number() }
const browser = z
  .array(z.enum(browserPermissions))
  .describe("What the app may ask of its user's browser: declared, and granted.")
const shown = { window_uuid: z.string(), view_meta: view, geometry, title: z.string(), browser }
const entryUrl = z
  .string()
  .describe('The document of its frame; good for this window alone, while it is open.')

/** Opening, listing, renewing and closing windows: for the page alone. */
export const windows = {
  'windows.open': route('POST', '/api/v1/svc-apps/windows', {
    auth: 'cookie',
    tag: 'windows',
    rate: 'open',
    summary: 'Opens a window and mints its token; expires_in is in whole seconds.',
    body: () =>
      z.object({
        app_id: text(limits.NAME_MAX_CHARS),
        view: text(limits.VIEW_NAME_MAX_CHARS).optional(),
        payload: z.unknown().optional(),
      }),
    answer: () => z.object({ ...shown, ...token, entry_url: entryUrl }),
    example: {
      body: { app_id: 'app_k3v9', view: 'main' },
      answer: {
        window_uuid: '6f1c2f9e-3a51-4a3e-9a51-0f4b6c1d2e3f',
        view_meta: { name: 'main', w: 640, h: 480, min_w: 120, min_h: 120, max_w: 10_000, max_h: 10_000 },
        geometry: { w: 640, h: 480, z: 1 },
        title: 'Notes',
        browser: ['download'],
        token: 'eyJhbGciOiJFZERTQSJ9.e30.c2ln',
        expires_in: 120,
        entry_url: '/api/v1/svc-apps/bundles/9f86d0…/index.html?window=6f1c2f9e-….pS0cT9',
      },
    },
    errors: ['not_found', 'bundle_not_ready', 'quota_exceeded'],
  }),
  'windows.list': route('GET', '/api/v1/svc-apps/windows', {
    auth: 'cookie',
    tag: 'windows',
    summary: 'Lists the open windows of the user, oldest first: all that a page needs to put them up again.',
    answer: () =>
      z.object({
        windows: z.array(
          z.object({
            ...shown,
            app_id: z.string(),
            version: z.string().describe('The version of the app that it runs.'),
            view: z.string(),
            entry_url: entryUrl.nullable(),
            opened_by: z
              .string()
              .nullable()
              .describe('The app that opened it, or gave it its payload last; `null`: the user.'),
            status: z.enum(window.states),
          }),
        ),
      }),
    errors: [],
  }),
  'windows.renew': route('POST', '/api/v1/svc-apps/windows/{window_uuid}/token', {
    auth: 'cookie',
    tag: 'windows',
    summary: 'Mints a fresh token of a window.',
    params: one,
    body: () =>
      z.object({
        attach: z
          .boolean()
          .optional()
          .describe('`true`: the page shows the window from now on, which another page may have opened.'),
      }),
    answer: () =>
      z.object({
        ...token,
        attached: z
          .int()
          .optional()
          .describe('Where it was asked to attach: how often pages have, with this one.'),
      }),
    example: { body: {}, answer: { token: 'eyJhbGciOiJFZERTQSJ9.e30.c2ln', expires_in: 120 } },
    errors: ['not_found'],
  }),
  'windows.agree': route('POST', '/api/v1/svc-apps/windows/{window_uuid}/plugs', {
    auth: 'cookie',
    tag: 'windows',
    rate: 'publish',
    summary:
      'Says whether a plugin of another may run for the app of a window: in this window alone, always or never.',
    params: one,
    body: () =>
      z.object({
        tool_id: text(limits.TOOL_ID_MAX_CHARS),
        version: text(limits.PLUG_VERSION_MAX_CHARS),
        digest: text(limits.NAME_MAX_CHARS).optional(),
        answer: z.enum(plugAnswers),
      }),
    answer: nothing,
    example: {
      body: { tool_id: 'tool-ada-weather-4k2x', version: '1.0.3', answer: 'always' },
      answer: {},
    },
    errors: ['not_found', 'conflict'],
  }),
  'windows.close': route('DELETE', '/api/v1/svc-apps/windows/{window_uuid}', {
    auth: 'cookie',
    tag: 'windows',
    summary: 'Closes a window; a second time is harmless.',
    params: one,
    query: () =>
      z.object({
        reason: text(limits.CLOSE_REASON_MAX_CHARS)
          .optional()
          .describe('Why: every page that shows the window is told in `close_view`.'),
        attached: z
          .int()
          .min(0)
          .optional()
          .describe(
            'Closes it only where no page attached it since: how often pages had, 0 for the page that opened it.',
          ),
      }),
    answer: nothing,
    errors: ['not_found'],
  }),
}
