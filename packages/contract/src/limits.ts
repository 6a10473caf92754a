/**
 * Every number of the product, each with its unit in its name and a sentence on what it does, which the reference shows.
 *
 * KB and MiB are powers of 1 024.
 * `createHost({ limits })` overrides those that the host reads at run time; they are listed in its `hostLimits`.
 */
export const limits = {
  // Tokens and sign-ins
  /** How long the token of a window lives; the page renews it at half of that. */
  WINDOW_TOKEN_TTL_MS: 120_000,
  /** How long the token of an agent session lives; a refresh gives a new one. */
  SESSION_TOKEN_TTL_MS: 600_000,
  /** How far a token's clock may be off. */
  TOKEN_SKEW_MS: 2_000,
  /** Verified tokens that one process remembers. */
  VERIFIED_TOKENS_MAX: 10_000,
  /** The longest text that is looked at as a token. */
  TOKEN_MAX_CHARS: 4_096,
  /** How long the cookie of the development sign-in lives. */
  SIGN_IN_TTL_MS: 2_592_000_000,
  /** The name of a user of the development sign-in. */
  USER_MAX_CHARS: 64,
  /** How often an erase looks for records of a user: past it something of his must still be under way. */
  ERASE_PASSES_MAX: 20,

  // The audit log
  /** The least length of the operator's token. */
  OPERATOR_TOKEN_MIN_CHARS: 32,
  /** Entries that each of the audit logs keeps: past it the oldest go. */
  AUDIT_KEPT: 50_000,
  /** What the entries of each log may hold. */
  AUDIT_MAX_BYTES: 33_554_432,
  /** An entry is kept no longer than this. */
  AUDIT_KEPT_MS: 7_776_000_000,
  /** A text of an entry; the rest is cut off. */
  AUDIT_TEXT_MAX_CHARS: 200,
  /** Entries that wait to be written; past it new ones are lost, and the log of the host says how many. */
  AUDIT_WAITING_MAX: 10_000,
  /** Entries that one read may ask for. */
  AUDIT_PAGE_MAX: 1_000,
  /** Entries that it gets where it names no number. */
  AUDIT_PAGE_DEFAULT: 100,
  /** Entries that one read looks at for those that it asks for. */
  AUDIT_LOOKED_AT_MAX: 2_000,

  // Agent sessions
  /** An agent session without a run for this long expires. */
  AGENT_IDLE_TTL_MS: 1_800_000,
  /** An agent session expires after this, however busy it is. */
  AGENT_MAX_LIFETIME_MS: 86_400_000,
  /** The same for a session of the kind `complete`: without a run. */
  COMPLETE_IDLE_TTL_MS: 900_000,
  /** The same for a session of the kind `complete`: however busy. */
  COMPLETE_MAX_LIFETIME_MS: 3_600_000,
  /** An expired session stays readable this long before the reaper revokes it. */
  EXPIRED_KEEP_MS: 86_400_000,
  /** A revoked session stays listed this long before it is deleted with its messages. */
  REVOKED_RETENTION_MS: 86_400_000,
  /** How often what has expired is looked for. */
  REAPER_INTERVAL_MS: 1_000,
  /** From a window's close to the end of its sessions. */
  SESSION_CLOSE_GRACE_MS: 30_000,
  /** Active sessions of one app of a user. */
  SESSIONS_PER_APP: 256,
  /** Active sessions of all apps of a user. */
  SESSIONS_PER_USER: 1_024,
  /** Ended sessions that are kept of them: past it the oldest go, however young. */
  SESSIONS_KEPT_PER_APP: 256,
  /** The same over all apps of a user. */
  SESSIONS_KEPT_PER_USER: 1_024,
  /** The system prompt of a session. */
  SYSTEM_PROMPT_MAX_CHARS: 32_000,
  /** Steps of a run (an answer of the model and the tools that it calls) where the run names none. */
  RECURSION_LIMIT_DEFAULT: 8,
  /** Tokens that one answer of a model may have where neither the call nor the grants say. */
  MAX_TOKENS_PER_CALL_DEFAULT: 4_096,
  /** Messages that one read of a session's history may ask for. */
  HISTORY_LIMIT_MAX: 200,
  /** Messages that it gets where it names no number. */
  HISTORY_LIMIT_DEFAULT: 50,
  /** Sessions that one list may ask for. */
  SESSION_LIST_MAX: 100,
  /** Sessions that it gets where it names no number. */
  SESSION_LIST_DEFAULT: 50,
  /** The label of a session. */
  SESSION_LABEL_MAX_CHARS: 120,
  /** Names of tools that a session lists, and that a run may narrow them to. */
  GRANTED_TOOLS_MAX: 1_024,
  /** What one tool may answer a model, as JSON. */
  SESSION_TOOL_RESULT_MAX_BYTES: 262_144,
  /** What `web.fetch` and the tool `web_fetch` read of a page, and what a tool gives a model of a text at once. */
  WEB_FETCH_MAX_BYTES: 2_097_152,
  /** What a tool gives a model of a text at once. */
  WEB_FETCH_TEXT_MAX_CHARS: 40_000,
  /** Runs of one session that wait or run, where its caps say nothing. */
  CONCURRENT_RUNS_DEFAULT: 4,
  /** The text that a run begins with. */
  RUN_CONTENT_MAX_CHARS: 1_048_576,
  /** Steps that a run may ask for. */
  RECURSION_LIMIT_MAX: 64,
  /** A run and its run_id stay known this long after it ended; its frames as `STREAM_RETAIN_MS` says. */
  RUN_KEPT_MS: 86_400_000,
  /** Ended runs that are kept of one app of a user, and of all apps of a user: past it the oldest go, however young. */
  RUNS_KEPT_PER_APP: 1_000,
  /** The same over all apps of a user. */
  RUNS_KEPT_PER_USER: 2_000,
  /** A run silent for this long gets a keepalive. */
  RUN_KEEPALIVE_MS: 15_000,
  /** A run looks for its cancel after so many stream events. */
  RUN_CHECK_EVENTS: 30,
  /** How often a run looks for its cancel between stream events. */
  RUN_CHECK_MS: 1_000,
  /** What a run may take in all; every single answer of a model is held to its own times besides. */
  RUN_TOTAL_MS: 3_600_000,
  /** A longer piece of text goes in several frames. */
  RUN_DELTA_MAX_CHARS: 16_384,
  /** How long the user's answer about a destructive tool is waited for; the time counts as time of the call. */
  APPROVAL_WAIT_MS: 45_000,
  /** Calls of one app of a user that wait for such an answer. */
  APPROVALS_WAITING_PER_APP: 4,
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
  /** Messages that a session keeps, and what of the newest of them a model is given, as JSON. */
  SESSION_MESSAGES_MAX: 2_000,
  /** What of the newest messages a model is given, as JSON. */
  SESSION_CONTEXT_MAX_BYTES: 1_048_576,
  /** What the messages that a session keeps may hold, as JSON; the newest one is kept in any case. */
  SESSION_MESSAGES_MAX_BYTES: 8_388_608,
  /** Attachments of one run. */
  ATTACHMENTS_PER_RUN: 6,
  /** What the images of one user's runs may take of a host's memory: those of `CONCURRENT_RUNS_DEFAULT` runs fit. */
  RUN_IMAGES_MAX_BYTES: 536_870_912,
  /** One attachment, decoded. */
  ATTACHMENT_MAX_BYTES: 20_971_520,
  /** The longest side that the header of an attachment may tell: a few bytes can stand for gigabytes of pixels. */
  ATTACHMENT_SIDE_MAX_PX: 8_192,

  // URLs that users give (docs/decisions/0036-urls-and-attachments.md)
  /** The longest URL that a user may give. */
  PUBLIC_URL_MAX_CHARS: 2_048,
  /** From the lookup of a name to the last byte, redirects included. */
  PUBLIC_FETCH_MS: 15_000,
  /** What may come from such a URL. */
  PUBLIC_FETCH_MAX_BYTES: 20_971_520,
  /** The headers of an answer to it. */
  PUBLIC_HEADERS_MAX_BYTES: 16_384,
  /** Redirects that are followed, each judged like the URL itself. */
  PUBLIC_REDIRECTS_MAX: 3,

  // Credentials
  /** The name of a credential. */
  CREDENTIAL_NAME_MAX_CHARS: 128,
  /** Credentials of one plugin that are read. */
  CREDENTIALS_PER_PLUGIN: 64,
  /** What the operator's side may take for one answer about them. */
  CREDENTIALS_MS: 10_000,

  // The web
  /** The query of `web.search`. */
  WEB_QUERY_MAX_CHARS: 400,
  /** Results that `web.search` may ask for. */
  WEB_RESULTS_MAX: 20,
  /** Results that it gets where it names no number. */
  WEB_RESULTS_DEFAULT: 10,
  /** What a result of a search keeps of its title, and of its snippet. */
  WEB_RESULT_TEXT_MAX_CHARS: 4_000,
  /** What the operator's search may take. */
  WEB_SEARCH_MS: 15_000,

  // Windows
  /** A window silent for this long is stale; its next call wakes it. */
  WINDOW_STALE_MS: 300_000,
  /** A window silent for this long is closed. */
  WINDOW_SILENT_CLOSE_MS: 86_400_000,
  /** A closed window's record goes this long after it was closed. */
  CLOSED_WINDOW_KEEP_MS: 3_600_000,
  /** The time of a window's last call is written down when it is older than this. */
  WINDOW_SEEN_WRITE_MS: 30_000,
  /** Open windows of one user. */
  WINDOWS_OPEN_MAX: 256,
  /** Open windows of one app of a user. */
  WINDOWS_PER_APP: 128,
  /** The client beats this often. */
  HEARTBEAT_INTERVAL_MS: 10_000,
  /** The title of a window. */
  TITLE_MAX_CHARS: 120,
  /** The reason with which a window is closed. */
  CLOSE_REASON_MAX_CHARS: 200,
  /** The message of a reported error. */
  ERROR_MESSAGE_MAX_CHARS: 4_000,
  /** What of that message is logged. */
  ERROR_LOGGED_MAX_CHARS: 500,
  /** Reported errors of one window that are logged in a minute; of the others their number. */
  ERRORS_LOGGED_PER_MINUTE: 30,
  /** The stack of a reported error. */
  ERROR_STACK_MAX_CHARS: 16_000,
  /** The `context` of a reported error, as JSON. */
  ERROR_CONTEXT_MAX_BYTES: 16_384,
  /** The name of a view. */
  VIEW_NAME_MAX_CHARS: 64,
  /** The least width and height that a view may name. */
  VIEW_SIZE_MIN_PX: 120,
  /** The greatest width and height that a view may name. */
  VIEW_SIZE_MAX_PX: 10_000,
  /** The width of a view that names none. */
  VIEW_WIDTH_DEFAULT_PX: 640,
  /** The height of a view that names none. */
  VIEW_HEIGHT_DEFAULT_PX: 480,
  /** Room for what a page keeps with a window: its payload and the client's description. */
  WINDOW_PAYLOAD_MAX_BYTES: 65_536,
  /** What a window keeps where storage is in its state. */
  WINDOW_STATE_MAX_BYTES: 262_144,

  // The RPC endpoint
  /** Calls of one window that a host serves at once. */
  IN_FLIGHT_PER_WINDOW: 64,
  /** The body of a call, or of a list of calls. */
  RPC_BODY_MAX_BYTES: 6_291_456,
  /** The body of a run with attachments, read only for apps with an agent submode. */
  RUN_BODY_MAX_BYTES: 178_257_920,
  /** Texts, brackets and commas that a body over `RPC_BODY_MAX_BYTES` may have. */
  LONG_BODY_PARTS_MAX: 16_384,
  /** Bytes in one text of such a body. */
  LONG_BODY_TEXT_MAX_BYTES: 33_554_432,
  /** Bytes in one name of such a body. */
  LONG_BODY_NAME_MAX_BYTES: 256,
  /** Lists and objects of any JSON body: what takes longest to parse. */
  BODY_CONTAINERS_MAX: 65_536,
  /** Names of fields of any JSON body. */
  BODY_NAMES_MAX: 262_144,
  /** Counted from the root of the body. */
  BODY_DEPTH_MAX: 64,
  /** A JSON body of more than this is parsed in another thread. */
  BODY_APART_BYTES: 131_072,
  /** Values and names of such a body, without what goes on as text: arguments of tools and values of storage. */
  APART_VALUES_MAX: 65_536,
  /** Numbers of a body whose text JavaScript would change, such as `1.0` and `1e400`; past it a body is refused. */
  EXACT_NUMBERS_MAX: 20_000,
  /** The longest `id` of a call. */
  CALL_ID_MAX_CHARS: 256,
  /** The longest `ns` or `method` that is looked up. */
  NAME_MAX_CHARS: 64,
  /** Envelopes in one array body. */
  BATCH_MAX_CALLS: 64,
  /** How long the head of a request, and a whole request, may take to arrive. */
  HTTP_HEADERS_MS: 10_000,
  /** How long a whole request may take to arrive. */
  HTTP_REQUEST_MS: 120_000,
  /** How long an answer of an array body may wait for others to leave with it. */
  ANSWERS_GATHER_MS: 2,
  /** Bodies of one user, or of one address without a sign-in, that are being read; more are refused unread. */
  BODIES_PER_OWNER: 256,
  /** What they may hold together; a body alone may be as large as its route takes. */
  BODIES_BYTES_PER_OWNER: 41_943_040,
  /** What all bodies that are being read may hold; past it only small ones and those of who holds little are taken. */
  BODIES_BYTES_MAX: 268_435_456,
  /** A body of no more than this is not held to the bytes above. */
  BODY_SMALL_BYTES: 65_536,
  /** Bytes of larger bodies of one owner in a second, over time; who sent more waits before the next one is read. */
  BODIES_BYTES_PER_SECOND: 16_777_216,
  /** Such bytes at once. */
  BODIES_BYTES_BURST: 33_554_432,
  /** The longest wait for that. */
  BODIES_WAIT_MAX_MS: 5_000,
  /** A request of whose body nothing came for this long is cut off. */
  BODY_STALLED_MS: 10_000,
  /** Connections that a host has open; more are closed at once. */
  CONNECTIONS_MAX: 8_192,
  /** Connections of one address; those of trusted proxies are not counted. */
  CONNECTIONS_PER_ADDRESS: 1_024,
  /** Event streams of one user that are open. */
  EVENT_STREAMS_PER_USER: 64,
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
  /** How long a call socket stays busy after that. */
  CALL_SOCKET_BUSY_MS: 25,
  /** How long the answers on a busy call socket wait for each other. */
  CALL_SOCKET_GATHER_MS: 6,
  /** A call socket that gives no sign of life for two of these is cut. */
  CALL_SOCKET_PING_MS: 15_000,
  /** The line before a body on a call socket: a number and a token. */
  CALL_SOCKET_HEAD_MAX_BYTES: 8_192,

  // Rates (classes: docs/reference/limits.md); each over time, and at once after a time of rest
  /** Calls of one user in a second, over time. */
  RATE_CALL_PER_SECOND: 5_000,
  /** Calls of one user at once. */
  RATE_CALL_BURST: 200_000,
  /** Windows that one user may open in a second, over time. */
  RATE_OPEN_PER_SECOND: 20,
  /** Windows that one user may open at once. */
  RATE_OPEN_BURST: 2_000,
  /** Calls of one user for the web and for images in a second, over time. */
  RATE_COSTLY_PER_SECOND: 5,
  /** Calls of one user for the web and for images at once. */
  RATE_COSTLY_BURST: 1_000,
  /** Requests of one user to models in a second, over time. */
  RATE_MODEL_PER_SECOND: 50,
  /** Requests of one user to models at once. */
  RATE_MODEL_BURST: 5_000,
  /** Reports of errors of one user's apps in a second, over time. */
  RATE_REPORT_PER_SECOND: 2,
  /** Reports of errors of one user's apps at once. */
  RATE_REPORT_BURST: 100,
  /** Requests of one user that are no calls in a second, over time. */
  RATE_ROUTE_PER_SECOND: 500,
  /** Requests of one user that are no calls at once. */
  RATE_ROUTE_BURST: 20_000,
  /** Pushes, releases, installs and publishing of one user in a second, over time. */
  RATE_PUBLISH_PER_SECOND: 20,
  /** Pushes, releases, installs and publishing of one user at once. */
  RATE_PUBLISH_BURST: 4_000,
  /** Requests of one address that need no sign-in in a second, over time. */
  RATE_PUBLIC_PER_SECOND: 2_000,
  /** Requests of one address that need no sign-in at once. */
  RATE_PUBLIC_BURST: 50_000,
  /** Sign-ins of one address in a second, over time. */
  RATE_SIGN_IN_PER_SECOND: 50,
  /** Sign-ins of one address at once. */
  RATE_SIGN_IN_BURST: 3_000,
  /** Requests of one address that were refused for their token or sign-in in a second, over time. */
  RATE_REFUSED_PER_SECOND: 1_000,
  /** Requests of one address that were refused for their token or sign-in at once. */
  RATE_REFUSED_BURST: 20_000,
  /** Bodies of reports of browsers from one address in a second, over time. */
  RATE_BROWSER_PER_SECOND: 5,
  /** Bodies of reports of browsers from one address at once. */
  RATE_BROWSER_BURST: 200,
  /** One body of reports of a browser. */
  BROWSER_REPORTS_MAX_BYTES: 65_536,
  /** Reports that are taken of one body, the first ones: a browser sends no more at once. */
  BROWSER_REPORTS_PER_BODY: 100,
  /** Reports of browsers that a host logs in a minute: so many that name a window, and so many others. */
  BROWSER_REPORTS_LOGGED_PER_MINUTE: 120,
  /** Of those that name a window: reports of one window that a host logs in a minute. */
  BROWSER_REPORTS_LOGGED_PER_WINDOW: 12,
  /** Refusals with `rate_limited` that go out to one address in a second, over time; more of them wait. */
  REFUSALS_PER_SECOND: 100,
  /** Such refusals at once. */
  REFUSALS_BURST: 100,
  /** The longest that one waits: who asks again at once asks this much later. */
  REFUSALS_WAIT_MAX_MS: 5_000,
  /** What of a user's rate one app may take, in percent, so that it leaves something to the others. */
  RATE_APP_PERCENT: 75,
  /** All addresses together may have so many times the rate of one. */
  RATE_HOST_TIMES: 20,
  /** Users, apps or addresses that are counted of one class; past it those that asked longest ago are forgotten. */
  RATE_KEYS_MAX: 20_000,

  /** How often a host measures its memory and its event loop. */
  LOAD_SAMPLE_MS: 1_000,
  /** A host whose event loop is late by this three times in a row takes less of the greediest. */
  LOAD_LAG_MAX_MS: 1_000,
  /** The same for a host that uses so much of its heap, or of the memory of its machine or container. */
  LOAD_MEMORY_PERCENT: 90,
  /** Requests of a user or an address that are taken meanwhile in the time between two measurements. */
  LOAD_FREE_REQUESTS: 20,

  // Tools
  /** The least timeout that a call of a tool may ask for. */
  SYNC_TIMEOUT_MIN_MS: 1_000,
  /** The longest one; more is lowered to it. */
  SYNC_TIMEOUT_MAX_MS: 90_000,
  /** The timeout where neither the call nor the tool names one. */
  SYNC_TIMEOUT_DEFAULT_MS: 65_000,
  /** How much longer than its timeout a call is waited for, so that the plugin's own answer comes first. */
  SYNC_GRACE_MS: 2_000,
  /** The arguments, and the result, of a call of a tool as JSON. */
  SYNC_PAYLOAD_MAX_BYTES: 4_194_304,
  /** The result of a job as JSON. */
  ASYNC_RESULT_MAX_BYTES: 262_144,
  /** The arguments of a job as JSON. */
  ASYNC_ARGS_MAX_BYTES: 65_536,
  /** The name of a tool, and the id or handle of a plugin. */
  TOOL_ID_MAX_CHARS: 256,
  /** How long a job may take that names no timeout. */
  JOB_DEADLINE_DEFAULT_MS: 1_800_000,
  /** The shortest time that a job gets; less is raised to it. */
  JOB_DEADLINE_MIN_MS: 60_000,
  /** The longest time; more is lowered to it. */
  JOB_DEADLINE_MAX_MS: 86_400_000,
  /** Jobs of a user that wait or run. */
  JOBS_ACTIVE_PER_USER: 5,
  /** Jobs that one runner runs at once. */
  JOBS_RUNNING_PER_RUNNER: 3,
  /** Jobs that a runner takes beyond those that it runs. */
  RUNNER_QUEUE_MAX: 2,
  /** How often a host looks for jobs that wait for a runner which is connected to it. */
  JOB_TAKE_UP_MS: 5_000,
  /** Progress that one read of a job may ask for. */
  JOB_GET_LIMIT_MAX: 500,
  /** Jobs that one list may ask for. */
  JOB_LIST_LIMIT_MAX: 100,
  /** Jobs that it gets where it names no number. */
  JOB_LIST_LIMIT_DEFAULT: 20,
  /** Progress that a list shows of each job: its last. */
  JOB_LISTED_PROGRESS: 5,
  /** How far back a list of jobs looks. */
  JOB_LOOKBACK_MS: 604_800_000,
  /** The tag that an app puts on a job. */
  CLIENT_TAG_MAX_CHARS: 120,
  /** The reason with which a job is cancelled. */
  CANCEL_REASON_MAX_CHARS: 200,
  /** A job that runs gives a sign of life this often. */
  JOB_HEARTBEAT_MS: 5_000,
  /** The client reads a job that no event tells of after this, then ever later up to the second number. */
  JOB_POLL_MS: 1_000,
  /** The longest pause between two such reads. */
  JOB_POLL_MAX_MS: 5_000,
  /** Progress that is told by events is read at most this often. */
  JOB_READ_GAP_MS: 100,
  /** A job that has ended can be read this long: as far as `listJobs` looks back. */
  JOB_KEPT_MS: 604_800_000,
  /** Ended jobs that are kept of one app of a user, and of all apps of a user: past it the oldest go, however young. */
  JOBS_KEPT_PER_APP: 200,
  /** The same over all apps of a user. */
  JOBS_KEPT_PER_USER: 500,
  /** What the results in one list of jobs may hold together: past it the list ends early. */
  JOB_LIST_RESULTS_MAX_BYTES: 4_194_304,
  /** Progress of one job that is taken in a second; more is dropped and counted. */
  PROGRESS_PER_SECOND: 50,
  /** Progress that is kept of one job: its last. */
  PROGRESS_KEPT: 500,
  /** One progress of a job as JSON. */
  PROGRESS_MAX_BYTES: 8_192,
  /** What the kept progress of a job that has ended may hold: past it the oldest goes. */
  PROGRESS_ENDED_MAX_BYTES: 1_048_576,
  /** How long a cancelled plugin has before its processes are killed. */
  CANCEL_KILL_MS: 500,
  /** A plugin's own request to the host. */
  SUBCALL_TIMEOUT_MS: 30_000,

  // Runner and plugin processes
  /** How long a plugin may take to say what it is. */
  DESCRIBE_TIMEOUT_MS: 10_000,
  /** The pause before a plugin that did not describe itself is asked again; it doubles up to the second number. */
  DESCRIBE_RETRY_MS: 30_000,
  /** The longest such pause. */
  DESCRIBE_RETRY_MAX_MS: 600_000,
  /** One line of stdio. */
  LINE_MAX_BYTES: 16_777_216,
  /** Warm processes a user and plugin, a runner, and for how long. */
  POOL_PER_PLUGIN: 4,
  /** Warm processes of all plugins of a runner. */
  POOL_PER_RUNNER: 64,
  /** Places of a runner that nobody takes who holds one already, so that others find one at once; a quarter at most. */
  POOL_RESERVE: 16,
  /** How long a process stays warm that nobody calls. */
  POOL_IDLE_MS: 60_000,
  /** Tools that one `describe` may list. */
  DESCRIBE_TOOLS_MAX: 256,
  /** The description of one tool or parameter; the rest is cut off. */
  DESCRIPTION_MAX_CHARS: 4_000,
  /** What is kept of a plugin's stderr for one log record. */
  STDERR_LINE_MAX_BYTES: 8_192,
  /** Parameters that one tool may describe, and the JSON text of its schema. */
  DESCRIBE_PARAMETERS_MAX: 64,
  /** The JSON text of a tool's schema. */
  INPUT_SCHEMA_MAX_BYTES: 65_536,
  /** Nesting of a payload: what walks a value by recursion gives up at about 4 000 levels. */
  RESULT_DEPTH_MAX: 1_000,
  /** Lines without a reply in them that a plugin may write before its stdout rests, and for how long. */
  NOISE_BURST_LINES: 1_000,
  /** How long the stdout of such a plugin rests. */
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
  /** Values and names of such a request. */
  SUBCALL_VALUES_MAX: 32_768,
  /** The answer to such a request. */
  SUBCALL_ANSWER_MAX_BYTES: 4_194_304,
  /** Sessions of plugins whose token one process keeps at hand; the ones used longest ago go first. */
  PLUGIN_SESSIONS_MAX: 10_000,
  /** Folders of killed runners that one start removes. */
  SWEEP_FOLDERS_MAX: 100,
  /** Names of folders among which one start looks for them. */
  SWEEP_NAMES_MAX: 10_000,
  /** How long one start looks for them. */
  SWEEP_MS: 10_000,
  /** What one try of a way to keep a plugin's processes together may take. */
  FENCE_PROBE_MS: 10_000,
  /** Memory of a plugin process with all that it starts; of one process, what it may reserve to write to. */
  PLUGIN_MEMORY_MAX_BYTES: 2_147_483_648,
  /** Processes that a plugin process may have with itself. */
  PLUGIN_PROCESSES_MAX: 256,
  /** Memory of all plugin processes of a user on a runner: past it the one that holds the most of it is ended. */
  USER_MEMORY_MAX_BYTES: 8_589_934_592,
  /** Processes of all plugins of a user on a runner, with all that they start; past it the one with the most is ended. */
  USER_PROCESSES_MAX: 1_024,
  /** Threads of one plugin process with all that it starts, where the runner is not root: the kernel counts them. */
  PLUGIN_THREADS_MAX: 2_048,
  /** Files that one process of a plugin may have open. */
  PLUGIN_OPEN_FILES_MAX: 1_024,
  /** One file that a plugin writes. */
  PLUGIN_FILE_MAX_BYTES: 1_073_741_824,
  /** All files in the folder of a plugin process. */
  PLUGIN_DISK_MAX_BYTES: 2_147_483_648,
  /** How many they may be, folders included. */
  PLUGIN_DISK_MAX_FILES: 50_000,
  /** What a plugin process may write to `/tmp` and its home, which are in memory. */
  PLUGIN_TMP_MAX_BYTES: 67_108_864,
  /** Shared memory of a plugin process by name. */
  PLUGIN_SHARED_MEMORY_MAX_BYTES: 67_108_864,
  /** Seconds of CPU of a plugin process with all that it starts, in its life: a job of a day on one core. */
  PLUGIN_CPU_MAX_S: 86_400,
  /** Connections that a plugin process may have to the hosts that it reaches. */
  EGRESS_CONNECTIONS_MAX: 32,
  /** From its wish to the connection. */
  EGRESS_CONNECT_MS: 10_000,
  /** A connection on which nothing moves for so long is closed. */
  EGRESS_IDLE_MS: 120_000,
  /** What a machine says of the walls that it lacks. */
  RUNNER_PROBLEM_MAX_CHARS: 400,
  /** How often a runner looks at what a plugin's processes and folder take. */
  PLUGIN_WATCH_MS: 500,
  /** From a plugin's start to writing its compile cache: past the first answer, so that it waits for nothing. */
  COMPILE_CACHE_FLUSH_MS: 500,
  /** What a plugin's refusal shows of an argument. */
  ARGUMENT_SHOWN_CHARS: 80,

  // Installs of plugins
  /** One install, from its turn to the last file; also how long `Runner.install` waits. */
  INSTALL_TIMEOUT_MS: 300_000,
  /** An install that failed is told again this long before it is tried again. */
  INSTALL_RETRY_MS: 10_000,
  /** Installs of a runner that are done at once; others wait. */
  INSTALLS_AT_ONCE: 2,
  /** A binary by its URL, in place of `PUBLIC_FETCH_MS` and `PUBLIC_FETCH_MAX_BYTES`: programs are larger than pictures. */
  INSTALL_DOWNLOAD_MS: 120_000,
  /** The size of a binary by its URL. */
  INSTALL_DOWNLOAD_MAX_BYTES: 67_108_864,
  /** What is kept of an installer's output, and how many of its last lines and characters a failure shows. */
  INSTALL_OUTPUT_KEPT_BYTES: 8_192,
  /** How many of its last lines a failure shows. */
  INSTALL_OUTPUT_SHOWN_LINES: 6,
  /** How many of its last characters a failure shows. */
  INSTALL_OUTPUT_SHOWN_CHARS: 600,
  /** An install that nobody started for this long is removed at the next start of a runner. */
  INSTALL_KEPT_MS: 2_592_000_000,
  /**
   * What a frozen version needs may have been published so long after it was frozen: the clocks of host and registry
   * differ.
   */
  INSTALL_FROZEN_SLACK_MS: 600_000,
  /** How far the clock of a host may be ahead of that of a machine which is told when a version was frozen. */
  INSTALL_FROZEN_AHEAD_MS: 86_400_000,
  /** What a runner knows of an install before it looks again whether it is there, which also counts as its use. */
  INSTALL_KNOWN_MS: 3_600_000,
  /** Files of an install that are looked at in one turn of the loop, before each start. */
  INSTALL_CHECK_BATCH: 64,

  // MCP servers as plugins
  /** From the start of a server to its tools: short of `DESCRIBE_TIMEOUT_MS`, so that the reason is told in time. */
  MCP_START_MS: 8_000,
  /** A call that names no deadline. */
  MCP_CALL_MS: 90_000,
  /** From the end of a server's stdin to SIGTERM, and from there to SIGKILL: both within `CANCEL_KILL_MS`. */
  MCP_END_MS: 200,
  /** Pages of its list of tools that are read. */
  MCP_PAGES_MAX: 64,

  // Machines that users enrol, and their links
  /** Machines that one user may enrol. */
  RUNNERS_PER_USER: 16,
  /** The name of a machine. */
  RUNNER_NAME_MAX_CHARS: 80,
  /** Kinds of distribution that are kept of what a machine says it can install. */
  RUNNER_INSTALLS_MAX: 16,
  /** How often a host asks a machine for a sign of life, and the silence after which either side takes the other for lost. */
  RUNNER_PING_MS: 1_000,
  /** The silence after which either side of a link takes the other for lost. */
  RUNNER_SILENT_MS: 3_000,
  /** Before that is believed, what lies unread is looked at once more. */
  RUNNER_LOOK_MS: 50,
  /** From a link's connection to what its machine says of itself. */
  RUNNER_HELLO_MS: 5_000,
  /** How often a link that stands looks whether its machine is still enrolled, and writes down that it was seen. */
  RUNNER_SEEN_WRITE_MS: 30_000,
  /** What one try to connect may take. */
  RUNNER_CONNECT_MS: 10_000,
  /** How long a call, a job or an install waits for a machine's own decision on whether a plugin may run there. */
  RUNNER_ALLOW_MS: 30_000,
  /** Questions about plugins that svc runner has open on its terminal at once; past them a plugin is refused. */
  RUNNER_QUESTIONS_MAX: 8,
  /** The pause before a machine connects again: it doubles up to the second number until a link stood for the third. */
  RUNNER_RETRY_MS: 500,
  /** The longest such pause. */
  RUNNER_RETRY_MAX_MS: 30_000,
  /** A link that stood this long begins with the first pause again. */
  RUNNER_STEADY_MS: 10_000,
  /** How much later than on its machine a call ends on the host. */
  LINK_GRACE_MS: 1_000,
  /** A longer message travels in parts of this length, in turns with others. */
  LINK_PART_BYTES: 65_536,
  /** What stands before the body of a message. */
  LINK_HEAD_MAX_BYTES: 32_768,
  /** What waits in a socket, and what of parts is on its way to a reader that has not said that it took them. */
  LINK_BUFFER_MAX_BYTES: 262_144,
  /** What of parts is on its way to a reader that has not said that it took them. */
  LINK_WINDOW_BYTES: 524_288,
  /** Small messages that wait: past it progress is dropped, and requests of plugins are not answered. */
  LINK_QUEUE_MAX_BYTES: 4_194_304,
  /** One message on a link. */
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
  /** Frames of a stream that may wait in the client for one that is missing. */
  STREAM_BUFFER_FRAMES: 256,
  /** How long frames stay after `end`. */
  STREAM_RETAIN_MS: 300_000,
  /** A gap older than this, and a silence this long, ask for a replay. */
  STREAM_GAP_MS: 250,
  /** A stream silent for this long asks for a replay. */
  STREAM_SILENT_MS: 60_000,
  /** Frames that outrun the reply of their run wait: so many streams, this long. */
  STREAM_EARLY_MAX: 8,
  /** How long frames that outrun the reply of their run wait. */
  STREAM_EARLY_MS: 30_000,
  /** A run's first frame is written when the run is accepted: the client asks for it when it is not there by then. */
  STREAM_FIRST_MS: 2_000,
  /** How long the client waits for the answer of one attach, and at most between two of them. */
  STREAM_ATTACH_MS: 10_000,
  /** The longest pause between two attaches of a client. */
  STREAM_RETRY_MAX_MS: 5_000,
  /** Replays in a row that bring nothing of what the host says it has. */
  STREAM_REPLAYS_MAX: 8,
  /** Streams that a page names when it connects again. */
  EVENT_STREAMS_MAX: 128,
  /** Events that are kept for readers who connect again, and how long. */
  JOURNAL_KEPT_EVENTS: 10_000,
  /** How long events are kept for readers who connect again. */
  JOURNAL_KEPT_MS: 300_000,
  /** What the events of one user may hold: past it the oldest go, however young, and late readers get a `reset`. */
  JOURNAL_KEPT_BYTES: 16_777_216,
  /** How often the journals of quiet users, run out values and what nobody needs any more are looked at. */
  CLEAN_INTERVAL_MS: 60_000,
  /** Records of a kind that are thrown away at once. */
  CLEAN_RECORDS_MAX: 100,
  /** The pause before a page connects to the event stream again; it grows while that fails. */
  EVENT_RETRY_MS: 1_000,
  /** A silent event stream carries a comment this often. */
  EVENT_COMMENT_MS: 15_000,
  /** What a reader that does not read may cost, and for how long. */
  READER_BUFFER_MAX_BYTES: 1_048_576,
  /** What is read at once of a file that is sent: a reader that does not read holds two or three of them. */
  SERVED_PIECE_BYTES: 131_072,
  /** How long a reader that does not read is kept. */
  READER_STALLED_MS: 30_000,
  /** Windows that one event stream follows, and that one page may hold. */
  EVENT_WINDOWS_MAX: 64,
  /** Items that are read from a journal at once. */
  EVENT_READ_MAX: 1_000,
  /** The first event goes out at once; those of the next turns of the event loop go out together. */
  EVENT_GATHER_TURNS: 8,

  // Storage
  /** A key of storage. */
  STORAGE_KEY_MAX_CHARS: 1_024,
  /** The cursor of a list of keys or files. */
  CURSOR_MAX_CHARS: 16_384,
  /** Keys, or files, that a list gets where it names no number. */
  STORAGE_LIST_DEFAULT: 100,
  /** Keys, or files, that one list may ask for. */
  STORAGE_LIST_MAX: 1_000,
  /** The shortest life that a value may be given. */
  STORAGE_TTL_MIN_S: 1,
  /** The longest life that a value may be given. */
  STORAGE_TTL_MAX_S: 31_536_000,
  /** One value as JSON. */
  STORAGE_VALUE_MAX_BYTES: 4_194_304,
  /** Tags of one value. */
  STORAGE_TAGS_MAX: 64,
  /** One tag. */
  STORAGE_TAG_MAX_CHARS: 120,
  /** The metadata of one value as JSON. */
  STORAGE_METADATA_MAX_BYTES: 16_384,
  /** Keys in the scope `app` of one user, or in `shared`. */
  STORAGE_KEYS_PER_SPACE: 20_000,
  /** Keys of one user over all apps, what users share left out. */
  STORAGE_KEYS_PER_USER: 50_000,
  /** What such keys take in the scope `app` of one user, or in `shared`: keys, values, metadata and tags. */
  STORAGE_BYTES_PER_SPACE: 33_554_432,
  /** What these keys of one user take. */
  STORAGE_BYTES_PER_USER: 67_108_864,
  /** Values, run out or not, that one list looks at; past it the page ends early, with a cursor. */
  STORAGE_LIST_PASSED_MAX: 5_000,
  /** What keys, metadata and tags in one list may hold together; past it the page ends early, with a cursor. */
  STORAGE_LIST_MAX_BYTES: 524_288,

  // Uploads and files
  /** What `upload.inline` takes, decoded: its base64 fits the body of a call. */
  UPLOAD_INLINE_MAX_BYTES: 4_194_304,
  /** One upload through its URL. */
  UPLOAD_MAX_BYTES: 20_971_520,
  /** How long the URL of an upload takes its bytes. */
  UPLOAD_URL_TTL_MS: 600_000,
  /** From the arrival of the bytes to the call that confirms them. */
  UPLOAD_CONFIRM_MS: 600_000,
  /** The purpose that an app names for an upload. */
  UPLOAD_PURPOSE_MAX_CHARS: 64,
  /** The file name of an upload. */
  UPLOAD_FILENAME_MAX_CHARS: 255,
  /** Files, and uploads under way, of one app of a user and of all apps of a user; and their bytes. */
  FILES_PER_APP: 200,
  /** Files, and uploads under way, of all apps of a user. */
  FILES_PER_USER: 1_000,
  /** The bytes of the files of one app of a user. */
  FILES_BYTES_PER_APP: 134_217_728,
  /** The bytes of the files of all apps of a user. */
  FILES_BYTES_PER_USER: 536_870_912,

  // Files of an app, under paths
  /** A whole file, decoded: its base64 fits the body of a call. */
  APP_FILE_MAX_BYTES: 4_194_304,
  /** The path of such a file. */
  APP_FILE_PATH_MAX_CHARS: 1_024,
  /** The media type of such a file. */
  APP_FILE_MIME_MAX_CHARS: 127,
  /** In the scope `app` of one user, or in `shared`; and of one user over all apps. */
  APP_FILES_PER_SPACE: 500,
  /** Such files of one user over all apps. */
  APP_FILES_PER_USER: 1_000,
  /** Their bytes in the scope `app` of one user, or in `shared`. */
  APP_FILES_BYTES_PER_SPACE: 134_217_728,
  /** Their bytes of one user over all apps. */
  APP_FILES_BYTES_PER_USER: 536_870_912,
  /** What a write that broke off leaves behind goes after this. */
  APP_FILE_WRITE_MS: 60_000,

  // Models
  /** What a host without quotas of its own allows a user in a day (UTC). */
  COMPLETIONS_PER_DAY: 200,
  /** Runs of agent sessions that a user may have in a day (UTC) on a host without quotas of its own. */
  RUNS_PER_DAY: 200,
  /** Tokens that a user may use in a day (UTC) on such a host. */
  TOKENS_PER_DAY: 2_000_000,
  /** Images that a user may have drawn in a day (UTC) on such a host. */
  IMAGES_PER_DAY: 20,
  /** Searches of the web that a user may make in a day (UTC) on such a host. */
  SEARCHES_PER_DAY: 200,
  /** Pages that a user may have fetched in a day (UTC) on such a host, those of models included. */
  FETCHES_PER_DAY: 1_000,
  /** Both together that one app of a user may make in a day (UTC) on such a host. */
  WEB_CALLS_PER_APP_PER_DAY: 500,
  /** A day's counts stay this long after its end, for what was begun on it. */
  QUOTA_KEPT_MS: 172_800_000,
  /** Where a model tells no count of tokens, and before it does: UTF-8 bytes that are taken for one. */
  TOKEN_BYTES: 4,
  /** The name of a model. */
  MODEL_NAME_MAX_CHARS: 128,
  /** Names of models that a call may hint at. */
  MODEL_HINTS_MAX: 32,
  /** Texts of one `llm.embed`. */
  EMBED_INPUTS_MAX: 128,
  /** A model that gives no sign for this long, and an answer that has not ended after this, is given up. */
  MODEL_IDLE_MS: 60_000,
  /** An answer of a model that has not ended after this is given up. */
  MODEL_TOTAL_MS: 280_000,
  /** What a model may write in one answer, and what its server may send for it. */
  MODEL_TEXT_MAX_BYTES: 4_194_304,
  /** What the server of a model may send for one answer. */
  MODEL_RESPONSE_MAX_BYTES: 16_777_216,
  /** A model that fails before its first token is asked again this often, after a pause that doubles. */
  MODEL_RETRIES: 2,
  /** The first such pause. */
  MODEL_RETRY_MS: 500,

  // Images
  /** The prompt of an image. */
  IMAGE_PROMPT_MAX_CHARS: 8_000,
  /** Images that one call may ask for. */
  IMAGES_PER_CALL: 4,
  /** What names the image that is to be changed. */
  IMAGE_REF_MAX_CHARS: 1_024,
  /** The least side of an image. */
  IMAGE_SIDE_MIN_PX: 16,
  /** The greatest side of an image. */
  IMAGE_SIDE_MAX_PX: 4_096,

  // Chat
  /** A card in the chat as JSON. */
  ARTIFACT_MAX_BYTES: 65_536,

  // Apps and bundles (docs/decisions/0014-archives.md)
  /** How long a minted draft of a plugin waits for its commit. */
  DRAFT_LIFETIME_MS: 86_400_000,
  /** The files of a draft that another one replaced stay this long, and while a document of theirs is open. */
  BUNDLE_KEEP_MS: 3_600_000,
  /** Apps of one user. */
  APPS_PER_USER: 100,
  /** Releases of one app. */
  RELEASES_PER_APP: 100,
  /** What the drafts and releases of all apps of a user may hold, and replaced drafts that a window still shows. */
  BUNDLES_BYTES_PER_USER: 536_870_912,
  /** The body of a push of an app. */
  DRAFT_BODY_MAX_BYTES: 67_108_864,
  /** A manifest as canonical JSON. */
  MANIFEST_MAX_BYTES: 262_144,
  /** Entries of an archive. */
  ARCHIVE_ENTRIES_MAX: 10_000,
  /** All entries of an archive, unpacked. */
  ARCHIVE_BYTES_MAX: 268_435_456,
  /** One entry of an archive, unpacked. */
  ARCHIVE_ENTRY_MAX_BYTES: 67_108_864,
  /** Folders of a path in an archive. */
  ARCHIVE_DEPTH_MAX: 32,
  /** One name in a path in an archive. */
  ARCHIVE_NAME_MAX_BYTES: 255,
  /** How many times as large as its archive what is unpacked may be. */
  ARCHIVE_RATIO_MAX: 100,
  /** One extended header of a tar archive. */
  ARCHIVE_META_MAX_BYTES: 65_536,
  /** The slug of an app or plugin. */
  SLUG_MAX_CHARS: 40,
  /** The name of an app. */
  APP_NAME_MAX_CHARS: 80,
  /** Views of an app. */
  VIEWS_MAX: 32,
  /** Plugins that an app may require, and that it may name as optional. */
  PLUGS_MAX: 64,

  // Publishing plugins
  /** A draft that was committed or has expired stays known this long after its end. */
  DRAFT_KEPT_MS: 604_800_000,
  /** Drafts of one user that wait for their commit, and plugins that one user has. */
  DRAFTS_PER_USER: 64,
  /** Plugins that one user has. */
  PLUGS_PER_USER: 100,
  /** Plugins that a user has described at a time: each is an install on a machine. */
  DESCRIBES_PER_USER: 4,
  /** Versions of one plugin. */
  PLUG_VERSIONS_MAX: 256,
  /** The name of a plugin. */
  PLUG_NAME_MAX_CHARS: 80,
  /** The version of a plugin. */
  PLUG_VERSION_MAX_CHARS: 64,
  /** The verified name of a publisher. */
  PUBLISHER_NAME_MAX_CHARS: 64,
  /** What the author of a tool_id is called in it. */
  PLUG_AUTHOR_MAX_CHARS: 40,
  /** The README of a plugin. */
  PLUG_README_MAX_CHARS: 65_536,
  /** Sample prompts of a plugin. */
  PLUG_PROMPTS_MAX: 16,
  /** One sample prompt. */
  PLUG_PROMPT_MAX_CHARS: 1_000,
  /** Tags of a plugin. */
  PLUG_TAGS_MAX: 16,
  /** One tag of a plugin. */
  PLUG_TAG_MAX_CHARS: 40,
  /** The reason why a version is deprecated or yanked. */
  PLUG_REASON_MAX_CHARS: 500,
  /** Plugins on a page of a list that names no number. */
  PLUG_LIST_DEFAULT: 50,
  /** Plugins that one page may ask for. */
  PLUG_LIST_MAX: 100,
  /** Tools of a published manifest, the parameters of one, and the text of one description. */
  PLUG_TOOLS_MAX: 256,
  /** Parameters of one tool of a published manifest. */
  PLUG_PARAMETERS_MAX: 64,
  /** The text of one description in a published manifest. */
  PLUG_DESCRIPTION_MAX_CHARS: 4_000,
  /** Entries that a manifest may list as credentials and as host_capabilities. */
  PLUG_CREDENTIALS_MAX: 64,
  /** Entries that a manifest may list as `host_capabilities`. */
  PLUG_CAPABILITIES_MAX: 64,
  /** Hosts that the `reach` of a plugin may name. */
  REACH_HOSTS_MAX: 16,
  /** Folders that the `reach` of a plugin may name. */
  REACH_FOLDERS_MAX: 8,
  /** One host of a `reach`, its port included. */
  REACH_HOST_MAX_CHARS: 253,
  /** The path of a `local` distribution, or of a folder of a `reach`. */
  DISTRIBUTION_PATH_MAX_CHARS: 1_024,
  /** The name of a package. */
  DISTRIBUTION_NAME_MAX_CHARS: 214,
  /** Plugins, and versions of them, that a host holds copies of; what runners have of them, too. */
  PLUG_COPIES_MAX: 1_000,
  /** Places that the difference between two versions names. */
  VERSION_CHANGES_MAX: 500,

  // The client in the iframe and the bridge in the page
  /** How long the client waits for a call of a tool where nothing says how long that may take. */
  CLIENT_TOOLS_TIMEOUT_MS: 70_000,
  /** How long the client waits for methods of `agent` and `llm`, and the page for any POST. */
  CLIENT_AGENT_TIMEOUT_MS: 300_000,
  /** How much longer than the host the client waits. */
  CLIENT_TIMEOUT_MARGIN_MS: 5_000,
  /** How long the client waits for the page to answer its hello. */
  HELLO_TIMEOUT_MS: 2_000,
  /** Calls of a window that wait in the page behind the `IN_FLIGHT_PER_WINDOW` at the host, all of one tick among them. */
  BRIDGE_WAITING_MAX: 256,
  /** Connections of a page for calls that may take seconds. */
  SLOW_CONNECTIONS_MAX: 3,
  /** Connections of a page for quick calls. */
  FAST_CONNECTIONS_MAX: 2,
  /** One call as the page takes it from a document. */
  CALL_TEXT_MAX_BYTES: 6_291_456,
  /** One run with attachments as the page takes it from a document. */
  RUN_TEXT_MAX_BYTES: 178_257_920,
  /** How long an app may take to say whether its window may close. */
  BEFORE_CLOSE_MS: 1_000,
  /** What the calls waiting in the page may hold together, in UTF-16 units: room for one run. */
  BRIDGE_WAITING_MAX_CHARS: 178_257_920,
  /** What the last quick calls of a document that went away (a save) still have to reach the host. */
  LAST_CALLS_MS: 1_000,
  /** POSTs of documents that went away which a window lets end; older ones are given up. */
  LAST_POSTS_MAX: 2,
  /** Calls in one post between document and page; a longer list is not a list. */
  LIST_MAX_CALLS: 1_024,
  /** The page's wait for a route that is not a call: mount, renew, close. */
  ROUTE_TIMEOUT_MS: 10_000,
  /** Events kept for a document that does not listen yet; the oldest go first. */
  EVENTS_KEPT: 256,
  /** How long `mountWindow` and `attachWindow` wait for a document in their frame, where `timeoutMs` says nothing. */
  FRAME_LOAD_MS: 60_000,
  /** How long a frame that loaded, perhaps an error page of the browser, has to show that a document is in it. */
  FRAME_HELLO_MS: 5_000,
  /** How often the page looks whether an iframe is still in it, and counts its messages anew. */
  FRAME_LOOK_MS: 1_000,
  /** Looks in a row without an answer after which the page is told that a document does not respond. */
  FRAME_SILENT_LOOKS: 5,
  /** Messages are counted anew after this time where a hidden page has no timers. */
  FLOOD_SLICE_MAX_MS: 10_000,
  /** Messages of a frame to the page itself from look to look; a document needs one. A frame that sends more is closed. */
  FLOOD_POSTS_MAX: 2_500,
  /** Messages of a frame on its ports in that time. */
  FLOOD_MESSAGES_MAX: 10_000,
  /** Calls of a frame in that time. */
  FLOOD_CALLS_MAX: 131_072,
  /** How long the first window of a page waits for its place in the event stream before it is opened without one. */
  EVENT_CURSOR_MS: 2_000,
  /** The longest pause between two tries to reach the event stream. */
  EVENT_RETRY_MAX_MS: 10_000,
  /** An event stream silent for this long (three missed comments) is taken for dead. */
  EVENT_SILENT_MS: 45_000,
  /** Uncaught errors that a document reports in a window of time. */
  ERROR_REPORTS_MAX: 10,
  /** The window of time in which they are counted. */
  ERROR_REPORTS_WINDOW_MS: 60_000,

  // A host among hosts
  /** How often a host writes down that it lives. */
  HOST_BEAT_MS: 1_000,
  /** A host that did not for this long is taken for dead; its jobs and runs end. */
  HOST_DEAD_MS: 3_000,
  /** How old a copy of a record may be that another host may have changed. */
  CACHE_STALE_MS: 1_000,
  /** How long a closing host waits for what is under way. */
  SHUTDOWN_MS: 5_000,
} as const

/** The table of limits with its values widened. */
export type Limits = { readonly [Name in keyof typeof limits]: number }
