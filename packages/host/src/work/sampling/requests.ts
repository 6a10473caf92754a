import { subcallParams } from '@svc/contract'
import { type SubcallMethod, subcalls } from '@svc/contract/stdio'
import type { z } from 'zod'
import { deleteFile } from '../../data/uploads/drop.ts'
import { fileUrl } from '../../data/uploads/file.ts'
import { keepInline } from '../../data/uploads/keep.ts'
import { complete } from '../../models/providers/complete.ts'
import type { WorkServices } from '../services.ts'
import type { SessionRecord } from '../sessions/session-row.ts'
import { checkSubmode } from '../sessions/tool-rights.ts'
import { bufferedRun } from './buffered-run.ts'
import { makeSession } from './make-session.ts'
import { checkAppRights, checkCapability, needsOf } from './may.ts'
import type { Sampling } from './samplings.ts'

/** What a request knows besides its parameters. */
interface RequestContext {
  readonly services: WorkServices
  readonly sampling: Sampling
  /** Fires when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

/** How one request is read and answered. */
interface Request<Params extends z.ZodType = z.ZodType> {
  readonly params: Params
  answer(params: z.output<Params>, asking: RequestContext): Promise<unknown>
}

const request = <Params extends z.ZodType>(row: Request<Params>): Request => row as unknown as Request

/** What a plugin may ask of this host within a call: a row of `subcalls` each. */
export const requests: Readonly<Record<SubcallMethod, Request>> = {
  'llm/complete': request({
    params: subcallParams['llm/complete'],
    async answer({ messages, max_tokens: maxTokens, modelPreferences }, { services, sampling, signal }) {
      checkCapability(sampling, subcalls['llm/complete'].needs)
      const { install } = await checkAppRights(services, sampling, { ns: 'llm', method: 'complete' })
      const { userId, appId } = sampling
      const spender = { services, userId, appId, install, gone: () => signal }
      return complete(spender, { messages, maxTokens, modelPreferences })
    },
  }),

  'host/uploadFile': request({
    params: subcallParams['host/uploadFile'],
    async answer({ filename = null, ...file }, { services, sampling, signal }) {
      checkCapability(sampling, subcalls['host/uploadFile'].needs)
      await checkAppRights(services, sampling, { ns: 'upload', method: 'inline' })
      const { id } = await keepInline(services, sampling, { ...file, filename })
      // The plugin got a failure, so nobody would ever name the file.
      if (signal.aborted) await deleteFile(services, id)
      return { file_ref: id, url: fileUrl(sampling, id) }
    },
  }),

  'agent/session.create': request({
    params: subcallParams['agent/session.create'],
    answer: (order, { services, sampling }) => makeSession(services, sampling, order),
  }),

  'agent/session.run': request({
    params: subcallParams['agent/session.run'],
    async answer({ app_session_uuid, text: content, attachments, run_id }, { services, sampling, signal }) {
      const session = await services.samplings.sessions.own(sampling, app_session_uuid)
      const rights = await rightsOver(session, services, sampling)
      const { userId, appId } = sampling
      const started = await services.runs.start(
        // No window gets the frames: they are the plugin's.
        { userId, appId, windowUuid: null, ...rights },
        {
          app_session_uuid,
          content,
          recursion_limit: services.limits.RECURSION_LIMIT_DEFAULT,
          ...(attachments && { attachments }),
          ...(run_id !== undefined && { run_id }),
        },
      )
      return bufferedRun(services, { userId, appId, sessionUuid: app_session_uuid }, started, signal)
    },
  }),

  'agent/session.cancel': request({
    params: subcallParams['agent/session.cancel'],
    async answer({ app_session_uuid, run_id }, { services, sampling }) {
      const session = await services.samplings.sessions.own(sampling, app_session_uuid)
      checkCapability(sampling, needsOf(session.row).capability)
      const { userId, appId } = sampling
      await services.sessions.active({ userId, appId }, app_session_uuid)
      if (run_id !== undefined)
        return {
          cancelled: await services.runs.cancel({ userId, appId, sessionUuid: app_session_uuid }, run_id),
        }
      const cancelled = (await services.runs.activeOf(app_session_uuid)) > 0
      await services.runs.cancelAll(app_session_uuid, 'revoked')
      return { cancelled }
    },
  }),

  'agent/session.delete': request({
    params: subcallParams['agent/session.delete'],
    async answer({ app_session_uuid }, { services, sampling }) {
      await services.samplings.sessions.end(sampling, app_session_uuid, ({ row }) =>
        checkCapability(sampling, needsOf(row).capability),
      )
      return { deleted: true }
    },
  }),
}

/** The rights of the app behind a call, where plugin and app may use this session. Errors: `permission_denied`. */
async function rightsOver(session: SessionRecord, services: WorkServices, sampling: Sampling) {
  const needs = needsOf(session.row)
  checkCapability(sampling, needs.capability)
  const { version, install } = await checkAppRights(services, sampling, needs)
  await checkSubmode(services, { session, version })
  return { version, install }
}
