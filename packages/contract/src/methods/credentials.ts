import { z } from 'zod'
import { method } from '../define.ts'
import { limits } from '../limits.ts'
import { text } from '../text.ts'

const name = text(limits.CREDENTIAL_NAME_MAX_CHARS).min(1)

const named = z.object({
  name: z.string(),
  /** `granted`: the plugins that ask for it have it. `pending`: the user was asked. `missing`: neither. */
  status: z.enum(['granted', 'pending', 'missing']),
})

/** `credentials.*` (spec §4.2, design §9): what the plugins of an app ask for. A value never reaches a bundle. */
export const credentials = {
  list: method({
    doc: 'Lists the credentials that the plugins of this app ask for, and how each stands.',
    access: 'credentials_grant',
    args: z.object({}),
    result: z.object({
      credentials: z.array(
        named.extend({
          description: z.string().nullable(),
          /** The names of the plugins that ask for it. */
          plugins: z.array(z.string()),
        }),
      ),
    }),
  }),
  status: method({
    doc: 'Tells how one of these credentials stands.',
    access: 'credentials_grant',
    args: z.object({ name }),
    result: named,
  }),
  request: method({
    doc: 'Has the page ask the user for one of these credentials, unless it is granted.',
    access: 'credentials_grant',
    args: z.object({ name }),
    result: named,
  }),
}
