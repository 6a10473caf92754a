import { built } from './row.ts'

/** Runs of sessions. */
export const runs = [
  ...built('0034-a-run-ends-once', {
    'run.cancel.queued': 'A queued run that is cancelled never starts: task_cancelled, then end.',
    'run.cancel.running': 'A running run that is cancelled stops at its next checkpoint.',
    'run.end': 'Every run ends with one end frame that is done.',
    'run.cancel.result': 'cancel answers whether it was taken, not whether the run has stopped.',
  }),
  ...built('docs/reference/methods.md', {
    'session.run.result': 'run answers stream_id and run_id at once; frames follow as events.',
    'session.history.result': 'history answers messages with role and content.',
  }),
  ...built('docs/guides/sessions.md', {
    'session.history.empty': 'history without anything stored is an empty list.',
  }),
  ...built('0212-trouble-is-no-emptiness', {
    'session.history.unread':
      'history that cannot be read is an error, retriable where trying again may help, and never an empty list.',
  }),
  ...built('0012-clamp-or-reject', {
    'session.history.limit': 'history takes the tail, 50 by default, clamped to 1 to 200.',
  }),
  ...built('docs/guides/sessions.md', {
    'session.system_prompt.run': 'A system prompt of a run counts for that turn only.',
    'session.quota.code': 'A used-up quota is APP_QUOTA_EXCEEDED, at once or as an error frame.',
  }),
  ...built('0033-a-session-ends-for-good', {
    'run.session': 'A run needs a session of its user and app that is active, and an open host.',
  }),
  ...built('docs/reference/methods.md', {
    'run.args.uuid': 'run without a session id of the right form is invalid_arg.',
  }),
  ...built('0012-clamp-or-reject', {
    'run.args.content': 'run without visible text as content is invalid_arg.',
  }),
  ...built('docs/reference/methods.md', {
    'run.recursion_limit': 'recursion_limit is 8 where none is given.',
    'run.id.fresh': 'run_id is a fresh uuid where none is given.',
    'run.id.idempotent': 'The same run_id twice is one run.',
    'run.allowed_tools': 'allowed_tools narrows a run to some of the granted tools.',
  }),
  ...built('0080-which-model-a-call-gets', {
    'run.preferences': 'modelPreferences choose only among the granted models.',
  }),
  ...built('docs/guides/sessions.md', {
    'run.attachments.once': 'Images are seen in their own run and left out of the history.',
    'run.attachments.vision': 'A model that cannot see fails the run; no other model steps in.',
  }),
  ...built('0035-tools-and-prompts-of-sessions', {
    'run.kind.complete': 'A session of the kind complete has no tools and no history.',
  }),
  ...built('0034-a-run-ends-once', {
    'stream.seq': 'The seq of frames only grows.',
  }),
  ...built('docs/guides/streams.md', {
    'stream.status': 'queued, started, keepalive and run_meta are status frames.',
    'stream.error': 'An error inside a stream is a frame and may carry an errorCode.',
  }),
  ...built('0034-a-run-ends-once', {
    'stream.end': 'The last frame is end with its run_id, after a cancel or crash too.',
  }),
  ...built('docs/guides/streams.md', {
    'stream.sse': 'A token frame carries a chunk with the text in its first choice.',
    'stream.usage': 'The usage of a run stands in the last delta.',
  }),
  ...built('0034-a-run-ends-once', {
    'stream.cancelled': 'task_cancelled comes before the last frame.',
  }),
  ...built('docs/reference/methods.md', {
    'llm.stream': 'llm.stream is offered and counts against the quota.',
  }),
  ...built('0034-a-run-ends-once', {
    'design.stream.numbered': 'Frames of a run are numbered from 1 without a hole.',
  }),
  ...built('docs/guides/streams.md', {
    'design.stream.keepalive': 'A run that is silent for 15 s gets a numbered keepalive.',
    'design.stream.openai': "Token frames are chunks that the openai client's own parser accepts.",
  }),
  ...built('0034-a-run-ends-once', {
    'design.stream.few_writes':
      'The frames of one turn of the event loop are written at once, the first by itself.',
  }),
  ...built('docs/guides/streams.md', {
    'design.stream.kept': 'Frames stay for five minutes after end, a run and its run_id for a day.',
  }),
  ...built('0034-a-run-ends-once', {
    'design.stream.away': 'Frames that cannot be written wait, and none is lost or written twice.',
  }),
  ...built('0083-starting-and-charging-runs', {
    'design.run.order': 'Runs of a session go one at a time in the order accepted, on whatever hosts.',
  }),
  ...built('docs/guides/sessions.md', {
    'design.run.tools': 'The model calls tools until it is done or was asked recursion_limit times.',
    'design.run.context':
      'A model is given the newest whole turns that fit, and a session keeps so many messages.',
    'design.run.total': 'A run that goes on for too long fails.',
    'design.run.frames_cap': 'The frames of a run may hold so much; past that it fails.',
  }),
  ...built('docs/guides/streams.md', {
    'design.run.error_details':
      'An error frame has the hint, the limit, the time of a quota and whether to try again, and nothing else.',
  }),
  ...built('docs/guides/models.md', {
    'design.run.logged_once': 'That a model failed is logged once a run, without what may be of a key.',
  }),
  ...built('0034-a-run-ends-once', {
    'design.run.lazy':
      'A host loads the AI SDK with its first run, and the loop of the AI SDK with the first that needs it.',
    'design.run.talk':
      'A model without tools is heard, told and charged as one that has some and calls none.',
  }),
  ...built('0083-starting-and-charging-runs', {
    'wall.runs.kept': 'No app fills the store with runs: ended ones are counted by app and by user.',
    'decision.run_id.one_execution':
      'Of any number of equal calls at once, on any host, one run is made and charged.',
    'decision.run_id.fingerprint': 'The same run_id with other arguments is invalid_arg.',
  }),
  ...built('0034-a-run-ends-once', {
    'decision.cancel.run':
      'cancelled is true exactly for the call whose write found the run queued or running.',
    'decision.cancel.checkpoint':
      'A run looks for its cancel each 30 events, at each step and each second; then request and tool are aborted.',
    'decision.cancel.partial': 'What was said until a cancel stays in the history, flagged aborted.',
  }),
  ...built('0083-starting-and-charging-runs', {
    'decision.cancel.charge':
      'A cut answer is charged by what came of it, a run that asked nothing not at all.',
  }),
  ...built('0033-a-session-ends-for-good', {
    'decision.run.hard_cap':
      'At the end of its session a run is cancelled with APP_SESSION_EXPIRED, then end.',
  }),
  ...built('0083-starting-and-charging-runs', {
    'decision.quota.runs': 'The caps of a session, of its app and of the day hold for runs, whatever races.',
    'decision.quota.steps': 'Each step of a run is charged before its model is asked, and settled after it.',
  }),
  ...built('0035-tools-and-prompts-of-sessions', {
    'decision.run.tool_errors':
      'Arguments that are not JSON, an unknown tool and a tool that fails are errors that the model is told.',
  }),
  ...built('0029-models-and-how-they-fail', {
    'decision.run.failures': 'However a model fails, its run ends with the code of that failure, and end.',
  }),
  ...built('0034-a-run-ends-once', {
    'decision.host_crash.run':
      'A run whose host died fails with internal_error and end, and is not done again.',
    'decision.host_crash.run_fenced':
      'What a host writes for a run after others took it for dead is refused.',
    'decision.run.one_end':
      'Whatever races, a run reaches one terminal state, and its journal one end, last.',
  }),
] as const
