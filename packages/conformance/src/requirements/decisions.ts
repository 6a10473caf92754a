import { built } from './row.ts'

/** Rulings on races and edges. */
export const decisions = [
  ...built('0153-text-of-others', {
    'text.visible':
      'What nobody sees in a text of others is escaped or left out, and what a language needs stays.',
    'text.terminal': 'No text of others reaches a terminal raw, or begins a line of its own there.',
    'text.title':
      'Titles on the page and in its tab hold nothing unseen, and the tab says whose words they are.',
    'text.tool_name': 'A plugin that describes a tool with a name of other characters is plug_unavailable.',
  }),
  ...built('0027-a-job-ends-once', {
    'decision.job.one_end': 'A job ends once, whatever races.',
    'decision.job.winner_tells': 'Who ends a job sends the one terminal event, last of all.',
    'decision.job.silent_losers': 'Who comes too late to end a job changes nothing.',
    'decision.cancel.wins':
      'A result after the cancel is dropped, and the error is cancelled with the reason.',
    'decision.cancel.loses': 'A cancel after the end answers how it ended and cancelled: false.',
    'decision.cancel.twice': 'A second cancel is cancelled: false.',
    'decision.deadline.late_result': 'A result at the deadline or later is expired, sweeper or not.',
    'decision.deadline.before_reading': 'getJob, listJobs and the quota apply expiry first.',
    'decision.job.deadline':
      'The deadline of a job is its creation and its timeout, the queue included; its plugin reads that number.',
  }),
  ...built('0006-timeouts-and-deadlines', {
    'decision.deadline.without_grace': 'The deadline that a plugin reads leaves the grace out.',
    'decision.grace.success': 'A reply inside the grace is a success.',
  }),
  ...built('0012-clamp-or-reject', {
    'decision.timeout.async':
      'Any integer as timeoutMs of a job is moved into the range, nothing else is taken.',
  }),
  ...built('0006-timeouts-and-deadlines', {
    'decision.timeout.safe_integer': 'A timeoutMs that is not a safe integer is invalid_arg.',
    'decision.timeout.declared_clamped':
      'A declared timeout is moved into 1 to 90 s; rubbish there is ignored.',
    'decision.timeout.job_details': 'A job whose timeout was moved tells so as it expires, and no other.',
    'decision.timeout.details_only_clamped': 'Timeout details come only when the caller asked for too much.',
  }),
  ...built('0008-a-process-per-call', {
    'decision.kill.alone': 'Killing one call harms no other.',
  }),
  ...built('0006-timeouts-and-deadlines', {
    'decision.pool.wait_counts': 'Waiting for a free process counts against the deadline of a call.',
  }),
  ...built('0008-a-process-per-call', {
    'decision.pool.never_free': 'A call that never got a process is plug_unavailable and retriable.',
  }),
  ...built('0028-jobs-and-the-hosts-that-hold-them', {
    'decision.host_crash.running':
      'A job that ran on a dead host fails within 5 s, retriable, and is not run again.',
    'decision.host_crash.waiting': 'A job that waited at a dead host is run by one that has its plugin.',
    'decision.host_crash.fenced': 'What a host writes after others took it for dead is refused.',
    'decision.host_crash.closed': 'A host that closes fails what runs and leaves what waits.',
    'decision.capacity.atomic': 'Of 50 jobs at once exactly as many are accepted as the user may have.',
    'decision.capacity.fifo': 'Jobs past the running ones wait, first come first served.',
    'decision.capacity.queue_full':
      'Past the queue a job is long_job_capacity, retryable, and leaves no row.',
    'decision.capacity.strict': 'With a queue of 0 the job after the running ones is refused.',
  }),
  ...built('0007-caps-are-bytes', {
    'decision.caps.async': 'Arguments of a job of exactly 64 KB and results of exactly 256 KB pass.',
    'decision.caps.exact': 'Exactly the cap passes, one byte more does not.',
    'decision.caps.sync_args': 'Arguments over 4 MiB of a sync call are invalid_arg.',
  }),
  ...built('docs/guides/jobs.md', {
    'decision.progress.numbers': 'Progress counts from 1 without holes; lastSeq is the last one given.',
    'decision.progress.dropped': 'Dropped progress gets no number and is counted.',
    'decision.progress.hole': 'Where old progress is gone the first seq shows it.',
  }),
  ...built('docs/reference/methods.md', {
    'decision.progress.since': 'sinceSeq past the end is empty; negative or fractional it is invalid_arg.',
  }),
  ...built('0027-a-job-ends-once', {
    'decision.progress.after_end': 'Progress after the end is dropped.',
  }),
  ...built('docs/reference/events.md', {
    'decision.tool_job.events':
      'tool_job tells queued, running, progress and the terminal state, with the last seq.',
  }),
  ...built('0027-a-job-ends-once', {
    'decision.tool_job.last': 'Nothing comes after terminal: true.',
  }),
  ...built('docs/guides/jobs.md', {
    'decision.tool_job.windows': "tool_job goes to the user's open windows of the app and to no other.",
  }),
  ...built('0012-clamp-or-reject', {
    'decision.reject_ranges': 'A range that is not said to be clamped is refused, not clamped.',
    'decision.title.visible': 'A title of white space or invisible characters is refused.',
  }),
  ...built('docs/reference/methods.md', {
    'decision.list_jobs.since': 'since reaches back seven days at most.',
    'decision.list_jobs.order': 'Newest first, and the higher id first among those of one moment.',
    'decision.list_jobs.truncated': 'truncated says that one more existed.',
  }),
  ...built('0012-clamp-or-reject', {
    'decision.list_jobs.rejects':
      'A date without offset, an empty array and an unknown state are invalid_arg.',
  }),
  ...built('0027-a-job-ends-once', {
    'decision.job.owner': 'Another app of the same user gets job_not_found.',
  }),
  ...built('0005-tool-ids-and-payloads', {
    'decision.tool_id.first_separator': 'The separator that comes first splits a tool_id.',
    'decision.tool_id.empty_half': 'A tool_id with an empty half is invalid_arg.',
    'decision.tool_id.whole_with_method': 'With method a tool_id is taken whole, separators included.',
    'decision.payload.forced': 'Nothing becomes {}, a list or scalar becomes {value}.',
    'decision.reply.no_object': 'A reply that is not an object is plug_unavailable.',
  }),
  ...built('docs/reference/stdio.md', {
    'decision.runner.none': 'Without a runner online a tool call is agent_unavailable.',
  }),
  ...built('0044-jobs-and-runners', {
    'decision.runner.none_async': 'Without a runner online a job is agent_unavailable and leaves no row.',
    'decision.runner.job_bound':
      'A job is bound to the online runner with the fewest busy places that has its plugin ready, then to the oldest.',
    'decision.runner.job_lost':
      'Jobs that run on a link which is lost fail with agent_unavailable within 5 s.',
    'decision.runner.job_waits': 'Jobs that wait for a runner which went wait on, until their deadline.',
    'decision.runner.job_back': 'They start when it is back, on whichever host, first come first served.',
    'decision.runner.job_fenced':
      'What a link answers that was lost or displaced ends no job, and none starts twice.',
    'decision.runner.job_revoked': 'Jobs of a runner that was revoked fail at once.',
  }),
  ...built('0009-lines', {
    'decision.lines.lf_only': 'Lines are split at the line feed alone.',
    'decision.lines.cap': 'A line has a cap; past it nothing of it is held.',
    'decision.lines.cost': 'Splitting copies each byte once at most, and those that come in crumbs twice.',
    'decision.lines.noise': 'A line that is not JSON is counted and harms nothing.',
    'decision.lines.mark': 'A byte order mark at the beginning of a line is left out.',
    'decision.lines.id_type': 'Ids are compared with their type.',
    'decision.lines.unknown_id': 'An answer to an unknown id is dropped.',
    'decision.lines.backpressure': 'stdout is paused while its reader lags.',
  }),
  ...built('0169-what-a-model-gets-of-a-tool', {
    'run.tools.output':
      'A model gets text of a tool as text, images as images where it sees them, structured content once, of all else a line.',
    'run.tools.names':
      'A model calls a tool of a plugin {handle}__{tool}, in at most 64 characters that each server takes.',
    'run.tools.instructions':
      'A model gets what a plugin says of its tools once, bounded and marked as text of that plugin.',
  }),
  ...built('0171-lines-that-are-meant', {
    'decision.lines.meant':
      'A line that is meant as the answer and cannot be read fails its call at once, with the cause.',
  }),
  ...built('0033-a-session-ends-for-good', {
    'decision.session.expired_kept': 'An expired session reads as expired for a day before it is revoked.',
    'decision.session.one_update':
      'Whatever a refresh, an end, a sweeper and a delete race for, a session that has ended is never active again.',
    'decision.session.run_spares': 'The idle end spares a session with a run under way.',
    'decision.session.hard_cap': 'The longest life ends a session and cancels its runs.',
    'decision.delete.always':
      'delete is done for own, expired, revoked, purged, unknown and foreign sessions, the last without effect.',
    'decision.delete.after': 'After delete a session is revoked until it is purged, and then there is none.',
  }),
  ...built('0030-quotas-by-day', {
    'decision.session.runs_per_day': 'The runs of a session are counted by the day of UTC.',
  }),
  ...built('0081-types-of-files', {
    'decision.files.svg': 'An SVG must begin as one and is never served inline.',
  }),
  ...built('0031-files-and-uploads', {
    'decision.upload.ten_minutes': 'An upload URL takes bytes for ten minutes, sweep or not.',
    'decision.upload.one_put': 'Of all PUTs of an upload one is taken.',
    'decision.upload.refused_stays_open': 'A PUT that is refused leaves the upload open for its time.',
    'decision.upload.owner': 'A file_ref works for its user in its app; elsewhere it reads as none.',
    'decision.upload.swept': 'An upload that is not confirmed in time goes, with its bytes.',
    'decision.upload.caps': 'Files and their bytes are capped by app and by user, uploads under way too.',
    'decision.upload.uninstalled': 'The files of an app go when its user uninstalls it.',
  }),
  ...built('0010-storage', {
    'decision.storage.missing': 'get and delete of a missing key are not_found.',
    'decision.storage.if_match.string': 'if_match is compared exactly; anything but a string is invalid_arg.',
    'decision.storage.if_match.star': 'if_match * asks that the key exists.',
    'decision.storage.if_match.missing': 'if_match on a missing key is precondition_failed.',
    'decision.storage.generation': 'Generations go on after a delete.',
  }),
  ...built('docs/reference/methods.md', {
    'decision.storage.ttl': 'ttl_seconds is 1 to 31 536 000, and the value is gone after it.',
  }),
  ...built('0010-storage', {
    'decision.storage.keys': 'Keys have 1 to 1 024 characters, any Unicode but NUL.',
    'decision.storage.prefix': 'A prefix has no wildcards.',
  }),
  ...built('0007-caps-are-bytes', {
    'decision.storage.state_after_write':
      'The cap of the window state is judged after the write; shrinking is allowed.',
  }),
  ...built('0011-windows-and-their-tokens', {
    'decision.token.skew': 'The clock of a token may be off by two seconds and no more.',
    'decision.window.closed_by_state': 'A closed window refuses its calls while its token still lives.',
    'decision.window.stale': 'A window silent for five minutes is stale and its next call wakes it.',
    'decision.window.silent_close': 'A window silent for a day is closed.',
  }),
  ...built('0033-a-session-ends-for-good', {
    'decision.window.sessions_grace': 'Half a minute after its close the sessions of a window are revoked.',
  }),
  ...built('0003-envelope-and-id', {
    'decision.envelope.id_length': 'An id over 256 characters or that is no string is answered as "".',
    'decision.envelope.token_first': 'A call refused on its token is answered under "", its body unread.',
    'decision.envelope.malformed': 'Malformed JSON under a bad token is invalid_token.',
    'decision.envelope.cap': 'A body over its cap is invalid_arg with 413.',
    'decision.envelope.depth': 'Depth is counted from the root of the body.',
  }),
  ...built('0013-access-and-drafts', {
    'decision.acl.next_call': 'The call after a push of the draft sees the new manifest.',
  }),
  ...built('0004-order-of-checks', {
    'decision.tools.admitted': 'tools.* is admitted by a declared plug or by host_api.tools.',
    'decision.window.unknown': 'An unknown method of window is not_implemented.',
    'decision.stub.undeclared':
      'A stub that is not declared is permission_denied, a declared one not_implemented.',
  }),
  ...built('0012-clamp-or-reject', {
    'decision.chat.no_artifact': 'append_artifact without an object artifact is invalid_arg.',
    'decision.chat.dropped': 'Arguments beside artifact are dropped.',
  }),
  ...built('0010-storage', {
    'decision.storage.window_owner': 'In the window state a value belongs to its window.',
    'decision.storage.app_owner': 'In the persistent store values of an app are kept apart by user.',
    'decision.storage.shared': 'The scope shared is one space for all users and needs its grant.',
  }),
  ...built('0013-access-and-drafts', {
    'decision.draft.with_files': 'A draft that has its files opens.',
  }),
  ...built('docs/guides/sessions.md', {
    'decision.session.unknown': 'An unknown or foreign session is APP_SESSION_NOT_FOUND.',
  }),
  ...built('0028-jobs-and-the-hosts-that-hold-them', {
    'decision.capacity.order': "The user's quota is judged before the runner's capacity.",
    'decision.capacity.by_user': 'The runner of the host counts its places for each user.',
  }),
  ...built('0044-jobs-and-runners', {
    'decision.capacity.by_runner': 'Each runner of a user has places and a queue of its own.',
  }),
  ...built('0013-access-and-drafts', {
    'decision.draft.without_entry': 'A pushed manifest without its entry file is bundle_not_ready.',
  }),
  ...built('0020-one-event-stream', {
    'decision.events.foreign_cursor': 'An unknown, foreign or malformed cursor is answered with reset.',
    'decision.events.kept': 'The journal of a user keeps 10 000 events, for five minutes at least.',
  }),
  ...built('0092-records-of-plugins', {
    'decision.ids.from_store':
      'What an app or a plugin says of its id, its owner and its grants counts for nothing.',
  }),
] as const
