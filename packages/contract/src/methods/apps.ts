import { z } from 'zod'
import { method } from '../define.ts'
import { limits } from '../limits.ts'
import { text } from '../text.ts'

const app_id = text(limits.NAME_MAX_CHARS).min(1)

const app = z.object({
  app_id: z.string(),
  name: z.string(),
  version: z.string(),
  views: z.array(
    z.object({ name: z.string(), title: z.string().optional(), default: z.boolean().optional() }),
  ),
})

/** `apps.*` (spec §4.2, design §9): the apps that the user of the window has installed, the calling one among them. */
export const apps = {
  list: method({
    doc: 'Lists the apps that the user has installed, oldest install first; never what they were granted.',
    access: 'declared',
    args: z.object({}),
    result: z.object({ apps: z.array(app) }),
  }),
  get: method({
    doc: 'Tells of one installed app.',
    access: 'declared',
    args: z.object({ app_id }),
    result: app,
  }),
  open: method({
    doc: 'Opens a view of an installed app with a payload, or brings it to the front; without view the default one.',
    access: 'declared',
    args: z.object({
      app_id,
      view: text(limits.VIEW_NAME_MAX_CHARS).min(1).optional(),
      payload: z.unknown().optional(),
    }),
    result: z.object({ window_uuid: z.string() }),
  }),
}
