import * as z from '../values/zod.ts'
import { nothing } from './nothing.ts'
import { route } from './row.ts'

/** What the user says about a call of a destructive tool. */
export const approvalAnswer = z.enum(['once', 'always', 'always_plugin', 'no'])

/** Answering what apps ask the user: for the page alone. */
export const approvals = {
  'approvals.answer': route('POST', '/api/v1/svc-apps/approvals/{approval_id}', {
    auth: 'cookie',
    tag: 'windows',
    rate: 'publish',
    summary: 'Answers the event tool_approval; an answer that comes too late changes nothing.',
    params: { approval_id: 'The id that the event names.' },
    body: () =>
      z.object({
        answer: approvalAnswer.describe(
          '`once`: this call. `always`: this tool in this app from now on. `always_plugin`: every such tool of this plugin in this app. Where the event had `args_cut`, both are this call. `no`: the call fails.',
        ),
      }),
    answer: nothing,
    example: { body: { answer: 'once' }, answer: {} },
    errors: [],
  }),
  'approvals.forget': route('DELETE', '/api/v1/svc-apps/apps/{app_id}/approvals', {
    auth: 'cookie',
    tag: 'windows',
    rate: 'publish',
    summary:
      'Takes back every `always` and `always_plugin` that the user said in an app: their next calls ask again. What an install lists as `approved` is empty then.',
    params: { app_id: 'The app.' },
    answer: nothing,
    errors: [],
  }),
}
