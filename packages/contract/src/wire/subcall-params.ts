import { methods } from '../methods/index.ts'
import { sessionOrder } from '../routes/sessions.ts'
import * as z from '../values/zod.ts'
import type { SubcallMethod } from './subcalls.ts'

const run = methods.agent['session.run'].args.shape
const completion = methods.llm.complete.args.shape
const named = { app_session_uuid: run.app_session_uuid }

/**
 * What each request of a plugin takes, its `sampling_token` aside, as the host reads it. Instead of
 * `bytes_b64` a plugin may send the `path` of a file in its own folder: its runner reads that.
 */
export const subcallParams = {
  'host/uploadFile': methods.upload.inline.args,
  'llm/complete': z.object({
    messages: completion.messages,
    max_tokens: completion.maxTokens,
    modelPreferences: completion.modelPreferences,
  }),
  'agent/session.create': sessionOrder,
  'agent/session.run': z.object({
    ...named,
    text: run.content,
    attachments: run.attachments,
    run_id: run.run_id,
  }),
  'agent/session.cancel': z.object({ ...named, run_id: run.run_id }),
  'agent/session.delete': z.object(named),
} as const satisfies Record<SubcallMethod, z.ZodObject>
