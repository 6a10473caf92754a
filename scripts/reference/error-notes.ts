import type { ErrorCode } from '../../packages/contract/src/index.ts'
import type { ClientErrorCode } from '../../packages/contract/src/wire/wire.ts'

/** What the page of errors says of a code: when it comes, what to do then, and a message with its details. */
export interface ErrorNote {
  readonly when: string
  readonly fix: string
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** Of the codes that a host sends. */
export const errorNotes: Readonly<Record<ErrorCode, ErrorNote>> = {
  invalid_token: {
    when: 'The user is not signed in at the host, the session of the page has ended, or the token of the window is of another window or has lapsed.',
    fix: 'Sign in again and reload the page. The bridge renews the tokens of windows by itself: if it happens again and again, look at `authenticate` of the host and at the clocks of its machines.',
    message: 'window_uuid is not the window of this token',
  },
  permission_denied: {
    when: '`details.denied_by` says which check refused: `manifest` (the app does not declare the method, or the tool), or `grant` (the user has not granted it). After a question to the user (`grant`, `approval`) the message and `details.hint` are sentences for the user; what helps the author of an app or page is `details.author_hint`.',
    fix: 'Add the line of the hint to `public/manifest.json`, or install the app with the grant that the hint names.',
    message: 'storage.set is not allowed for this app',
    details: { denied_by: 'manifest', hint: 'Add "set" to ui.host_api.storage in the manifest.' },
  },
  invalid_arg: {
    when: 'An argument is missing, has the wrong type or is past a limit. `details.path` names it.',
    fix: 'Correct the argument. [Methods](methods.md) has the arguments of each method, [limits](limits.md) the numbers.',
    message: 'timeoutMs must be at least 1000, got 200',
    details: { path: 'timeoutMs' },
  },
  not_found: {
    when: 'The window is closed, the key is not stored, or the thing is of somebody else: the host does not tell these apart.',
    fix: 'Check the id. For a stored value, treat it as empty. For a closed window, open a new one.',
    message: 'this window is closed',
  },
  conflict: {
    when: 'What should be made is there already, or somebody else changed it in between.',
    fix: 'Read it again and decide anew, or choose another name.',
    message: 'another draft was pushed meanwhile',
    details: { hint: 'Release again.' },
  },
  agent_unavailable: {
    when: 'No machine that is online has the plugin, the machine went away during the call, or the host is closing. Whether a tool that had started had an effect is not known.',
    fix: 'Start the runner of the user (`svc runner`), and call again when calling twice does no harm.',
    message: 'no runner of this user has the plugin "csv-stats"',
  },
  plug_error: {
    when: 'The plugin returned a JSON-RPC error, or its process ended before it answered. `details` has the exit code and the end of what it wrote to stderr.',
    fix: 'With `details.code` -32602 the plugin refused the arguments: if the message is about one of them, correct the call. Else correct the plugin: `svc plug check` says what it does wrong, and `svc plug call` runs one tool in the terminal.',
    message: 'The plugin answered with an error: city is required and must be a string',
    details: {
      code: -32_602,
      message: 'city is required and must be a string',
      hint: 'If the message is about an argument, correct the arguments of the call; if not, correct the plugin.',
    },
  },
  plug_unavailable: {
    when: 'The plugin cannot be started or installed, does not describe itself, or gives a reply that is not one.',
    fix: 'Run `svc plug check` against it. If `details.retriable` is true, call again later.',
    message: 'the plugin "csv-stats" cannot be started: there is no node on PATH',
  },
  tool_failed: {
    when: 'The tool ran and reported a failure by itself (`{success: false, error}`).',
    fix: '`message` has what the tool says. Show it, or call again with other arguments.',
    message: 'there is no city of that name',
  },
  tool_timeout: {
    when: 'The tool did not return within `timeoutMs`, or a job not until its deadline. The host has stopped it.',
    fix: 'Ask for less, raise `timeoutMs` up to 90 seconds, or call it [as a job](../guides/jobs.md), which may take a day.',
    message: 'describe_csv did not answer in 65000 ms.',
  },
  subcall_timeout: {
    when: 'While the tool ran, what it asked of the host took too long. `details.subcall` names the channel: storage, image, upload.',
    fix: 'Call again later. In the plugin, catch the error of the request and go on without its answer.',
    message: 'The tool failed because its upload took too long.',
    details: { subcall: 'upload' },
  },
  result_too_large: {
    when: 'The result has more bytes of JSON than its channel carries: 4 MiB for a call, 256 KB for a job.',
    fix: 'Let the tool return one page of the result, or upload a file to the host and return its reference.',
    message: 'the result must be at most 262144 bytes of JSON, got 300000',
    details: { size: 300_000, max: 262_144, retriable: false },
  },
  frame_too_large: {
    when: 'The plugin wrote a line of more than 16 MiB to stdout.',
    fix: 'Write shorter lines: return less, or upload a file.',
    message: 'A line must be at most 16777216 bytes, got 20000000.',
    details: { frame_bytes: 20_000_000, max_frame_bytes: 16_777_216 },
  },
  bundle_not_ready: {
    when: 'The app has no pushed bundle with the entry file of its manifest, or nothing that could be released.',
    fix: 'Push the app (`svc app push`), and check `ui.bundle.entry`.',
    message: 'the entry file "index.html" has not been pushed yet',
  },
  rate_limited: {
    when: 'A window has 64 calls in flight, or a user or an app sent more requests in a time than the host takes.',
    fix: 'Wait for `details.retry_after_ms`, or for a call to end. Send fewer at once.',
    message: 'a window may have 64 calls in flight',
    details: { hint: 'Wait for an answer before sending the next call.' },
  },
  state_too_large: {
    when: 'With this value, what the window has stored would be over 256 KiB.',
    fix: 'Delete keys, or write large things as [files](../guides/files.md).',
    message: 'the window state may have 262144 bytes, with this value it has 300000',
    details: { size: 300_000, max: 262_144 },
  },
  precondition_failed: {
    when: 'Another window or page changed the value after you read it: its etag is not the one in `if_match`.',
    fix: 'Read the value again, merge, and set it with the new etag.',
    message: 'the value is not the one that if_match names',
    details: { etag: '"3f2a"' },
  },
  not_implemented: {
    when: 'The method is a stub, the host is too old for it, or its operator has not configured it: models, image models, search.',
    fix: 'Ask `svc.supports(name)` first, and hide what is missing. For a host of your own, see [what to configure](../guides/run-a-host.md).',
    message: 'this host has no image model',
  },
  quota_exceeded: {
    when: 'The user or the app has used up what the operator allows: tokens a day, windows, apps, files, machines.',
    fix: 'Free something, wait for the next day, or ask the operator for more.',
    message: 'a user may have 100 windows open',
    details: { max: 100, hint: 'Close one first.' },
  },
  job_quota_exceeded: {
    when: 'The user has as many jobs that have not ended as one may have.',
    fix: 'Wait until one has ended, or cancel one. `svc.tools.listJobs` has them.',
    message: 'a user may have 5 jobs that have not ended',
    details: { max: 5, hint: 'Wait until one has ended, or cancel one.' },
  },
  long_job_capacity: {
    when: 'The machine runs as many jobs as it can, and its queue is full.',
    fix: 'Try again when a job has ended, or enrol another [machine](../guides/runners.md).',
    message: 'the runner runs 3 jobs and lets 16 wait',
    details: { hint: 'Try again when a job has ended.' },
  },
  job_not_found: {
    when: 'No job has that id, it is of another user, or it ended so long ago that the host has forgotten it.',
    fix: 'Check the id. `svc.tools.listJobs` has the jobs of the last days.',
    message: 'There is no such job for this caller.',
  },
  storage_unavailable: {
    when: 'The disk is full, or the database of the host cannot be reached. Nothing was written.',
    fix: 'Try again in a moment. As the operator, read the log and `/readyz`.',
    message: 'The host cannot read or write its data just now.',
    details: {
      hint: 'Try again in a moment. The operator sees why in the log, and under /readyz.',
    },
  },
  internal_error: {
    when: 'A defect of the host. The caller is told nothing of its cause.',
    fix: 'Find the cause in the log of the host, at the time of the call, and report it.',
    message: 'Something went wrong in the host. It has been logged.',
  },
  cancelled: {
    when: 'The call was given up: its `signal` was aborted, its job was cancelled, or its document is gone.',
    fix: 'Nothing, if you cancelled it. Else call again.',
    message: 'It was cancelled.',
  },
  no_content_changes: {
    when: 'A new version has the same content as the last one.',
    fix: 'Change something first, or keep the version that there is.',
    message: 'There are no content changes since the last published version.',
  },
  draft_expired: {
    when: 'A minted draft of a plugin was not committed within 24 hours.',
    fix: 'Mint a new draft and commit it; `svc plug publish` does both.',
    message: 'the draft expired at 2026-01-02T00:00:00.000Z',
  },
  APP_SESSION_EXPIRED: {
    when: 'Nobody used the session for its idle time, or its longest life is over.',
    fix: 'Create a new session. Its history is not lost where you kept it.',
    message: 'The session has ended; create a new one.',
  },
  APP_SESSION_TOKEN_EXPIRED: {
    when: 'The token of the session has lapsed. The session itself lives.',
    fix: 'Call `session.refresh`, or call again by the uuid: the client gets a new token by itself.',
    message: 'The session token has lapsed; refresh it.',
  },
  APP_SESSION_REVOKED: {
    when: 'The session was deleted, or its access was taken away.',
    fix: 'Create a new session.',
    message: 'The session was deleted; create a new one.',
  },
  APP_SESSION_NOT_FOUND: {
    when: 'No session has that uuid, or it is of another user or app.',
    fix: 'Check the uuid that you kept. `svc.agent.session.list` has the sessions that are there.',
    message: 'There is no such session for this caller.',
  },
  session_expired: {
    when: 'The session of a token is gone, or the app of the session is not installed any more.',
    fix: 'Create a new session.',
    message: 'The session of this token is gone.',
  },
  APP_QUOTA_EXCEEDED: {
    when: 'A cap of the session or of the user is used up: runs a day, runs at once, tokens, attachments, sessions.',
    fix: 'Wait for the other run or for the next day, end sessions that are not needed, or ask the operator for more.',
    message: 'a user may have 50 active sessions',
  },
  APP_MODEL_NOT_VISION_CAPABLE: {
    when: 'The run has images, and the model that was chosen does not accept any. No other model is taken in its place.',
    fix: 'Leave the images out, or prefer a model that sees with `modelPreferences`.',
    message: 'The chosen model does not accept images.',
  },
  APP_INVALID_REQUEST: {
    when: 'The system prompt is too long, or a text has [tokens that are forbidden](prompt-tokens.md).',
    fix: 'Shorten the prompt, or take the tokens out.',
    message: 'The request is not one that a session takes.',
  },
}

/** Of the codes that the client, or the bridge in the page, makes itself. */
export const clientNotes: Readonly<Record<ClientErrorCode, ErrorNote>> = {
  timeout: {
    when: 'No answer came within `timeoutMs` of the call. The host may still be working on it.',
    fix: 'Raise `timeoutMs`. Call again if calling twice does no harm.',
    message: 'storage.get got no answer in 30000 ms',
  },
  bridge_reset: {
    when: 'The document was reloaded, or its window was taken out of the page, while the call waited. The call may have run.',
    fix: 'Ask what became of it (`svc.tools.getJob`, `svc.storage.get`) before you call again.',
    message: 'the document was reloaded',
  },
  not_hosted: {
    when: 'The document was opened by itself and not in a window of a page with a bridge.',
    fix: 'Open the app through its host: `npm start -- my-app`, or `svc dev my-app`.',
    message: 'no page around this document answers',
  },
  host_unreachable: {
    when: 'The page could not reach the host: the network, a proxy, or the host is down.',
    fix: 'Try again; the bridge reconnects by itself. `curl HOST/readyz` says whether the host is up. A 404 comes from another server: `baseUrl` of `createBridge` must be the address of the host, with its base path. Without `retriable`, a sign-in page or a proxy answered for good.',
    message: 'what answered at https://host.site/api/v1/svc-apps/windows is not the host: HTTP 502',
    details: { http_status: 502, url: 'https://host.site/api/v1/svc-apps/windows', retriable: true },
  },
  wait_timeout: {
    when: 'The time that you wanted to wait for a job is over. The job goes on.',
    fix: 'Wait again with `svc.tools.job(jobId)`: `details.jobId` names it.',
    message: 'the job had not ended after 60000 ms',
  },
  stream_gap: {
    when: 'Frames of a run are missing, and the host has them no more. The run may go on.',
    fix: 'Read the history of the session: it has the whole reply when the run has ended.',
    message: 'frames of this run are missing',
  },
  load_failed: {
    when: 'A part of the client, or the document of a window, could not be loaded. `details.reason` of a window is `csp`, `coep`, `framing`, `policy`, `mixed`, `foreign`, `http`, `filtered`, `unreachable`, `script`, `closed`, `timeout` or `blocked`.',
    fix: 'Its `hint` has the line to change. For a part of the client, try again.',
    message: 'the window could not be loaded',
    details: { reason: 'csp' },
  },
}
