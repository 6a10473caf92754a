import { limits } from '../limits/index.ts'
import { text } from '../values/text.ts'
import * as z from '../values/zod.ts'
import { method } from './define.ts'
import { visible } from './rules.ts'

const nothing = z.object({})
const px = (side: string) => z.number().describe(`The ${side} in CSS pixels.`)

/** Whether text is the address of something that a page may open outside of itself. */
const isLink = (url: string): boolean =>
  URL.canParse(url) && ['https:', 'http:', 'mailto:', 'tel:'].includes(new URL(url).protocol)

/** `window.*`: always allowed. */
export const window = {
  hello: method({
    doc: 'Says that the document is there, and returns what it needs to know of its window, app and host. The SDK calls it by itself: `await svc.ready` is its result.',
    access: 'always',
    effect: 'read',
    args: () =>
      z.object({
        client_info: z
          .record(z.string(), z.unknown())
          .optional()
          .describe('What the host may log about the client.'),
      }),
    result: () =>
      z.object({
        window_uuid: z.string().describe('The id of the window.'),
        app_id: z.string().describe('The id of the app.'),
        version_id: z.string().describe('The id of the version of the app that the window shows.'),
        view_meta: z
          .object({
            name: z.string().describe('The name of the view in the manifest.'),
            title: z.string().optional().describe('Its title in the manifest.'),
            w: px('first width'),
            h: px('first height'),
            min_w: px('least width'),
            min_h: px('least height'),
            max_w: px('greatest width'),
            max_h: px('greatest height'),
          })
          .describe('The view that the window shows.'),
        capabilities: z
          .object({
            methods: z.array(z.string()).describe('Every `ns.method` that this window may call.'),
            dispatcher: z.string().describe('The version of the host API.'),
            storage: z.enum(['persistent', 'window-state']).describe('Where `svc.storage` keeps values.'),
            limits: z
              .record(z.string(), z.number())
              .describe(
                'Numbers that the client works with, in ms and counts; names as in the reference of limits.',
              ),
            tool_timeout_ms: z
              .number()
              .describe(
                'The longest timeout in ms that a declared tool declares for itself, or the default.',
              ),
          })
          .describe('What this host offers to this window.'),
        entry_payload: z
          .unknown()
          .describe('What the window was opened with, such as the payload of `open_view`.'),
        opened_by: z
          .string()
          .nullable()
          .describe('The app that gave it that payload, by its id; `null`: the user, on the page.'),
        runtime_state: z
          .record(z.string(), z.unknown())
          .nullable()
          .describe('The state that the host keeps for the window; `null` where it has none.'),
        geometry: z
          .object({ w: px('width'), h: px('height'), z: z.number().describe('Counts up with each focus.') })
          .describe('The size of the window.'),
      }),
    example: 'const { entry_payload } = await svc.ready',
  }),
  ready: method({
    doc: 'Says that the first paint is done: the page stops showing that the app loads.',
    access: 'always',
    args: nothing,
    result: nothing,
    example: 'render()\nawait svc.window.ready()',
  }),
  heartbeat: method({
    doc: 'Says that the document is alive. The SDK sends it by itself every 10 s.',
    access: 'always',
    args: nothing,
    result: nothing,
    example: 'await svc.window.heartbeat()',
  }),
  set_title: method({
    doc: 'Gives the window a title.',
    access: 'always',
    effect: 'write',
    args: () =>
      z.object({
        title: visible(limits.TITLE_MAX_CHARS).describe('The title, with something visible in it.'),
      }),
    result: nothing,
    example: "await svc.window.set_title({ title: 'Report 2026' })",
  }),
  resize: method({
    doc: 'Asks for a size, and returns the one that the bounds of the view allow.',
    access: 'always',
    effect: 'write',
    args: () => z.object({ w: px('width that is wanted'), h: px('height that is wanted') }),
    result: () => z.object({ w: px('width of the window'), h: px('height of the window') }),
    example: 'const { w, h } = await svc.window.resize({ w: 800, h: 600 })',
  }),
  focus: method({
    doc: 'Raises the window above the others.',
    access: 'always',
    effect: 'write',
    args: nothing,
    result: nothing,
    example: 'await svc.window.focus()',
  }),
  close: method({
    doc: 'Closes the window.',
    access: 'always',
    effect: 'write',
    args: () =>
      z.object({
        reason: text(limits.CLOSE_REASON_MAX_CHARS)
          .optional()
          .describe('Why, for the page that holds the window.'),
      }),
    result: nothing,
    example: "await svc.window.close({ reason: 'done' })",
  }),
  open_view: method({
    doc: 'Opens another view of the same app, or brings it to the front.',
    access: 'always',
    rate: 'open',
    effect: 'write',
    args: () =>
      z.object({
        view: text(limits.VIEW_NAME_MAX_CHARS).min(1).describe('The name of the view in the manifest.'),
        payload: z.unknown().optional().describe('JSON that the view gets as `entry_payload`.'),
      }),
    result: () => z.object({ window_uuid: z.string().describe('The id of the window of that view.') }),
    errors: ['not_found', 'bundle_not_ready', 'quota_exceeded'],
    example: "await svc.window.open_view({ view: 'settings', payload: { tab: 'account' } })",
  }),
  open_link: method({
    doc: 'Opens a page of another site, or a mail or phone address, in a new tab: the page around the window asks its user first, once for each site. Links in the document lead here by themselves. Resolves when the page has been told, whatever its user says.',
    access: 'always',
    rate: 'open',
    effect: 'write',
    args: () =>
      z.object({
        url: text(limits.LINK_MAX_CHARS)
          .refine(isLink, 'must be an address that begins with https:, http:, mailto: or tel:')
          .describe('The address, whole.'),
      }),
    result: () => z.object({ url: z.string().describe('The address as a browser writes it.') }),
    example: "await svc.window.open_link({ url: 'https://example.org/terms' })",
  }),
  download: method({
    doc: 'Offers a file to the user: `data`, a text, a `Blob` or bytes that the client sends to the page itself, or a file that the app uploaded, by `file_ref`. The page asks its user first, once for each app, and the browser saves the file. Links with `download` in the document lead here by themselves. The manifest declares `download` in `ui.browser`. Resolves when the page has been told, whatever its user says.',
    access: 'always',
    rate: 'open',
    effect: 'write',
    args: () =>
      z
        .object({
          name: text(limits.UPLOAD_FILENAME_MAX_CHARS)
            .min(1)
            .describe('The name to save the file under; what no file may be called is replaced by `_`.'),
          file_ref: text(limits.NAME_MAX_CHARS)
            .min(1)
            .optional()
            .describe('The id of a file that the app uploaded.'),
          size_bytes: z
            .int()
            .min(0)
            .max(limits.DOWNLOAD_MAX_BYTES)
            .optional()
            .describe('The size in bytes of `data`, which the page has.'),
        })
        .refine(
          ({ file_ref, size_bytes }) => (file_ref === undefined) !== (size_bytes === undefined),
          'must have either data or file_ref',
        ),
    result: () =>
      z.object({
        name: z.string().describe('The name that the file is saved under.'),
        url: z.string().nullable().describe('Where the file of `file_ref` is; `null` for `data`.'),
      }),
    errors: ['not_found'],
    example: "await svc.window.download({ name: 'greeting.txt', data: 'Hello' })",
  }),
  report_error: method({
    doc: 'Reports an error of the app. The SDK reports uncaught errors and rejections by itself.',
    access: 'always',
    rate: 'report',
    effect: 'write',
    args: () =>
      z.object({
        message: text(limits.ERROR_MESSAGE_MAX_CHARS).min(1).describe('What went wrong.'),
        stack: text(limits.ERROR_STACK_MAX_CHARS).optional().describe('The stack of the error.'),
        context: z
          .record(z.string(), z.unknown())
          .optional()
          .describe('Anything more about it; `fatal: true` marks the window as crashed.'),
      }),
    result: nothing,
    example: "await svc.window.report_error({ message: 'no chart data', context: { fatal: true } })",
  }),
}
