import { built } from './row.ts'

/** Session routes and the session client of plugins. */
export const routes = [
  ...built('0039-sessions-over-http', {
    'route.complete': 'POST /api/v1/copilot/app/complete completes, for apps that declare it.',
    'route.complete.errors': 'It tells each failure with its name, its code, a sentence and details.',
    'route.sessions.create': 'POST /api/v1/copilot/app/sessions makes a session, for apps with a submode.',
    'route.agent.run': 'POST /api/v1/copilot/app/agent runs and streams server-sent events.',
    'route.agent.cancel': 'POST /api/v1/copilot/app/agent/cancel cancels a run.',
    'route.sessions.refresh': 'POST …/sessions/{uuid}/refresh refreshes a session.',
    'route.sessions.delete': 'DELETE …/sessions/{uuid} ends a session.',
    'route.sessions.list': 'GET …/sessions lists sessions.',
    'route.from_sampling': 'POST /copilot/app/sessions/from_sampling takes the sampling token of an invoke.',
    'route.agent.body': 'The body of a run takes the arguments of session.run, attachments too.',
    'route.sessions.token':
      'create and refresh answer the token of the session over their routes, and only there.',
    'route.agent.complete':
      'Behind its frames a stream has the event complete with run_id, aborted and usage.',
    'route.agent.reader':
      'A run waits for no reader of its stream; who left finds all frames by asking for the same run again.',
  }),
  ...built('docs/guides/plugins-sessions.md', {
    'plugin.session.create': 'A plugin can make a session by kind, submode and label.',
    'plugin.session.run': 'A plugin can run, cancel and delete its session.',
    'plugin.session.complete': 'A plugin can complete and gets the result that a bundle gets.',
  }),
  ...built('0088-sessions-of-plugins', {
    'plugin.session.dispatch': 'Replies reach the session client through dispatch_response.',
    'plugin.session.buffered': 'A run of a plugin answers once, with all frames and the final text.',
  }),
  ...built('0040-what-plugins-ask', {
    'plugin.session.sampling_token': 'Each invoke carries a sampling token of its own.',
  }),
  ...built('0088-sessions-of-plugins', {
    'plugin.session.cached': 'The token is cached by user, plugin and session and never reaches the plugin.',
  }),
] as const
