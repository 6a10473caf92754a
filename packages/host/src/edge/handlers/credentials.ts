import { type Handlers, refuse } from '@svc/contract'
import * as z from '@svc/contract/zod'
import { inTime } from '../../kernel/in-time.ts'
import type { CredentialStatus } from '../../plugins/credentials/credentials.ts'
import { type Need, needsOf } from '../../plugins/credentials/needs.ts'
import { type CallContext, whileThere } from './context.ts'

const known = z.enum(['granted', 'pending', 'missing'])

/** Handlers of `credentials.*`: an app is shown what its own plugins ask for, and nothing else. */
export const credentials: Handlers<'credentials', CallContext> = {
  async list(_args, context) {
    const listed = (await needs(context)).map(async ({ name, description, plugins }) => ({
      name,
      description,
      plugins: [...plugins],
      status: await statusOf(context, name),
    }))
    return { credentials: await Promise.all(listed) }
  },

  async status({ name }, context) {
    await need(context, name)
    return { name, status: await statusOf(context, name) }
  },

  async request({ name }, context) {
    const { services, userId, window } = context
    const { description, plugins } = await need(context, name)
    const app_id = window.row.app_id
    const status = await askOperator(context, async () =>
      services.credentials.request(userId, name, { appId: app_id }),
    )
    if (status !== 'granted') {
      services.events.emit(userId, 'credential_requested', window.id, { app_id, name, description, plugins })
      await services.events.told(userId)
    }
    return { name, status }
  },
}

const needs = ({ services, userId, version, window }: CallContext) =>
  needsOf(services, { userId, version, window }, version.manifest)

async function need(context: CallContext, name: string): Promise<Need> {
  const found = (await needs(context)).find((one) => one.name === name)
  if (found) return found
  throw refuse('not_found', `no plugin of this app asks for the credential ${JSON.stringify(name)}`, {
    hint: 'svc.credentials.list() names those that are asked for.',
  })
}

const statusOf = (context: CallContext, name: string) =>
  askOperator(context, async () => context.services.credentials.status(context.userId, name))

/** What the operator's code returns in its time; anything but a status is a fault of this host. */
function askOperator(context: CallContext, ask: () => Promise<CredentialStatus>): Promise<CredentialStatus> {
  const { clock, limits } = context.services
  const ms = limits.CREDENTIALS_MS
  const late = () => refuse('internal_error', `the credentials of this host took more than ${ms} ms`)
  return whileThere(context, async (signal) => known.parse(await inTime(ask, { clock, ms, signal, late })))
}
