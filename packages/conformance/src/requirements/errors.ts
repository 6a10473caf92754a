import { built } from './row.ts'

/** Error codes. Rows of the table stand for all codes; who answers them stands here by code. */
export const errors = [
  ...built('docs/reference/errors.md', {
    'errors.table': 'Every code of the protocol is a row of the error table.',
    'error.invalid_token': 'invalid_token: expired, badly signed or of another window.',
  }),
  ...built('0004-order-of-checks', {
    'error.permission_denied.method': 'permission_denied: the manifest does not list the method.',
  }),
  ...built('0013-access-and-drafts', {
    'error.permission_denied.tool': 'permission_denied: the tool is not one that the app may call.',
  }),
  ...built('docs/reference/errors.md', {
    'error.invalid_arg': 'invalid_arg: an argument is missing, empty, out of range or of the wrong type.',
    'error.not_found.window': 'not_found: the window is closed.',
  }),
  ...built('0010-storage', {
    'error.not_found.key': 'not_found: there is no such storage key.',
  }),
  ...built('docs/reference/errors.md', {
    'error.agent_unavailable': 'agent_unavailable: no runner of the user can be reached.',
  }),
  ...built('docs/reference/stdio.md', {
    'error.plug_error': 'plug_error: the plugin answered an error or ended.',
    'error.plug_unavailable': 'plug_unavailable: there is no valid reply of the plugin.',
    'error.tool_failed': 'tool_failed: the plugin reports a failure, told in details.error.',
    'error.tool_timeout': 'tool_timeout: the call took longer than its effective timeout.',
  }),
  ...built('0007-caps-are-bytes', {
    'error.result_too_large': 'result_too_large: over the cap; details tell size, cap and retriable: false.',
  }),
  ...built('docs/reference/stdio.md', {
    'error.frame_too_large': 'frame_too_large: a line over 16 MiB; its size and the cap are told.',
  }),
  ...built('0025-when-a-process-is-used-again', {
    'error.frame_too_large.serves_on': 'After a line that was too large the next call is served.',
  }),
  ...built('0013-access-and-drafts', {
    'error.bundle_not_ready': 'bundle_not_ready: open_view leads to a bundle that is not there yet.',
  }),
  ...built('0017-lanes-and-batches', {
    'error.rate_limited': 'rate_limited: too many calls of the window are in flight.',
  }),
  ...built('0007-caps-are-bytes', {
    'error.state_too_large': 'state_too_large: the window state would be over 256 KB.',
  }),
  ...built('0010-storage', {
    'error.precondition_failed': 'precondition_failed: if_match does not fit.',
  }),
  ...built('0004-order-of-checks', {
    'error.not_implemented.stub': 'not_implemented: the method is a stub.',
    'error.not_implemented.unwired': 'not_implemented: this host does not serve the method.',
  }),
  ...built('0003-envelope-and-id', {
    'error.internal_error': 'internal_error: whatever else went wrong, without a word of its cause.',
  }),
  ...built('docs/guides/sessions.md', {
    'error.permission_denied.submode': 'permission_denied: the submode is not enabled.',
  }),
  ...built('0058-one-rule-for-every-way-to-a-tool', {
    'error.permission_denied.client': 'permission_denied: the fixed client is not in the list.',
  }),
  ...built('0080-which-model-a-call-gets', {
    'error.invalid_arg.role': 'invalid_arg: a message has a bad role or there is none.',
  }),
  ...built('0030-quotas-by-day', {
    'error.quota_exceeded': 'quota_exceeded: the user or app has used up what a day allows.',
  }),
  ...built('0004-order-of-checks', {
    'error.permission_denied.grant': 'permission_denied: a grant of the install is off.',
  }),
  ...built('0031-files-and-uploads', {
    'error.quota_exceeded.files': 'quota_exceeded: the app or user keeps as many files as it may.',
  }),
  ...built('0089-times-and-files-of-subcalls', {
    'error.subcall_timeout': 'subcall_timeout: a request of the plugin timed out; details.subcall names it.',
  }),
  ...built('docs/guides/jobs.md', {
    'error.invalid_arg.async_args': 'invalid_arg: the arguments of a job are over 64 KB.',
    'error.tool_timeout.job': 'tool_timeout: the deadline of a job has passed.',
    'error.job_quota_exceeded': 'job_quota_exceeded: the user has five active jobs.',
  }),
  ...built('0028-jobs-and-the-hosts-that-hold-them', {
    'error.long_job_capacity': 'long_job_capacity: the places for jobs are taken; later may be better.',
  }),
  ...built('0027-a-job-ends-once', {
    'error.job_not_found': 'job_not_found: no such job for this user.',
  }),
  ...built('docs/reference/errors.md', {
    'errors.session.numbers': 'The three numbered session errors have their number and HTTP status.',
    'errors.session.names': 'The further names of session errors are rows of the error table.',
  }),
  ...built('0039-sessions-over-http', {
    'errors.session.by_name':
      'The body of a session error carries its name, so that nobody needs the number.',
    'error.session_token_expired': 'A lapsed token of a session that lives is APP_SESSION_TOKEN_EXPIRED.',
    'error.session_expired':
      'After delete or eviction a cached token is session_expired, and so is one whose session is gone.',
  }),
  ...built('docs/guides/sessions.md', {
    'error.session_not_found': 'A session that never was is APP_SESSION_NOT_FOUND.',
  }),
  ...built('docs/guides/models.md', {
    'error.completion.class': 'Errors of a completion are thrown as HostRpcError with their code.',
  }),
] as const
