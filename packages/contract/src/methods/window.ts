import { z } from 'zod'
import { method } from '../define.ts'
import { limits } from '../limits.ts'
import { text } from '../text.ts'
import { visible } from './rules.ts'

const nothing = z.object({})
const size = z.number()

/** `window.*` (spec §4.2): always allowed. */
export const window = {
  hello: method({
    doc: 'Says that the document is there and learns what it stands in.',
    access: 'always',
    args: z.object({ client_info: z.record(z.string(), z.unknown()).optional() }),
    result: z.object({
      window_uuid: z.string(),
      app_id: z.string(),
      version_id: z.string(),
      view_meta: z.object({
        name: z.string(),
        title: z.string().optional(),
        w: z.number(),
        h: z.number(),
        min_w: z.number(),
        min_h: z.number(),
        max_w: z.number(),
        max_h: z.number(),
      }),
      capabilities: z.object({
        /** Every `ns.method` that this window may call. */
        methods: z.array(z.string()),
        dispatcher: z.string(),
        storage: z.enum(['persistent', 'window-state']),
        /** Numbers that the client works with, in ms and counts; names as in the limits table. */
        limits: z.record(z.string(), z.number()),
        /** The longest timeout in ms that a declared tool declares for itself, or the default. */
        tool_timeout_ms: z.number(),
      }),
      entry_payload: z.unknown(),
      runtime_state: z.record(z.string(), z.unknown()).nullable(),
      geometry: z.object({ w: z.number(), h: z.number(), z: z.number() }),
    }),
  }),
  ready: method({
    doc: 'Says that the first paint is done.',
    access: 'always',
    args: nothing,
    result: nothing,
  }),
  heartbeat: method({
    doc: 'Says that the document is alive.',
    access: 'always',
    args: nothing,
    result: nothing,
  }),
  set_title: method({
    doc: 'Gives the window a title.',
    access: 'always',
    args: z.object({ title: visible(limits.TITLE_MAX_CHARS) }),
    result: nothing,
  }),
  resize: method({
    doc: 'Asks for a size in CSS pixels; the answer is what the view allows.',
    access: 'always',
    args: z.object({ w: size, h: size }),
    result: z.object({ w: z.number(), h: z.number() }),
  }),
  focus: method({ doc: 'Raises the window.', access: 'always', args: nothing, result: nothing }),
  close: method({
    doc: 'Closes the window.',
    access: 'always',
    args: z.object({ reason: text(limits.CLOSE_REASON_MAX_CHARS).optional() }),
    result: nothing,
  }),
  open_view: method({
    doc: 'Opens another view of the same app, or brings it to the front.',
    access: 'always',
    args: z.object({
      view: text(limits.VIEW_NAME_MAX_CHARS).min(1),
      payload: z.unknown().optional(),
    }),
    result: z.object({ window_uuid: z.string() }),
  }),
  report_error: method({
    doc: 'Reports an error of the bundle; `context.fatal: true` marks the window as crashed.',
    access: 'always',
    args: z.object({
      message: text(limits.ERROR_MESSAGE_MAX_CHARS).min(1),
      stack: text(limits.ERROR_STACK_MAX_CHARS).optional(),
      context: z.record(z.string(), z.unknown()).optional(),
    }),
    result: nothing,
  }),
}
