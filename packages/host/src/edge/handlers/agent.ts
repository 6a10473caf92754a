import type { Handlers } from '@svc/contract'
import { type JsonText, jsonInTurns } from '../../kernel/json.ts'
import { readHistory } from '../../work/runs/messages.ts'
import { catalogOf } from '../../work/sessions/platform-tools.ts'
import { sessionCreated, sessionEntryOf, sessionLife } from '../../work/sessions/view.ts'
import type { CallContext } from './context.ts'

/** Handlers of `agent.session.*`: sessions of the calling user and app. */
export const agent: Handlers<'agent', CallContext, JsonText> = {
  async 'session.create'({ submode, fixed_client_id, label, systemPrompt, quotaCaps }, context) {
    const { services, version, install } = context
    const record = await services.sessions.create({
      ...ownerOf(context),
      version,
      install,
      kind: 'agent',
      submode,
      windowUuid: context.window.id,
      origin: context.origin,
      pluginId: null,
      fixedClientId: fixed_client_id ?? null,
      label: label ?? null,
      systemPrompt: systemPrompt ?? null,
      caps: quotaCaps ?? {},
    })
    return sessionCreated(services, record, { version, install })
  },

  'session.catalog': (_args, { services, version, install }) => catalogOf(services, version, install),

  'session.run': (args, context) => context.services.runs.start(callerOf(context), args),

  async 'session.cancel'({ app_session_uuid, run_id }, context) {
    const { runs, sessions } = context.services
    const owner = ownerOf(context)
    await sessions.active(owner, app_session_uuid)
    return { cancelled: await runs.cancel({ ...owner, sessionUuid: app_session_uuid }, run_id) }
  },

  'session.attach': ({ app_session_uuid, run_id, after_seq }, context) =>
    context.services.runs.attach(
      { ...ownerOf(context), sessionUuid: app_session_uuid },
      run_id,
      after_seq,
      context.window.id,
    ),

  async 'session.history'({ app_session_uuid, limit }, context) {
    const { services } = context
    return jsonInTurns({ messages: await readHistory(services, ownerOf(context), app_session_uuid, limit) })
  },

  async 'session.list'({ include_expired, limit }, context) {
    const query = { includeExpired: include_expired, limit }
    const records = await context.services.sessions.list(ownerOf(context), query)
    return { sessions: records.map(sessionEntryOf) }
  },

  async 'session.delete'({ app_session_uuid }, context) {
    await context.services.sessions.revoke(ownerOf(context), app_session_uuid)
    return { deleted: true }
  },

  async 'session.refresh'({ app_session_uuid }, context) {
    const { services } = context
    return sessionLife(services, await services.sessions.touch(ownerOf(context), app_session_uuid))
  },
}

const ownerOf = ({ userId, window }: CallContext) => ({ userId, appId: window.row.app_id })

const callerOf = (context: CallContext) => ({
  ...ownerOf(context),
  windowUuid: context.window.id,
  version: context.version,
  install: context.install,
})
