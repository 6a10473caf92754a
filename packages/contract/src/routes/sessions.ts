import { agent, sessionEntry } from '../methods/agent.ts'
import { llm } from '../methods/llm.ts'
import * as z from '../values/zod.ts'
import { nothing } from './nothing.ts'
import { route } from './row.ts'

const APP = '/api/v1/copilot/app'
const one = { app_session_uuid: 'A session of the user.' } as const
const token = { app_session_token: z.string() }
const created = agent['session.create'].result

/** Arguments of a route whose token names the session: they may leave it out. */
const ofToken = <Shape extends z.ZodObject>(args: Shape) => args.partial({ app_session_uuid: true })

const { fixed_client_id, label } = agent['session.create'].args.shape

/** What a plugin makes a session of. */
export const sessionOrder = z.object({
  kind: z.enum(['agent', 'complete']).default('agent'),
  agent_submode: z.enum(['auto', 'fixed']).nullable().optional(),
  fixed_client_id,
  label: label.unwrap().nullable().optional(),
  system_prompt: z.string().nullable().optional(),
})

/** The session routes: their bodies are the arguments of the methods, their answers the results. */
export const sessions = {
  'sessions.complete': route('POST', `${APP}/complete`, {
    auth: 'window+cookie',
    tag: 'sessions',
    failure: 'session',
    summary: 'Does what llm.complete does.',
    body: llm.complete.args,
    answer: llm.complete.result,
    errors: ['quota_exceeded', 'not_implemented'],
  }),
  'sessions.create': route('POST', `${APP}/sessions`, {
    auth: 'window+cookie',
    tag: 'sessions',
    failure: 'session',
    summary: 'Makes a session and returns its token.',
    body: agent['session.create'].args,
    answer: () => created.extend(token),
    errors: ['APP_INVALID_REQUEST', 'APP_QUOTA_EXCEEDED'],
  }),
  'sessions.list': route('GET', `${APP}/sessions`, {
    auth: 'window+cookie',
    tag: 'sessions',
    failure: 'session',
    summary: 'Lists the sessions of the app of the window, the newest first.',
    query: agent['session.list'].args,
    answer: agent['session.list'].result,
    errors: [],
  }),
  'sessions.refresh': route('POST', `${APP}/sessions/{app_session_uuid}/refresh`, {
    auth: 'cookie',
    tag: 'sessions',
    summary: 'Moves the idle end of a session on and returns a fresh token.',
    failure: 'session',
    params: one,
    body: nothing,
    answer: () => agent['session.refresh'].result.extend(token),
    errors: ['APP_SESSION_NOT_FOUND', 'APP_SESSION_EXPIRED', 'APP_SESSION_REVOKED'],
  }),
  'sessions.delete': route('DELETE', `${APP}/sessions/{app_session_uuid}`, {
    auth: 'cookie',
    tag: 'sessions',
    summary: 'Ends a session and cancels its runs; of one that is gone nothing is left to do.',
    failure: 'session',
    params: one,
    answer: agent['session.delete'].result,
    errors: ['invalid_arg'],
  }),
  'sessions.run': route('POST', `${APP}/agent`, {
    auth: 'bearer',
    tag: 'sessions',
    rate: 'model',
    failure: 'session',
    summary:
      'Runs the session and streams its frames as unnamed server-sent events whose id is their seq, then the event complete.',
    headers: {
      'last-event-id': 'The seq of the last frame that the reader has; those up to it are left out.',
    },
    body: () => ofToken(agent['session.run'].args),
    answer: 'text/event-stream',
    errors: ['APP_SESSION_NOT_FOUND', 'APP_INVALID_REQUEST', 'APP_QUOTA_EXCEEDED'],
  }),
  'sessions.cancel': route('POST', `${APP}/agent/cancel`, {
    auth: 'bearer',
    tag: 'sessions',
    failure: 'session',
    summary: 'Cancels a run of the session; cancelled tells whether it was under way.',
    body: () => ofToken(agent['session.cancel'].args),
    answer: agent['session.cancel'].result,
    errors: ['APP_SESSION_NOT_FOUND'],
  }),
  'sessions.fromSampling': route('POST', '/copilot/app/sessions/from_sampling', {
    auth: 'sampling',
    tag: 'sessions',
    summary: 'Makes a session for the plugin of a call under way; its token stays with the host.',
    failure: 'session',
    body: () => sessionOrder.extend({ sampling_token: z.string() }),
    answer: () => created.extend({ kind: z.enum(['agent', 'complete']), label: z.string().nullable() }),
    errors: ['not_found', 'APP_INVALID_REQUEST', 'APP_QUOTA_EXCEEDED'],
  }),
  'page.sessions': route('GET', '/api/v1/svc-apps/sessions', {
    auth: 'cookie',
    tag: 'sessions',
    summary:
      'Lists the sessions of the user over all apps: for the page alone. Times left are in whole seconds.',
    query: agent['session.list'].args,
    answer: () =>
      z.object({
        sessions: z.array(
          sessionEntry.extend({
            app_id: z.string(),
            expires_in: z.number(),
            idle_expires_in: z.number(),
            max_lifetime_in: z.number(),
            active_runs: z.number(),
          }),
        ),
      }),
    errors: [],
  }),
  'page.endSession': route('DELETE', '/api/v1/svc-apps/sessions/{app_session_uuid}', {
    auth: 'cookie',
    tag: 'sessions',
    summary: 'Ends a session of the user, of whatever app.',
    params: one,
    answer: agent['session.delete'].result,
    errors: [],
  }),
}
