/**
 * Numbers that are built into pages and their documents: the same on every host. One constant each, so that a bundler
 * keeps only those that it needs.
 */

/** The longest `ns` or `method` that is looked up. */
export const NAME_MAX_CHARS = 64
/** Envelopes in one array body. */
export const BATCH_MAX_CALLS = 64
/** Nesting of a value that a client sends, and of a JSON file that a person wrote. */
export const JSON_DEPTH_MAX = 1_000
/** One call as the page takes it from a document. */
export const CALL_TEXT_MAX_BYTES = 6_291_456
/** One run with attachments as the page takes it from a document. */
export const RUN_TEXT_MAX_BYTES = 178_257_920
/**
 * Calls of a window that wait in the page behind the `IN_FLIGHT_PER_WINDOW` at the host, all of one tick among them.
 */
export const BRIDGE_WAITING_MAX = 256
/** What the calls waiting in the page may hold together, in UTF-16 units: room for one run. */
export const BRIDGE_WAITING_MAX_CHARS = 178_257_920
/** What the last quick calls of a document that went away (a save) still have to reach the host. */
export const LAST_CALLS_MS = 1_000
/** POSTs of documents that went away which a window lets end; older ones are aborted. */
export const LAST_POSTS_MAX = 2
/** Calls in one post between document and page; a longer list is not a list. */
export const LIST_MAX_CALLS = 1_024
/** A call socket that broke is opened again after this. */
export const CALL_SOCKET_RETRY_MS = 1_000
/** How often the page sends again what closing hosts did not begin, before it says so. */
export const CLOSING_RETRIES_MAX = 5
/** What a closing host tells who it refuses to wait, and pages whose event stream it ends: longer at each further try. */
export const CLOSING_RETRY_MS = 100
/** Connections of a page for calls that may take seconds. */
export const SLOW_CONNECTIONS_MAX = 3
/** Connections of a page for quick calls. */
export const FAST_CONNECTIONS_MAX = 2
/** How long an app may take to say whether its window may close. */
export const BEFORE_CLOSE_MS = 1_000
/** The reason with which a window is closed. */
export const CLOSE_REASON_MAX_CHARS = 200
/** The page's wait for a route that is not a call: mount, renew, close. */
export const ROUTE_TIMEOUT_MS = 10_000
/** How long a page uses the token of its backend before it asks for another one. */
export const PAGE_TOKEN_KEPT_MS = 120_000
/** No answer of a host makes the page renew a token more often than twice in this time. */
export const TOKEN_LIFE_MIN_MS = 1_000
/** The text of a refusal that is read for the page's list of them; a longer one is only handed on. */
export const REFUSAL_READ_MAX_CHARS = 65_536
/** Events kept for a document that does not listen yet; the oldest go first. */
export const EVENTS_KEPT = 256
/** How long `mountWindow` and `attachWindow` wait for a document in their frame, where `timeoutMs` says nothing. */
export const FRAME_LOAD_MS = 60_000
/** How long a frame that loaded, perhaps an error page of the browser, has to show that a document is in it, before the page looks for the reason. */
export const FRAME_HELLO_MS = 1_000
/** When the page looks for the reason a last time: a document that has loaded and not begun by then is none of the app. */
export const FRAME_LAST_LOOK_MS = 4_000
/** How long after a document went from a frame the next one has to begin, where its address may lead to none. */
export const FRAME_AGAIN_MS = 250
/** How often the page looks whether an iframe is still in it, and counts its messages again. */
export const FRAME_LOOK_MS = 1_000
/** Looks in a row without an answer after which the page is notified that a document does not respond. */
export const FRAME_SILENT_LOOKS = 5
/** Messages are counted again after this time where a hidden page has no timers. */
export const FLOOD_SLICE_MAX_MS = 10_000
/**
 * Messages of a frame to the page itself from look to look; a document needs one. A frame that sends more is closed.
 */
