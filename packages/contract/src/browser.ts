/**
 * The numbers that run in a browser, one constant each, so that a bundler keeps only those it needs: the
 * table of limits is one object and would travel whole. A test holds the two together.
 */
export const NAME_MAX_CHARS = 64
export const IN_FLIGHT_PER_WINDOW = 64
export const BATCH_MAX_CALLS = 64
export const CALL_TEXT_MAX_BYTES = 6_291_456
export const RUN_TEXT_MAX_BYTES = 178_257_920
export const BRIDGE_WAITING_MAX = 256
export const BRIDGE_WAITING_MAX_CHARS = 178_257_920
export const LAST_CALLS_MS = 1_000
export const LAST_POSTS_MAX = 2
export const LIST_MAX_CALLS = 1_024
export const CALL_SOCKET_RETRY_MS = 1_000
export const SLOW_CONNECTIONS_MAX = 3
export const FAST_CONNECTIONS_MAX = 2
export const BEFORE_CLOSE_MS = 1_000
export const CLOSE_REASON_MAX_CHARS = 200
export const ROUTE_TIMEOUT_MS = 10_000
export const EVENTS_KEPT = 256
export const FRAME_LOAD_MS = 60_000
export const FRAME_HELLO_MS = 5_000
export const FRAME_LOOK_MS = 1_000
export const FRAME_SILENT_LOOKS = 5
export const FLOOD_SLICE_MAX_MS = 10_000
export const FLOOD_POSTS_MAX = 2_500
export const FLOOD_MESSAGES_MAX = 10_000
export const FLOOD_CALLS_MAX = 131_072
export const EVENT_WINDOWS_MAX = 64
export const EVENT_STREAMS_MAX = 128
export const EVENT_CURSOR_MS = 2_000
export const JOURNAL_KEPT_EVENTS = 10_000
export const EVENT_RETRY_MS = 1_000
export const EVENT_RETRY_MAX_MS = 10_000
export const EVENT_SILENT_MS = 45_000
export const HELLO_TIMEOUT_MS = 2_000
export const HEARTBEAT_INTERVAL_MS = 10_000
export const CLIENT_TOOLS_TIMEOUT_MS = 70_000
export const CLIENT_AGENT_TIMEOUT_MS = 300_000
export const CLIENT_TIMEOUT_MARGIN_MS = 5_000
export const SYNC_TIMEOUT_MAX_MS = 90_000
export const JOB_DEADLINE_MAX_MS = 86_400_000
export const JOB_POLL_MS = 1_000
export const JOB_POLL_MAX_MS = 5_000
export const JOB_READ_GAP_MS = 100
export const JOB_HEARTBEAT_MS = 5_000
export const JOB_LIST_LIMIT_MAX = 100
export const SESSION_LIST_MAX = 100
export const CANCEL_REASON_MAX_CHARS = 200
export const MANIFEST_MAX_BYTES = 262_144
export const PLUG_REASON_MAX_CHARS = 500
export const STREAM_BUFFER_FRAMES = 256
export const STREAM_RETAIN_MS = 300_000
export const STREAM_GAP_MS = 250
export const STREAM_SILENT_MS = 60_000
export const STREAM_EARLY_MAX = 8
export const STREAM_EARLY_MS = 30_000
export const STREAM_FIRST_MS = 2_000
export const STREAM_ATTACH_MS = 10_000
export const STREAM_RETRY_MAX_MS = 5_000
export const STREAM_REPLAYS_MAX = 8
export const RUN_TOTAL_MS = 3_600_000
export const ERROR_MESSAGE_MAX_CHARS = 4_000
export const ERROR_STACK_MAX_CHARS = 16_000
export const ERROR_REPORTS_MAX = 10
export const ERROR_REPORTS_WINDOW_MS = 60_000

/** The events that a window's own document hears too; a test holds them to the table of events. */
export const bundleEvents: ReadonlySet<string> = new Set([
  'close_view',
  'geometry_changed',
  'rpc.stream',
  'title_changed',
  'tool_job',
  'tools.changed',
  'window_focus_changed',
])

/** The states of a job that has not ended; a test holds them to the table of states. */
export const activeJobStates: ReadonlySet<string> = new Set(['queued', 'running'])

/** The problem of a plugin that is `unavailable` although nothing is wrong: no app has asked for it yet. */
export const unaskedProblem = 'it is installed when an app first asks for it'
/** The same of a plugin of another. */
export const unagreedProblem = 'it is installed when you agree that an app uses it'
