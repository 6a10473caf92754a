import { built } from './row.ts'

/** Agent sessions and their runs. The tables of states stand. */
export const agent = [
  ...built('docs/reference/methods.md', {
    'ids.session': 'The id of a session begins with aps_.',
  }),
  ...built('0033-a-session-ends-for-good', {
    'states.session.slide': 'The table keeps a session active through a run or a refresh.',
    'states.session.expire': 'The table leads an active session to expired.',
    'states.session.delete': 'The table leads an active and an expired session to revoked by delete.',
    'states.session.delete.again': 'The table takes a second delete of a revoked session without a change.',
    'states.session.reap': 'The table leads an expired session to revoked by the reaper.',
    'states.session.window_closed': 'The table leads an active session to revoked when its window closed.',
    'states.session.purge': 'The table leads a revoked session to deleted, and nowhere else.',
    'states.session.refresh_ended': 'The table has no refresh of an expired or revoked session.',
  }),
  ...built('0034-a-run-ends-once', {
    'states.run.cancel': 'The table leads a queued and a running run to cancelled.',
    'states.run.end': 'The table leads a run to finished, failed or cancelled, and nothing leaves those.',
  }),
  ...built('0085-images-of-a-run', {
    'run.attachments.count': 'A run has at most six attachments.',
    'run.attachments.size': 'An attachment has at most 20 MB.',
  }),
  ...built('0036-urls-and-attachments', {
    'run.attachments.private': 'An attachment on a private or internal host is refused.',
  }),
  ...built('0084-forbidden-tokens-in-prompts', {
    'session.system_prompt.length': 'A system prompt over 32 000 characters is APP_INVALID_REQUEST.',
    'session.system_prompt.tokens': 'A system prompt with role or fence tokens is APP_INVALID_REQUEST.',
  }),
  ...built('docs/reference/methods.md', {
    'catalog.entry.fields': 'A catalog entry tells name, description and how eligible it is.',
    'catalog.entry.blocked_by': 'blocked_by is manifest or user_grant, by which of the two refused.',
  }),
  ...built('docs/guides/sessions.md', {
    'session.catalog': 'catalog answers the platform tools and makes no session and uses no quota.',
  }),
  ...built('0035-tools-and-prompts-of-sessions', {
    'session.tools.auto.platform':
      'An auto session has the platform tools that the manifest names and the user granted.',
    'session.tools.auto.dev_safe':
      'Where the manifest leaves its list out, these are the granted ones that are dev_safe; an empty list names none.',
    'session.tools.auto.plugins': 'An auto session has the tools of plugins that the tool ACL lets through.',
    'session.tools.fixed': 'A fixed session has the tools of its plugin, and of no other.',
    'session.tools.fixed.inherit': 'With inherit_host_tools a fixed session has platform tools besides.',
    'session.tools.complete': 'A completion session has no tools.',
    'session.tools.names': 'A model sees the tools of a plugin as {tool_id}__{tool}.',
    'session.tools.anew':
      'What a session may call is judged at each call: a push, an uninstall and a closed window count at once.',
    'session.tools.args': 'Arguments of platform tools are checked, those of plugins forwarded verbatim.',
    'session.tools.storage': 'Storage tools keep to the rules and the space of storage.*.',
    'session.tools.web_fetch': 'web_fetch reads public URLs as text, a part at a time.',
  }),
  ...built('docs/reference/platform-tools.md', {
    'session.tools.files_read':
      'files_read reads text of the app, a part at a time, under the rules of files.*.',
  }),
  ...built('0035-tools-and-prompts-of-sessions', {
    'session.tools.cap': 'What a tool answers a model has a cap in bytes of JSON.',
    'session.tools.failure': 'A tool that fails is an error answer to the model.',
    'session.tools.abort': 'The end of a run ends its tool call, and each tool has a time of its own.',
    'host.config.platform_tools':
      'createHost({ platformTools }) adds tools; a name that is taken is refused.',
    'harness.grants.agent': 'The harness grants its apps the platform tools that they ask for.',
  }),
  ...built('0084-forbidden-tokens-in-prompts', {
    'decision.prompt.code': 'The refusal of a prompt names the length or the token, and how to put it right.',
    'decision.prompt.table': 'The forbidden tokens are one public table, and each of its tokens is found.',
    'decision.prompt.templates': 'Control tokens of the chat templates of well-known models are found.',
    'decision.prompt.turn_lines': 'A line that opens a turn after a blank line, or as a heading, is found.',
    'decision.prompt.fences': 'A fence with the name of a role is found.',
    'decision.prompt.role_tags': 'A tag with the name of a role is found.',
    'decision.prompt.folded':
      'Tokens are found whatever their width, their case and the format characters in them.',
    'decision.prompt.left': 'Percent-encoding, spaces inside and halves of a token are no tokens.',
    'decision.prompt.plain': 'Plain Markdown, headings, HTML, types and the bare names of roles are fine.',
  }),
  ...built('0086-handles-of-sessions-and-runs', {
    'session.client.metadata': 'The handle of a session tells its id, its ends and its idle time.',
  }),
  ...built('docs/reference/methods.md', {
    'session.kind': 'The kind of a session is agent or complete.',
    'session.submode': 'The submode of a session is auto, fixed or null.',
    'session.label': 'A session may have a label.',
    'session.fields': 'A session carries its fixed client, prompt, granted tools and whether it inherits.',
  }),
  ...built('0082-caps-and-tokens-of-sessions', {
    'session.count': 'A window may have any number of sessions; the quota of the account bounds them.',
  }),
  ...built('0086-handles-of-sessions-and-runs', {
    'session.times': 'The times of a session are ISO-8601 text.',
  }),
  ...built('0082-caps-and-tokens-of-sessions', {
    'session.quota_caps.stored': 'Caps are kept with the session and left out of lists.',
  }),
  ...built('0085-images-of-a-run', {
    'attachment.type': 'An attachment has one of six image types.',
  }),
  ...built('0036-urls-and-attachments', {
    'attachment.url': 'An attachment given by URL uses public HTTPS.',
  }),
  ...built('0085-images-of-a-run', {
    'attachment.data': 'An attachment given as data is base64 or a data: URI.',
    'attachment.either': 'An attachment has a URL or data, never both.',
    'attachment.optional': 'filename and detail of an attachment may be left out.',
  }),
  ...built('0033-a-session-ends-for-good', {
    'session.create.active': 'A session that its grant allows is active with a new id.',
    'session.slide': 'Each run or refresh moves the idle end, never past the longest life.',
    'session.expired.call': 'A call under a session that has ended fails APP_SESSION_EXPIRED with 410.',
    'session.expired.quota': 'An expired session takes no place in the quota.',
    'session.delete.cancels': 'delete cancels the runs under way and drops the token.',
    'session.delete.idempotent': 'delete of a deleted session succeeds.',
    'session.window_closed': 'Closing a window ends its sessions after a short grace.',
    'session.reaper': 'A reaper revokes expired sessions and frees their place.',
    'session.purge': 'A revoked session is deleted with its checkpoint about a day later.',
  }),
  ...built('docs/guides/sessions.md', {
    'session.revoked.visible': 'Until then include_expired still lists it.',
  }),
  ...built('0033-a-session-ends-for-good', {
    'session.refresh.ended': 'refresh of a session that has ended fails by how it ended.',
  }),
  ...built('0086-handles-of-sessions-and-runs', {
    'sdk.session.handle': 'The client gives a handle with run, cancel, history, delete and refresh.',
  }),
  ...built('docs/reference/methods.md', {
    'session.uuid.required': 'All session methods but create, catalog and list take app_session_uuid.',
    'session.list.app': 'list shows the sessions of the calling app only.',
    'session.aliases': 'The camelCase and snake_case aliases of arguments are taken.',
    'session.create.result': 'create answers the session with its grant and remaining life.',
    'session.list.result': 'list answers sessions without tokens, the newest first.',
    'session.delete.result': 'delete answers {deleted: true}.',
    'session.refresh.result': 'refresh answers the session with its ends and remaining lives.',
  }),
  ...built('docs/guides/sessions.md', {
    'session.create.submode': 'create without auto or fixed as submode is invalid_arg.',
    'session.create.submode.enabled': 'A submode that the manifest does not enable is permission_denied.',
    'session.create.fixed.id': 'fixed without fixed_client_id is invalid_arg.',
  }),
  ...built('0058-one-rule-for-every-way-to-a-tool', {
    'session.create.fixed.listed': 'A fixed_client_id outside a list that is not empty is permission_denied.',
    'session.create.fixed.any':
      'With an empty list of client_ids any plugin that the user has will do, and no other.',
  }),
  ...built('docs/guides/sessions.md', {
    'session.create.auto.ignores': 'auto ignores fixed_client_id.',
    'session.system_prompt.kept': 'A system prompt that create was given is kept by the session.',
  }),
  ...built('docs/reference/methods.md', {
    'session.system_prompt.legacy': 'system is read only where systemPrompt is absent.',
  }),
  ...built('0082-caps-and-tokens-of-sessions', {
    'session.caps.minimum': 'Caps are the smaller of what is asked and what the user granted.',
    'session.caps.default': 'Without any cap a call may use 4 096 tokens.',
  }),
  ...built('0012-clamp-or-reject', {
    'session.list.limit': 'list takes 50 by default, clamped to 1 to 100.',
  }),
  ...built('docs/reference/methods.md', {
    'session.list.expired': 'list shows ended sessions only with include_expired.',
    'session.refresh.cap': 'refresh never goes past max_lifetime_at and makes no new session.',
  }),
  ...built('0082-caps-and-tokens-of-sessions', {
    'session.token.remint': 'run, cancel and delete by id mint a lapsed token anew by themselves.',
  }),
  ...built('docs/reference/methods.md', {
    'session.create.new': 'Every create makes a new session.',
  }),
  ...built('0082-caps-and-tokens-of-sessions', {
    'wall.sessions.kept':
      'No app fills the store with sessions: active and ended ones are counted by app and by user.',
  }),
  ...built('0033-a-session-ends-for-good', {
    'wall.sessions.uninstalled': 'The sessions of an app end when its user uninstalls it.',
  }),
  ...built('0086-handles-of-sessions-and-runs', {
    'design.sdk.run':
      'Every reader of a run has all of it from the beginning; one that leaves, leaves the run alone.',
    'design.sdk.run.partial': 'What a cancelled or failed run had said is kept.',
  }),
  ...built('0038-reading-a-run-in-the-client', {
    'design.sdk.run.lost': 'That frames cannot be read any more is told apart from the end of a run.',
  }),
  ...built('0086-handles-of-sessions-and-runs', {
    'design.sdk.run.order': 'Listeners of one tick hear a run frame by frame.',
    'design.sdk.run.details': 'The error of a run has the details of its error frame.',
    'design.sdk.run.reload': 'A run is found, read and cancelled by its id after a reload.',
    'design.sdk.stream_text': 'A stream of llm.stream has the same handle.',
  }),
  ...built('0038-reading-a-run-in-the-client', {
    'design.sdk.on_demand': 'Sessions and runs are loaded when they are needed; a load that fails rejects.',
  }),
  ...built('0182-svc-in-workers', {
    'sdk.worker':
      'A worker has the svc of its document: calls, events, jobs, sessions, runs and the context.',
    'sdk.worker.errors': 'Errors have their class, code and fields in a worker, and from it in the document.',
    'sdk.worker.abort': 'The signals of a worker cancel its calls, jobs and runs.',
    'sdk.worker.ends': 'What a worker began is cancelled when the worker ends.',
    'sdk.worker.settles':
      'Every call to a worker settles when the worker ends, fails to load, or its document goes.',
    'sdk.worker.size': 'The svc of a worker takes 2.6 kB of it, with Comlink.',
    'sdk.worker.transfer': 'Both sides transfer, and pass functions.',
  }),
] as const
