/**
 * Every number of the product, each with its unit in its name.
 *
 * Sources: spec §8 unless a line says otherwise. KB and MiB are powers of 1 024 (decision 10).
 * `createHost({ limits })` overrides those that the host reads at run time; they are listed in its `hostLimits`.
 */
export const limits = {
  // Tokens and sign-ins
  WINDOW_TOKEN_TTL_MS: 120_000,
  SESSION_TOKEN_TTL_MS: 600_000,
  /** Decision 30: how far a token's clock may be off. */
  TOKEN_SKEW_MS: 2_000,
  /** Design §6: verified tokens that one process remembers. */
  VERIFIED_TOKENS_MAX: 10_000,
  /** The longest text that is looked at as a token. */
  TOKEN_MAX_CHARS: 4_096,
  SIGN_IN_TTL_MS: 2_592_000_000,
  /** The name of a user of the development sign-in. */
  USER_MAX_CHARS: 64,

  // Agent sessions
  AGENT_IDLE_TTL_MS: 1_800_000,
  AGENT_MAX_LIFETIME_MS: 86_400_000,
  COMPLETE_IDLE_TTL_MS: 900_000,
  COMPLETE_MAX_LIFETIME_MS: 3_600_000,
  /** Decision 23: an expired session stays readable this long before the reaper revokes it. */
  EXPIRED_KEEP_MS: 86_400_000,
  REVOKED_RETENTION_MS: 86_400_000,
  REAPER_INTERVAL_MS: 1_000,
  /** Decision 30: from a window's close to the end of its sessions. */
  SESSION_CLOSE_GRACE_MS: 30_000,
  /** Active sessions of one app of a user, and of all apps of a user. */
  SESSIONS_PER_APP: 256,
  SESSIONS_PER_USER: 1_024,
  /** Ended sessions that are kept of them: past it the oldest go, however young. */
  SESSIONS_KEPT_PER_APP: 256,
  SESSIONS_KEPT_PER_USER: 1_024,
  SYSTEM_PROMPT_MAX_CHARS: 32_000,
  RECURSION_LIMIT_DEFAULT: 8,
  MAX_TOKENS_PER_CALL_DEFAULT: 4_096,
  HISTORY_LIMIT_MAX: 200,
  HISTORY_LIMIT_DEFAULT: 50,
  SESSION_LIST_MAX: 100,
  SESSION_LIST_DEFAULT: 50,
  SESSION_LABEL_MAX_CHARS: 120,
  /** Names of tools that a session lists, and that a run may narrow them to. */
  GRANTED_TOOLS_MAX: 1_024,
  /** What one tool may answer a model, as JSON. */
  SESSION_TOOL_RESULT_MAX_BYTES: 262_144,
  /** What `web.fetch` and the tool `web_fetch` read of a page, and what a tool gives a model of a text at once. */
  WEB_FETCH_MAX_BYTES: 2_097_152,
  WEB_FETCH_TEXT_MAX_CHARS: 40_000,
  /** Decision 26: runs of one session that wait or run, where its caps say nothing. */
  CONCURRENT_RUNS_DEFAULT: 4,
  RUN_CONTENT_MAX_CHARS: 1_048_576,
  RECURSION_LIMIT_MAX: 64,
  /** A run and its run_id stay known this long after it ended; its frames as `STREAM_RETAIN_MS` says. */
  RUN_KEPT_MS: 86_400_000,
  /** Ended runs that are kept of one app of a user, and of all apps of a user: past it the oldest go, however young. */
  RUNS_KEPT_PER_APP: 1_000,
  RUNS_KEPT_PER_USER: 2_000,
  /** Design §7: a run silent for this long gets a keepalive. */
  RUN_KEEPALIVE_MS: 15_000,
  /** Design §11: a run looks for its cancel after so many stream events, and this often between them. */
  RUN_CHECK_EVENTS: 30,
  RUN_CHECK_MS: 1_000,
  /** What a run may take in all; every single answer of a model is held to its own times besides. */
  RUN_TOTAL_MS: 3_600_000,
  /** A longer piece of text goes in several frames. */
  RUN_DELTA_MAX_CHARS: 16_384,
  /** Tools of one step that are called at once; the others wait. */
  RUN_TOOL_CALLS_AT_ONCE: 8,
  /** What the frames of one run may hold. */
  RUN_FRAMES_MAX_BYTES: 33_554_432,
  /** Messages that a session keeps, and what of the newest of them a model is given, as JSON. */
  SESSION_MESSAGES_MAX: 2_000,
  SESSION_CONTEXT_MAX_BYTES: 1_048_576,
  /** What the messages that a session keeps may hold, as JSON; the newest one is kept in any case. */
  SESSION_MESSAGES_MAX_BYTES: 8_388_608,
  ATTACHMENTS_PER_RUN: 6,
  /** What the images of one user's runs may take of a host's memory: those of `CONCURRENT_RUNS_DEFAULT` runs fit. */
  RUN_IMAGES_MAX_BYTES: 536_870_912,
  ATTACHMENT_MAX_BYTES: 20_971_520,
  /** The longest side that the header of an attachment may tell: a few bytes can stand for gigabytes of pixels. */
  ATTACHMENT_SIDE_MAX_PX: 8_192,

  // URLs that users give (decisions, SSRF)
  PUBLIC_URL_MAX_CHARS: 2_048,
  /** From the lookup of a name to the last byte, redirects included. */
  PUBLIC_FETCH_MS: 15_000,
  PUBLIC_FETCH_MAX_BYTES: 20_971_520,
  PUBLIC_HEADERS_MAX_BYTES: 16_384,
  PUBLIC_REDIRECTS_MAX: 3,

  // Credentials
  CREDENTIAL_NAME_MAX_CHARS: 128,
  /** Credentials of one plugin that are read. */
  CREDENTIALS_PER_PLUGIN: 64,
  /** What the operator's side may take for one answer about them. */
  CREDENTIALS_MS: 10_000,

  // The web
  WEB_QUERY_MAX_CHARS: 400,
  WEB_RESULTS_MAX: 20,
  WEB_RESULTS_DEFAULT: 10,
  /** What a result of a search keeps of its title, and of its snippet. */
  WEB_RESULT_TEXT_MAX_CHARS: 4_000,
  /** What the operator's search may take. */
  WEB_SEARCH_MS: 15_000,

  // Windows
  /** Decision 30: a window silent for this long is stale; its next call wakes it. */
  WINDOW_STALE_MS: 300_000,
  /** Decision 30: a window silent for this long is closed. */
  WINDOW_SILENT_CLOSE_MS: 86_400_000,
  /** A closed window's record goes this long after it was closed. */
  CLOSED_WINDOW_KEEP_MS: 3_600_000,
  /** The time of a window's last call is written down when it is older than this. */
  WINDOW_SEEN_WRITE_MS: 30_000,
  /** Open windows of one user. */
  WINDOWS_OPEN_MAX: 256,
  /** Spec §4.2: the client beats this often. */
  HEARTBEAT_INTERVAL_MS: 10_000,
  TITLE_MAX_CHARS: 120,
  CLOSE_REASON_MAX_CHARS: 200,
  ERROR_MESSAGE_MAX_CHARS: 4_000,
  ERROR_STACK_MAX_CHARS: 16_000,
  /** The `context` of a reported error, as JSON. */
  ERROR_CONTEXT_MAX_BYTES: 16_384,
  VIEW_NAME_MAX_CHARS: 64,
  VIEW_SIZE_MIN_PX: 120,
  VIEW_SIZE_MAX_PX: 10_000,
  VIEW_WIDTH_DEFAULT_PX: 640,
  VIEW_HEIGHT_DEFAULT_PX: 480,
  /** Room for what a page keeps with a window: its payload and the client's description. */
  WINDOW_PAYLOAD_MAX_BYTES: 65_536,
  WINDOW_STATE_MAX_BYTES: 262_144,

  // The RPC endpoint
  /** Design §8. */
  IN_FLIGHT_PER_WINDOW: 64,
  RPC_BODY_MAX_BYTES: 6_291_456,
  /** Design §8: the body of a run with attachments, read only for apps with an agent submode. */
  RUN_BODY_MAX_BYTES: 178_257_920,
  /** What a body over `RPC_BODY_MAX_BYTES` may have: texts, brackets and commas; bytes in one text and in one name. */
  LONG_BODY_PARTS_MAX: 16_384,
  LONG_BODY_TEXT_MAX_BYTES: 33_554_432,
  LONG_BODY_NAME_MAX_BYTES: 256,
  /** Design §8: counted from the root of the body (decision 31). */
  BODY_DEPTH_MAX: 64,
  /** Decision 31. */
  CALL_ID_MAX_CHARS: 256,
  /** The longest `ns` or `method` that is looked up. */
  NAME_MAX_CHARS: 64,
  /** Design §7: envelopes in one array body. */
  BATCH_MAX_CALLS: 64,
  /** How long the head of a request, and a whole request, may take to arrive. */
  HTTP_HEADERS_MS: 10_000,
  HTTP_REQUEST_MS: 120_000,
  /** How long an answer of an array body may wait for others to leave with it. */
  ANSWERS_GATHER_MS: 2,
  /** Any other JSON body of the HTTP surface. */
  ROUTE_BODY_MAX_BYTES: 1_048_576,

  /** Open call sockets of one user: one a page. Pages past that send by POST. */
  CALL_SOCKETS_PER_USER: 32,
  /** Bodies under way on one call socket; more are refused unread. A page of ours never has as many. */
  CALL_SOCKET_BODIES_MAX: 4_096,
  /** A call socket that broke is opened again after this. */
  CALL_SOCKET_RETRY_MS: 1_000,
  /** A call socket with this many calls under way is busy, and stays it this long; then answers wait for each other. */
  CALL_SOCKET_BUSY_CALLS: 16,
  CALL_SOCKET_BUSY_MS: 25,
  CALL_SOCKET_GATHER_MS: 6,
  /** A call socket that gives no sign of life for two of these is cut. */
  CALL_SOCKET_PING_MS: 15_000,
  /** The line before a body on a call socket: a number and a token. */
  CALL_SOCKET_HEAD_MAX_BYTES: 8_192,

  // Tools
  SYNC_TIMEOUT_MIN_MS: 1_000,
  SYNC_TIMEOUT_MAX_MS: 90_000,
  SYNC_TIMEOUT_DEFAULT_MS: 65_000,
  SYNC_GRACE_MS: 2_000,
  SYNC_PAYLOAD_MAX_BYTES: 4_194_304,
  ASYNC_RESULT_MAX_BYTES: 262_144,
  ASYNC_ARGS_MAX_BYTES: 65_536,
  TOOL_ID_MAX_CHARS: 256,
  JOB_DEADLINE_DEFAULT_MS: 1_800_000,
  JOB_DEADLINE_MIN_MS: 60_000,
  JOB_DEADLINE_MAX_MS: 86_400_000,
  JOBS_ACTIVE_PER_USER: 5,
  JOBS_RUNNING_PER_RUNNER: 3,
  /** Decision 9. */
  RUNNER_QUEUE_MAX: 2,
  /** How often a host looks for jobs that wait for a runner which is connected to it. */
  JOB_TAKE_UP_MS: 5_000,
  JOB_GET_LIMIT_MAX: 500,
  JOB_LIST_LIMIT_MAX: 100,
  JOB_LIST_LIMIT_DEFAULT: 20,
  /** Progress that a list shows of each job: its last. */
  JOB_LISTED_PROGRESS: 5,
  JOB_LOOKBACK_MS: 604_800_000,
  CLIENT_TAG_MAX_CHARS: 120,
  CANCEL_REASON_MAX_CHARS: 200,
  /** A job that runs gives a sign of life this often. */
  JOB_HEARTBEAT_MS: 5_000,
  /** The client reads a job that no event tells of after this, then ever later up to the second number (decision 16). */
  JOB_POLL_MS: 1_000,
  JOB_POLL_MAX_MS: 5_000,
  /** Progress that is told by events is read at most this often. */
  JOB_READ_GAP_MS: 100,
  /** A job that has ended can be read this long: as far as `listJobs` looks back. */
  JOB_KEPT_MS: 604_800_000,
  /** Ended jobs that are kept of one app of a user, and of all apps of a user: past it the oldest go, however young. */
  JOBS_KEPT_PER_APP: 200,
  JOBS_KEPT_PER_USER: 500,
  /** What the results in one list of jobs may hold together: past it the list ends early. */
  JOB_LIST_RESULTS_MAX_BYTES: 4_194_304,
  PROGRESS_PER_SECOND: 50,
  PROGRESS_KEPT: 500,
  PROGRESS_MAX_BYTES: 8_192,
  /** What the kept progress of a job that has ended may hold: past it the oldest goes. */
  PROGRESS_ENDED_MAX_BYTES: 1_048_576,
  CANCEL_KILL_MS: 500,
  /** Design §9: a plugin's own request to the host. */
  SUBCALL_TIMEOUT_MS: 30_000,

  // Runner and plugin processes
  DESCRIBE_TIMEOUT_MS: 10_000,
  /** The pause before a plugin that did not describe itself is asked again; it doubles up to the second number. */
  DESCRIBE_RETRY_MS: 30_000,
  DESCRIBE_RETRY_MAX_MS: 600_000,
  /** Spec §7.1, the harness: one line of stdio. */
  LINE_MAX_BYTES: 16_777_216,
  /** Design §8: warm processes a user and plugin, a runner, and for how long. */
  POOL_PER_PLUGIN: 4,
  POOL_PER_RUNNER: 64,
  POOL_IDLE_MS: 60_000,
  /** Tools that one `describe` may list, and the text of one description. */
  DESCRIBE_TOOLS_MAX: 256,
  DESCRIPTION_MAX_CHARS: 4_000,
  /** What is kept of a plugin's stderr for one log record. */
  STDERR_LINE_MAX_BYTES: 8_192,
  /** Parameters that one tool may describe, and the JSON text of its schema. */
  DESCRIBE_PARAMETERS_MAX: 64,
  INPUT_SCHEMA_MAX_BYTES: 65_536,
  /** Nesting of a payload: what walks a value by recursion gives up at about 4 000 levels. */
  RESULT_DEPTH_MAX: 1_000,
  /** Lines without a reply in them that a plugin may write before its stdout rests, and for how long. */
  NOISE_BURST_LINES: 1_000,
  NOISE_REST_MS: 10,
  /** A long line counts as one more for each of so many bytes. */
  NOISE_LINE_BYTES: 512,
  /** What the log shows of a line of noise. */
  NOISE_SHOWN_CHARS: 200,
  /** Records that one plugin's stdout noise or stderr may put into the log. */
  PLUGIN_LOG_PER_SECOND: 50,
  /** Bytes of stderr that are read before it rests for as long as noise does. */
  STDERR_BURST_BYTES: 1_048_576,
  /** How long the last bytes of an ended process are waited for. */
  DRAIN_MS: 100,
  /** Answers that wait for a plugin which does not read them. */
  UNREAD_ANSWERS_MAX_BYTES: 1_048_576,
  /** Reverse requests of one call that may be under way. */
  SUBCALLS_PER_CALL: 16,
  /** One of them on the wire, room for a file that comes inline; and its answer. */
  SUBCALL_LINE_MAX_BYTES: 8_388_608,
  SUBCALL_ANSWER_MAX_BYTES: 4_194_304,
  /** Sessions of plugins whose token one process keeps at hand; the ones used longest ago go first. */
  PLUGIN_SESSIONS_MAX: 10_000,
  /** What one try of a way to keep a plugin's processes together may take. */
  FENCE_PROBE_MS: 2_000,
  /** From a plugin's start to writing its compile cache: past the first answer, so that it waits for nothing. */
  COMPILE_CACHE_FLUSH_MS: 500,
  /** What a plugin's refusal shows of an argument. */
  ARGUMENT_SHOWN_CHARS: 80,

  // Installs of plugins (spec §2.12)
  /** One install, from its turn to the last file; also how long `Runner.install` waits. */
  INSTALL_TIMEOUT_MS: 300_000,
  /** An install that failed is told again this long before it is tried again. */
  INSTALL_RETRY_MS: 10_000,
  INSTALLS_AT_ONCE: 2,
  /** A binary by its URL, in place of `PUBLIC_FETCH_MS` and `PUBLIC_FETCH_MAX_BYTES`: programs are larger than pictures. */
  INSTALL_DOWNLOAD_MS: 120_000,
  INSTALL_DOWNLOAD_MAX_BYTES: 67_108_864,
  /** What is kept of an installer's output, and how many of its last lines and characters a failure shows. */
  INSTALL_OUTPUT_KEPT_BYTES: 8_192,
  INSTALL_OUTPUT_SHOWN_LINES: 6,
  INSTALL_OUTPUT_SHOWN_CHARS: 600,
  /** An install that nobody started for this long is removed at the next start of a runner. */
  INSTALL_KEPT_MS: 2_592_000_000,
  /** What a runner knows of an install before it looks again whether it is there, which also counts as its use. */
  INSTALL_KNOWN_MS: 3_600_000,

  // MCP servers as plugins
  /** From the start of a server to its tools: short of `DESCRIBE_TIMEOUT_MS`, so that the reason is told in time. */
  MCP_START_MS: 8_000,
  /** A call that names no deadline. */
  MCP_CALL_MS: 90_000,
  /** From the end of a server's stdin to SIGTERM, and from there to SIGKILL: both within `CANCEL_KILL_MS`. */
  MCP_END_MS: 200,
  /** Pages of its list of tools that are read. */
  MCP_PAGES_MAX: 64,

  // Machines that users enrol, and their links (decision 19)
  RUNNERS_PER_USER: 16,
  RUNNER_NAME_MAX_CHARS: 80,
  /** Kinds of distribution that are kept of what a machine says it can install. */
  RUNNER_INSTALLS_MAX: 16,
  /** How often a host asks a machine for a sign of life, and the silence after which either side takes the other for lost. */
  RUNNER_PING_MS: 1_000,
  RUNNER_SILENT_MS: 3_000,
  /** Before that is believed, what lies unread is looked at once more. */
  RUNNER_LOOK_MS: 50,
  /** From a link's connection to what its machine says of itself. */
  RUNNER_HELLO_MS: 5_000,
  /** How often a link that stands looks whether its machine is still enrolled, and writes down that it was seen. */
  RUNNER_SEEN_WRITE_MS: 30_000,
  /** What one try to connect may take. */
  RUNNER_CONNECT_MS: 10_000,
  /** The pause before a machine connects again: it doubles up to the second number until a link stood for the third. */
  RUNNER_RETRY_MS: 500,
  RUNNER_RETRY_MAX_MS: 30_000,
  RUNNER_STEADY_MS: 10_000,
  /** How much later than on its machine a call ends on the host. */
  LINK_GRACE_MS: 1_000,
  /** A longer message travels in parts of this length, in turns with others. */
  LINK_PART_BYTES: 65_536,
  /** What stands before the body of a message. */
  LINK_HEAD_MAX_BYTES: 32_768,
  /** What waits in a socket, and what of parts is on its way to a reader that has not said that it took them. */
  LINK_BUFFER_MAX_BYTES: 262_144,
  LINK_WINDOW_BYTES: 524_288,
  /** Small messages that wait: past it progress is dropped, and requests of plugins are not answered. */
  LINK_QUEUE_MAX_BYTES: 4_194_304,
  LINK_MESSAGE_MAX_BYTES: 33_554_432,
  /** What the long messages under way may have together, one way. */
  LINK_HELD_MAX_BYTES: 67_108_864,
  /** How long the other end of a link may take to agree to its end. */
  LINK_CLOSE_MS: 500,
  /** Progress that a machine let go is counted together for so long. */
  LINK_DROPPED_MS: 250,
  /** Messages a second that nobody on the host asked for: more end the link. */
  LINK_STRAYS_MAX: 1_000,
  /** How a call failed, as JSON. */
  LINK_FAILURE_MAX_BYTES: 131_072,

  // Events and streams
  STREAM_BUFFER_FRAMES: 256,
  /** Design §7: how long frames stay after `end`. */
  STREAM_RETAIN_MS: 300_000,
  /** Design §7: a gap older than this, and a silence this long, ask for a replay. */
  STREAM_GAP_MS: 250,
  STREAM_SILENT_MS: 60_000,
  /** Design §7: frames that outrun the reply of their run wait: so many streams, this long. */
  STREAM_EARLY_MAX: 8,
  STREAM_EARLY_MS: 30_000,
  /** A run's first frame is written when the run is accepted: the client asks for it when it is not there by then. */
  STREAM_FIRST_MS: 2_000,
  /** How long the client waits for the answer of one attach, and at most between two of them. */
  STREAM_ATTACH_MS: 10_000,
  STREAM_RETRY_MAX_MS: 5_000,
  /** Replays in a row that bring nothing of what the host says it has. */
  STREAM_REPLAYS_MAX: 8,
  /** Streams that a page names when it connects again. */
  EVENT_STREAMS_MAX: 128,
  /** Decision 32h. */
  JOURNAL_KEPT_EVENTS: 10_000,
  JOURNAL_KEPT_MS: 300_000,
  /** What the events of one user may hold: past it the oldest go, however young, and late readers get a `reset`. */
  JOURNAL_KEPT_BYTES: 16_777_216,
  /** How often the journals of quiet users, run out values and what nobody needs any more are looked at. */
  CLEAN_INTERVAL_MS: 60_000,
  /** Records of a kind that are thrown away at once. */
  CLEAN_RECORDS_MAX: 100,
  EVENT_RETRY_MS: 1_000,
  EVENT_COMMENT_MS: 15_000,
  /** Design §7: what a reader that does not read may cost, and for how long. */
  READER_BUFFER_MAX_BYTES: 1_048_576,
  READER_STALLED_MS: 30_000,
  EVENT_WINDOWS_MAX: 64,
  /** Items that are read from a journal at once. */
  EVENT_READ_MAX: 1_000,
  /** The first event goes out at once; those of the next turns of the event loop go out together. */
  EVENT_GATHER_TURNS: 8,

  // Storage
  STORAGE_KEY_MAX_CHARS: 1_024,
  STORAGE_LIST_DEFAULT: 100,
  STORAGE_LIST_MAX: 1_000,
  STORAGE_TTL_MIN_S: 1,
  STORAGE_TTL_MAX_S: 31_536_000,
  STORAGE_VALUE_MAX_BYTES: 4_194_304,
  STORAGE_TAGS_MAX: 64,
  STORAGE_TAG_MAX_CHARS: 120,
  STORAGE_METADATA_MAX_BYTES: 16_384,

  // Uploads and files
  /** What `upload.inline` takes, decoded: its base64 fits the body of a call. */
  UPLOAD_INLINE_MAX_BYTES: 4_194_304,
  UPLOAD_MAX_BYTES: 20_971_520,
  /** Design §9: how long the URL of an upload takes its bytes. */
  UPLOAD_URL_TTL_MS: 600_000,
  /** From the arrival of the bytes to the call that confirms them. */
  UPLOAD_CONFIRM_MS: 600_000,
  UPLOAD_PURPOSE_MAX_CHARS: 64,
  UPLOAD_FILENAME_MAX_CHARS: 255,
  /** Files, and uploads under way, of one app of a user and of all apps of a user; and their bytes. */
  FILES_PER_APP: 200,
  FILES_PER_USER: 1_000,
  FILES_BYTES_PER_APP: 134_217_728,
  FILES_BYTES_PER_USER: 536_870_912,

  // Files of an app, under paths
  /** A whole file, decoded: its base64 fits the body of a call. */
  APP_FILE_MAX_BYTES: 4_194_304,
  APP_FILE_PATH_MAX_CHARS: 1_024,
  APP_FILE_MIME_MAX_CHARS: 127,
  /** In the scope `app` of one user, or in `shared`; and of one user over all apps. */
  APP_FILES_PER_SPACE: 500,
  APP_FILES_PER_USER: 1_000,
  APP_FILES_BYTES_PER_SPACE: 134_217_728,
  APP_FILES_BYTES_PER_USER: 536_870_912,
  /** What a write that broke off leaves behind goes after this. */
  APP_FILE_WRITE_MS: 60_000,

  // Models
  /** What a host without quotas of its own allows a user in a day (UTC). */
  COMPLETIONS_PER_DAY: 200,
  RUNS_PER_DAY: 200,
  TOKENS_PER_DAY: 2_000_000,
  IMAGES_PER_DAY: 20,
  /** A day's counts stay this long after its end, for what was begun on it. */
  QUOTA_KEPT_MS: 172_800_000,
  /** Where a model tells no count of tokens, and before it does: UTF-8 bytes that are taken for one. */
  TOKEN_BYTES: 4,
  MODEL_NAME_MAX_CHARS: 128,
  MODEL_HINTS_MAX: 32,
  EMBED_INPUTS_MAX: 128,
  /** Decision 28: a model that gives no sign for this long, and an answer that has not ended after this, is given up. */
  MODEL_IDLE_MS: 60_000,
  MODEL_TOTAL_MS: 280_000,
  /** What a model may write in one answer, and what its server may send for it. */
  MODEL_TEXT_MAX_BYTES: 4_194_304,
  MODEL_RESPONSE_MAX_BYTES: 16_777_216,
  /** A model that fails before its first token is asked again this often, after a pause that doubles. */
  MODEL_RETRIES: 2,
  MODEL_RETRY_MS: 500,

  // Images
  IMAGE_PROMPT_MAX_CHARS: 8_000,
  IMAGES_PER_CALL: 4,
  IMAGE_REF_MAX_CHARS: 1_024,
  IMAGE_SIDE_MIN_PX: 16,
  IMAGE_SIDE_MAX_PX: 4_096,

  // Chat
  ARTIFACT_MAX_BYTES: 65_536,

  // Apps and bundles (decisions, archives)
  DRAFT_LIFETIME_MS: 86_400_000,
  /** The files of a draft that another one replaced stay this long, and while a document of theirs is open. */
  BUNDLE_KEEP_MS: 3_600_000,
  DRAFT_BODY_MAX_BYTES: 67_108_864,
  /** A manifest as canonical JSON. */
  MANIFEST_MAX_BYTES: 262_144,
  ARCHIVE_ENTRIES_MAX: 10_000,
  ARCHIVE_BYTES_MAX: 268_435_456,
  ARCHIVE_ENTRY_MAX_BYTES: 67_108_864,
  ARCHIVE_DEPTH_MAX: 32,
  ARCHIVE_NAME_MAX_BYTES: 255,
  ARCHIVE_RATIO_MAX: 100,
  /** One extended header of a tar archive. */
  ARCHIVE_META_MAX_BYTES: 65_536,
  SLUG_MAX_CHARS: 40,
  APP_NAME_MAX_CHARS: 80,
  VIEWS_MAX: 32,
  PLUGS_MAX: 64,

  // Publishing plugins
  /** A draft that was committed or has expired stays known this long after its end. */
  DRAFT_KEPT_MS: 604_800_000,
  /** Drafts of one user that wait for their commit, and plugins that one user has. */
  DRAFTS_PER_USER: 64,
  PLUGS_PER_USER: 100,
  /** Plugins that a user has described at a time: each is an install on a machine. */
  DESCRIBES_PER_USER: 4,
  PLUG_VERSIONS_MAX: 256,
  PLUG_NAME_MAX_CHARS: 80,
  PLUG_VERSION_MAX_CHARS: 64,
  /** What the author of a tool_id is called in it. */
  PLUG_AUTHOR_MAX_CHARS: 40,
  PLUG_README_MAX_CHARS: 65_536,
  PLUG_PROMPTS_MAX: 16,
  PLUG_PROMPT_MAX_CHARS: 1_000,
  PLUG_TAGS_MAX: 16,
  PLUG_TAG_MAX_CHARS: 40,
  PLUG_REASON_MAX_CHARS: 500,
  PLUG_LIST_DEFAULT: 50,
  PLUG_LIST_MAX: 100,
  /** Tools of a published manifest, the parameters of one, and the text of one description. */
  PLUG_TOOLS_MAX: 256,
  PLUG_PARAMETERS_MAX: 64,
  PLUG_DESCRIPTION_MAX_CHARS: 4_000,
  /** Entries that a manifest may list as credentials and as host_capabilities. */
  PLUG_CREDENTIALS_MAX: 64,
  PLUG_CAPABILITIES_MAX: 64,
  DISTRIBUTION_PATH_MAX_CHARS: 1_024,
  DISTRIBUTION_NAME_MAX_CHARS: 214,
  /** Plugins, and versions of them, that a host holds copies of; what runners have of them, too. */
  PLUG_COPIES_MAX: 1_000,
  /** Places that the difference between two versions names. */
  VERSION_CHANGES_MAX: 500,

  // The client in the iframe and the bridge in the page (design §4, §7, §8)
  CLIENT_TOOLS_TIMEOUT_MS: 70_000,
  CLIENT_AGENT_TIMEOUT_MS: 300_000,
  CLIENT_TIMEOUT_MARGIN_MS: 5_000,
  HELLO_TIMEOUT_MS: 2_000,
  BRIDGE_WAITING_MAX: 256,
  SLOW_CONNECTIONS_MAX: 3,
  FAST_CONNECTIONS_MAX: 2,
  CALL_TEXT_MAX_BYTES: 6_291_456,
  RUN_TEXT_MAX_BYTES: 178_257_920,
  BEFORE_CLOSE_MS: 1_000,
  /** What the calls waiting in the page may hold together, in UTF-16 units: room for one run. */
  BRIDGE_WAITING_MAX_CHARS: 178_257_920,
  /** What the last quick calls of a document that went away (a save) still have to reach the host. */
  LAST_CALLS_MS: 1_000,
  /** POSTs of documents that went away which a window lets end; older ones are given up. */
  LAST_POSTS_MAX: 2,
  /** Calls in one post between document and page; a longer list is no list. */
  LIST_MAX_CALLS: 1_024,
  /** The page's wait for a route that is no call: mount, renew, close. */
  ROUTE_TIMEOUT_MS: 10_000,
  /** Events kept for a document that does not listen yet; the oldest go first. */
  EVENTS_KEPT: 256,
  /** How long the first window of a page waits for its place in the event stream before it is opened without one. */
  EVENT_CURSOR_MS: 2_000,
  /** The longest pause between two tries to reach the event stream. */
  EVENT_RETRY_MAX_MS: 10_000,
  /** An event stream silent for this long (three missed comments) is taken for dead. */
  EVENT_SILENT_MS: 45_000,
  /** Uncaught errors that a document reports in a window of time. */
  ERROR_REPORTS_MAX: 10,
  ERROR_REPORTS_WINDOW_MS: 60_000,

  // A host among hosts (design §6)
  HOST_BEAT_MS: 1_000,
  HOST_DEAD_MS: 3_000,
  CACHE_STALE_MS: 1_000,
  SHUTDOWN_MS: 5_000,
} as const

/** The table of limits with its values widened. */
export type Limits = { readonly [Name in keyof typeof limits]: number }
