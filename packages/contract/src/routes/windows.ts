import { z } from 'zod'
import { limits } from '../limits.ts'
import { window as windowMethods } from '../methods/window.ts'
import { window } from '../states/window.ts'
import { text } from '../text.ts'
import { nothing } from './nothing.ts'
import { route } from './row.ts'

const one = { window_uuid: 'A window of the user.' } as const
const { view_meta, geometry } = windowMethods.hello.result.shape
const view = view_meta.extend({ default: z.boolean().optional() })
const token = { token: z.string(), expires_in: z.number() }
const shown = { window_uuid: z.string(), view_meta: view, geometry, title: z.string() }

/** Opening, listing, renewing and closing windows: for the page alone (design §9). */
export const windows = {
  'windows.open': route('POST', '/api/v1/svc-apps/windows', {
    auth: 'cookie',
    tag: 'windows',
    summary: 'Opens a window and mints its token; expires_in is in whole seconds.',
    body: z.object({
      app_id: text(limits.NAME_MAX_CHARS),
      view: text(limits.VIEW_NAME_MAX_CHARS).optional(),
      payload: z.unknown().optional(),
    }),
    answer: z.object({ ...shown, ...token, entry_url: z.string() }),
    errors: ['not_found', 'bundle_not_ready', 'quota_exceeded'],
  }),
  'windows.list': route('GET', '/api/v1/svc-apps/windows', {
    auth: 'cookie',
    tag: 'windows',
    summary: 'Lists the open windows of the user, oldest first: all that a page needs to put them up again.',
    answer: z.object({
      windows: z.array(
        z.object({
          ...shown,
          app_id: z.string(),
          view: z.string(),
          entry_url: z.string().nullable(),
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
    body: nothing,
    answer: z.object(token),
    errors: ['not_found'],
  }),
  'windows.close': route('DELETE', '/api/v1/svc-apps/windows/{window_uuid}', {
    auth: 'cookie',
    tag: 'windows',
    summary: 'Closes a window; a second time is harmless.',
    params: one,
    answer: nothing,
    errors: ['not_found'],
  }),
}
