import { limits } from '../limits/index.ts'
import { text } from '../values/text.ts'
import * as z from '../values/zod.ts'
import { method } from './define.ts'

const name = text(limits.CREDENTIAL_NAME_MAX_CHARS)
  .min(1)
  .describe('The name of the credential, as the plugin has it.')

const named = z.object({
  name: z.string().describe('The name of the credential.'),
  status: z
    .enum(['granted', 'pending', 'missing'])
    .describe(
      '`granted`: the plugins that ask for it have it. `pending`: the user was asked. `missing`: neither.',
    ),
})

/** `credentials.*`: what the plugins of an app ask for. A value never reaches a bundle. */
export const credentials = {
  list: method({
    doc: 'Lists the credentials that the plugins of this app ask for, each with its status. No value is ever shown to an app.',
    access: 'credentials_grant',
    args: () => z.object({}),
    result: () =>
      z.object({
        credentials: z
          .array(
            named.extend({
              description: z.string().nullable().describe('What it is for, as the plugin says.'),
              plugins: z.array(z.string()).describe('The names of the plugins that ask for it.'),
            }),
          )
          .describe('The credentials.'),
      }),
    example: 'const { credentials } = await svc.credentials.list()',
  }),
  status: method({
    doc: 'Reads the status of one of these credentials.',
    access: 'credentials_grant',
    args: () => z.object({ name }),
    result: named,
    errors: ['not_found'],
    example: "const { status } = await svc.credentials.status({ name: 'WEATHER_KEY' })",
  }),
  request: method({
    doc: 'Has the page ask the user for one of these credentials, unless it is granted.',
    access: 'credentials_grant',
    args: () => z.object({ name }),
    result: named,
    errors: ['not_found'],
    example: "await svc.credentials.request({ name: 'WEATHER_KEY' })",
  }),
}
