import { built } from './row.ts'

/** Error codes. Rows of the table stand for all codes; who answers them stands here by code. */
export const errors = [
  ...built('7.1', {
    'errors.table': 'Every code of the spec is a row of the error table.',
    'error.invalid_token': 'invalid_token: expired, badly signed or of another window.',
    'error.permission_denied.method': 'permission_denied: the manifest does not list the method.',
    'error.permission_denied.tool': 'permission_denied: the tool is not one that the app may call.',
    'error.invalid_arg': 'invalid_arg: an argument is missing, empty, out of range or of the wrong type.',
    'error.not_found.window': 'not_found: the window is closed.',
    'error.not_found.key': 'not_found: there is no such storage key.',
    'error.agent_unavailable': 'agent_unavailable: no runner of the user can be reached.',
    'error.plug_error': 'plug_error: the plugin answered an error or ended.',
    'error.plug_unavailable': 'plug_unavailable: there is no valid reply of the plugin.',
    'error.tool_failed': 'tool_failed: the plugin reports a failure, told in details.error.',
    'error.tool_timeout': 'tool_timeout: the call took longer than its effective timeout.',
    'error.result_too_large': 'result_too_large: over the cap; details tell size, cap and retriable: false.',
    'error.frame_too_large': 'frame_too_large: a line over 16 MiB; its size and the cap are told.',
    'error.frame_too_large.serves_on': 'After a line that was too large the next call is served.',
    'error.bundle_not_ready': 'bundle_not_ready: open_view leads to a bundle that is not there yet.',
    'error.rate_limited': 'rate_limited: too many calls of the window are in flight.',
    'error.state_too_large': 'state_too_large: the window state would be over 256 KB.',
    'error.precondition_failed': 'precondition_failed: if_match does not fit.',
    'error.not_implemented.stub': 'not_implemented: the method is a stub.',
    'error.not_implemented.unwired': 'not_implemented: this host does not serve the method.',
    'error.internal_error': 'internal_error: whatever else went wrong, without a word of its cause.',
  }),
  ...built('7.1', {
    'error.permission_denied.submode': 'permission_denied: the submode is not enabled.',
    'error.permission_denied.client': 'permission_denied: the fixed client is not in the list.',
  }),
  ...built('7.1', {
    'error.invalid_arg.role': 'invalid_arg: a message has a bad role or there is none.',
    'error.quota_exceeded': 'quota_exceeded: the user or app has used up what a day allows.',
  }),
  ...built('7.1', {
    'error.permission_denied.grant': 'permission_denied: a grant of the install is off.',
    'error.quota_exceeded.files': 'quota_exceeded: the app or user keeps as many files as it may.',
  }),
  ...built('7.1', {
    'error.subcall_timeout': 'subcall_timeout: a request of the plugin timed out; details.subcall names it.',
  }),
  ...built('7.1', {
    'error.invalid_arg.async_args': 'invalid_arg: the arguments of a job are over 64 KB.',
    'error.tool_timeout.job': 'tool_timeout: the deadline of a job has passed.',
    'error.job_quota_exceeded': 'job_quota_exceeded: the user has five active jobs.',
    'error.long_job_capacity': 'long_job_capacity: the places for jobs are taken; later may be better.',
    'error.job_not_found': 'job_not_found: no such job for this user.',
  }),
  ...built('7.2', {
    'errors.session.numbers': 'The three numbered session errors have their number and HTTP status.',
    'errors.session.names': 'The further names of session errors are rows of the error table.',
    'errors.session.by_name':
      'The body of a session error carries its name, so that nobody needs the number.',
  }),
  ...built('7.2', {
    'error.session_token_expired': 'A lapsed token of a session that lives is APP_SESSION_TOKEN_EXPIRED.',
    'error.session_expired':
      'After delete or eviction a cached token is session_expired, and so is one whose session is gone.',
  }),
  ...built('7.2', {
    'error.session_not_found': 'A session that never was is APP_SESSION_NOT_FOUND.',
  }),
  ...built('7.2', {
    'error.completion.class': 'Errors of a completion are thrown as HostRpcError with their code.',
  }),
] as const