export const FLOOD_POSTS_MAX = 2_500
/** Messages of a frame on its ports in that time. */
export const FLOOD_MESSAGES_MAX = 10_000
/** Calls of a frame in that time. */
export const FLOOD_CALLS_MAX = 131_072
/** Windows that one event stream follows, and that one page may hold. */
export const EVENT_WINDOWS_MAX = 64
/** Streams that a page names when it connects again. */
export const EVENT_STREAMS_MAX = 128
/** How long the first window of a page waits for its place in the event stream before it is opened without one. */
export const EVENT_CURSOR_MS = 2_000
/** The longest pause between two tries to reach the event stream. */
export const EVENT_RETRY_MAX_MS = 10_000
/** An event stream silent for this long (a missed comment, and 3 s) is taken for dead, with the socket that it is on. */
export const EVENT_SILENT_MS = 18_000
/** An event stream says its first within this, twice as long with each try that fails. */
export const EVENT_FIRST_MS = 5_000
/** The longest that it is waited for. */
export const EVENT_FIRST_MAX_MS = 40_000
/** It is asked for in short pieces for this long, then as a whole again. */
export const EVENT_POLLING_MS = 600_000
/** The pause between two short pieces of an event stream that something on the way holds back. */
export const EVENT_POLL_GAP_MS = 250
/** How long the client waits for the page to answer its hello. */
export const HELLO_TIMEOUT_MS = 2_000
/** The client beats this often. */
export const HEARTBEAT_INTERVAL_MS = 10_000
/** How long the client waits for a call of a tool where nothing says how long that may take. */
export const CLIENT_TOOLS_TIMEOUT_MS = 70_000
/** How long the client waits for methods of `agent` and `llm`, and the page for any POST. */
export const CLIENT_AGENT_TIMEOUT_MS = 300_000
/** How much longer than the host the client waits. */
export const CLIENT_TIMEOUT_MARGIN_MS = 5_000
/** The client reads a job without an event after this, then ever later up to `JOB_POLL_MAX_MS`. */
export const JOB_POLL_MS = 1_000
/** The longest pause between two such reads. */
export const JOB_POLL_MAX_MS = 5_000
/** Progress that events announce is read at most this often. */
export const JOB_READ_GAP_MS = 100
/** Jobs that one list may ask for. */
export const JOB_LIST_LIMIT_MAX = 100
/** Sessions that one list may ask for. */
export const SESSION_LIST_MAX = 100
/** The reason with which a job is cancelled. */
export const CANCEL_REASON_MAX_CHARS = 200
/** The reason why a version is deprecated or yanked. */
export const PLUG_REASON_MAX_CHARS = 500
/** Frames of a stream that may wait in the client for one that is missing. */
export const STREAM_BUFFER_FRAMES = 256
/** A gap in a stream that is older than this asks for a replay. */
export const STREAM_GAP_MS = 250
/** A stream silent for this long asks for a replay. */
export const STREAM_SILENT_MS = 60_000
/** Streams whose frames may wait for the reply of their run, which they outran. */
export const STREAM_EARLY_MAX = 8
/** How long frames that outrun the reply of their run wait. */
export const STREAM_EARLY_MS = 30_000
/** A run's first frame is written when the run is accepted: the client asks for it when it is not there by then. */
export const STREAM_FIRST_MS = 2_000
/** How long the client waits for the answer of one attach. */
export const STREAM_ATTACH_MS = 10_000
/** The longest pause between two attaches of a client. */
export const STREAM_RETRY_MAX_MS = 5_000
/** Replays in a row that bring nothing of what the host says it has. */
export const STREAM_REPLAYS_MAX = 8
/** The message of a reported error. */
export const ERROR_MESSAGE_MAX_CHARS = 4_000
/** The stack of a reported error. */
export const ERROR_STACK_MAX_CHARS = 16_000
/** Uncaught errors that a document reports in a window of time. */
export const ERROR_REPORTS_MAX = 10
/** The window of time in which they are counted. */
export const ERROR_REPORTS_WINDOW_MS = 60_000
/** What a list is searched for. */
export const SEARCH_MAX_CHARS = 100
/** Workers that the document of an app may have at a time. */
export const WORKERS_PER_DOCUMENT = 64
/** Workers that such a worker may have at a time; these may have none. */
export const WORKERS_PER_WORKER = 4
/** How long the document of a worker may take to share its svc: it may be busy with its own start. */
export const WORKER_SHARED_MS = 10_000
