import { built } from './row.ts'

/** Rulings on races and edges that stand so far. */
export const decisions = [
  ...built('decision 4', {
    'decision.deadline.without_grace': 'The deadline that a plugin reads leaves the grace out.',
    'decision.grace.success': 'A reply inside the grace is a success.',
  }),
  ...built('decision 5', {
    'decision.timeout.safe_integer': 'A timeoutMs that is no safe integer is invalid_arg.',
    'decision.timeout.declared_clamped':
      'A declared timeout is moved into 1 to 90 s; rubbish there is ignored.',
  }),
  ...built('decision 6', {
    'decision.timeout.details_only_clamped': 'Timeout details come only when the caller asked for too much.',
  }),
  ...built('decision 7', {
    'decision.kill.alone': 'Killing one call harms no other.',
    'decision.pool.wait_counts': 'Waiting for a free process counts against the deadline of a call.',
    'decision.pool.never_free': 'A call that never got a process is plug_unavailable and retriable.',
  }),
  ...built('decision 10', {
    'decision.caps.exact': 'Exactly the cap passes, one byte more does not.',
    'decision.caps.sync_args': 'Arguments over 4 MiB of a sync call are invalid_arg.',
  }),
  ...built('decision 13', {
    'decision.reject_ranges': 'A range that the spec does not call clamped is refused, not clamped.',
    'decision.title.visible': 'A title of white space or invisible characters is refused.',
  }),
  ...built('decision 17', {
    'decision.tool_id.first_separator': 'The separator that comes first splits a tool_id.',
    'decision.tool_id.empty_half': 'A tool_id with an empty half is invalid_arg.',
    'decision.tool_id.whole_with_method': 'With method a tool_id is taken whole, separators included.',
  }),
  ...built('decision 18', {
    'decision.payload.forced': 'Nothing becomes {}, a list or scalar becomes {value}.',
    'decision.reply.no_object': 'A reply that is no object is plug_unavailable.',
  }),
  ...built('decision 19', {
    'decision.runner.none': 'Without a runner online a tool call is agent_unavailable.',
  }),
  ...built('decision 20', {
    'decision.lines.lf_only': 'Lines are split at the line feed alone.',
    'decision.lines.cap': 'A line has a cap; past it nothing of it is held.',
    'decision.lines.cost': 'Splitting copies each byte once at most.',
    'decision.lines.noise': 'A line that is no JSON is counted and harms nothing.',
    'decision.lines.id_type': 'Ids are compared with their type.',
    'decision.lines.unknown_id': 'An answer to an unknown id is dropped.',
    'decision.lines.backpressure': 'stdout is paused while its reader lags.',
  }),
  ...built('decision 29', {
    'decision.storage.missing': 'get and delete of a missing key are not_found.',
    'decision.storage.if_match.string': 'if_match is compared exactly; anything but a string is invalid_arg.',
    'decision.storage.if_match.star': 'if_match * asks that the key exists.',
    'decision.storage.if_match.missing': 'if_match on a missing key is precondition_failed.',
    'decision.storage.generation': 'Generations go on after a delete.',
    'decision.storage.ttl': 'ttl_seconds is 1 to 31 536 000, and the value is gone after it.',
    'decision.storage.keys': 'Keys have 1 to 1 024 characters, any Unicode but NUL.',
    'decision.storage.prefix': 'A prefix has no wildcards.',
    'decision.storage.state_after_write':
      'The cap of the window state is judged after the write; shrinking is allowed.',
  }),
  ...built('decision 30', {
    'decision.token.skew': 'The clock of a token may be off by two seconds and no more.',
    'decision.window.closed_by_state': 'A closed window refuses its calls while its token still lives.',
    'decision.window.stale': 'A window silent for five minutes is stale and its next call wakes it.',
    'decision.window.silent_close': 'A window silent for a day is closed.',
  }),
  ...built('decision 31', {
    'decision.envelope.id_length': 'An id over 256 characters or that is no string is answered as "".',
    'decision.envelope.token_first': 'A call refused on its token is answered under "", its body unread.',
    'decision.envelope.malformed': 'Malformed JSON under a bad token is invalid_token.',
    'decision.envelope.cap': 'A body over its cap is invalid_arg with 413.',
    'decision.envelope.depth': 'Depth is counted from the root of the body.',
  }),
  ...built('decision 32', {
    'decision.acl.next_call': 'The call after a push of the draft sees the new manifest.',
  }),
  ...built('decision 32a', {
    'decision.tools.admitted': 'tools.* is admitted by a declared plug or by host_api.tools.',
    'decision.window.unknown': 'An unknown method of window is not_implemented.',
    'decision.stub.undeclared':
      'A stub that is not declared is permission_denied, a declared one not_implemented.',
  }),
  ...built('decision 32b', {
    'decision.chat.no_artifact': 'append_artifact without an object artifact is invalid_arg.',
    'decision.chat.dropped': 'Arguments beside artifact are dropped.',
  }),
  ...built('decision 32c', {
    'decision.storage.window_owner': 'In the window state a value belongs to its window.',
    'decision.storage.app_owner': 'In the persistent store values of an app are kept apart by user.',
    'decision.storage.shared': 'The scope shared is one space for all users and needs its grant.',
  }),
  ...built('decision 32d', {
    'decision.draft.with_files': 'A draft that has its files opens.',
  }),
  ...built('decision 32g', {
    'decision.draft.without_entry': 'A pushed manifest without its entry file is bundle_not_ready.',
  }),
  ...built('decision 32h', {
    'decision.events.foreign_cursor': 'An unknown, foreign or malformed cursor is answered with reset.',
    'decision.events.kept': 'The journal of a user keeps 10 000 events, for five minutes at least.',
  }),
  ...built('decisions archives', {
    'archive.kinds': 'An archive with anything but plain files and folders is refused.',
    'archive.paths': 'An archive is refused whose names climb, start at a root, or hold odd characters.',
    'archive.names': 'An archive is refused whose names are too long, too deep, or the same twice.',
    'archive.bounds': 'An archive is refused that unpacks to too much, too many or out of all proportion.',
    'archive.broken': 'An archive that is cut off, damaged or of another type is refused.',
    'archive.zip.headers': 'A zip whose two tables disagree is refused.',
  }),
] as const
