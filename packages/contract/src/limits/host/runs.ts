/** Runs of agent sessions: steps, tools, approvals and attachments. */
export const runs = {
  /** What one tool may answer a model, as JSON. */
  SESSION_TOOL_RESULT_MAX_BYTES: 262_144,
  /** Runs of one session that wait or run, where its caps say nothing. */
  CONCURRENT_RUNS_DEFAULT: 4,
  /** A run and its run_id stay known this long after it ended; its frames as `STREAM_RETAIN_MS` says. */
  RUN_KEPT_MS: 86_400_000,
  /** Ended runs that are kept of one app of a user: past it the oldest go, however young. */
  RUNS_KEPT_PER_APP: 1_000,
  /** The same over all apps of a user. */
  RUNS_KEPT_PER_USER: 2_000,
  /** A run silent for this long gets a keepalive. */
  RUN_KEEPALIVE_MS: 15_000,
  /** A run looks for its cancel after so many stream events. */
  RUN_CHECK_EVENTS: 30,
  /** How often a run looks for its cancel between stream events. */
  RUN_CHECK_MS: 1_000,
  /** How long the user's answer about a destructive tool is waited for; the time counts as time of the call. */
  APPROVAL_WAIT_MS: 45_000,
  /** A window that was silent for so long has nobody who could answer: its sessions are refused at once. */
  APPROVAL_UNSEEN_MS: 60_000,
  /** Calls of one app of a user that wait for such an answer. */
  APPROVALS_WAITING_PER_APP: 16,
  /** Tools that a user allowed one app for good: past it the oldest are asked about again. */
  APPROVALS_PER_APP: 256,
  /** What of the arguments the user is shown. */
  APPROVAL_ARGS_MAX_CHARS: 16_000,
  /** Tools of one step that are called at once; the others wait. */
  RUN_TOOL_CALLS_AT_ONCE: 8,
  /** Tools that a model may call in one step; it reads of each further call that it was not made. */
  RUN_TOOL_CALLS_PER_STEP: 64,
  /** Tools that a model may call in one run: the step that reaches this is the last. */
  RUN_TOOL_CALLS_MAX: 512,
  /** What the frames of one run may hold. */
  RUN_FRAMES_MAX_BYTES: 33_554_432,
  /** Messages that a session keeps. */
  SESSION_MESSAGES_MAX: 2_000,
  /** What of the newest messages a model is given, as JSON. */
  SESSION_CONTEXT_MAX_BYTES: 1_048_576,
  /** What the messages that a session keeps may hold, as JSON; the newest one is kept in any case. */
  SESSION_MESSAGES_MAX_BYTES: 8_388_608,
  /** The same of all sessions of a user: past it the oldest messages go, whichever session they are of. */
  MESSAGES_BYTES_PER_USER: 134_217_728,
  /** What the images of one user's runs may take of a host's memory: those of `CONCURRENT_RUNS_DEFAULT` runs fit. */
  RUN_IMAGES_MAX_BYTES: 536_870_912,
  /** One attachment, decoded. */
  ATTACHMENT_MAX_BYTES: 20_971_520,
  /** The longest side that the header of an attachment may say: a few bytes can mean gigabytes of pixels. */
  ATTACHMENT_SIDE_MAX_PX: 8_192,
} as const
