/** Bodies, connections and call sockets. */
export const requests = {
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
  /** Lists and objects of any JSON body, which take longest to parse. */
  BODY_CONTAINERS_MAX: 65_536,
  /** Names of fields of any JSON body. */
  BODY_NAMES_MAX: 262_144,
  /** Nesting of a JSON body, counted from its root. */
  BODY_DEPTH_MAX: 64,
  /** A JSON body of more than this is parsed in another thread. */
  BODY_APART_BYTES: 131_072,
  /** Values and names of such a body, without those that are passed on as text: arguments of tools and values of storage. */
  APART_VALUES_MAX: 65_536,
  /** How long the head of a request may take to arrive. */
  HTTP_HEADERS_MS: 10_000,
  /** How long a whole request may take to arrive. */
  HTTP_REQUEST_MS: 120_000,
  /** How long a response of an array body may wait for others, to be sent with them. */
  ANSWERS_GATHER_MS: 2,
  /** Bodies of one user, or of one address without a sign-in, that are being read; more are refused unread. */
  BODIES_PER_OWNER: 256,
  /** Their total size; a single body may be as large as its route allows. */
  BODIES_BYTES_PER_OWNER: 41_943_040,
  /** The total size of all bodies that are being read; above it the host accepts only small ones, and those of users with few bytes. */
  BODIES_BYTES_MAX: 268_435_456,
  /** A body up to this size is exempt from the limits of bytes above. */
  BODY_SMALL_BYTES: 65_536,
  /** Bytes of larger bodies of one owner in a second, over time; above it the next body waits. */
  BODIES_BYTES_PER_SECOND: 16_777_216,
  /** Such bytes at once. */
  BODIES_BYTES_BURST: 33_554_432,
  /** The longest wait for that. */
  BODIES_WAIT_MAX_MS: 5_000,
  /** A request whose body sends nothing for this long is disconnected. */
  BODY_STALLED_MS: 10_000,
  /** Connections that a host has open; more are closed at once. */
  CONNECTIONS_MAX: 8_192,
  /** Connections of one address; those of trusted proxies are not counted. */
  CONNECTIONS_PER_ADDRESS: 1_024,
  /** Event streams of one user that are open. */
  EVENT_STREAMS_PER_USER: 64,
  /** How often one page of a searched list reads records; past it the page ends early, with a cursor. */
  LIST_READS_MAX: 20,
  /** Any other JSON body of the HTTP surface. */
  ROUTE_BODY_MAX_BYTES: 1_048_576,
  /** Open call sockets of one user: one a page. Pages past that send by POST. */
  CALL_SOCKETS_PER_USER: 32,
  /** Bodies in flight on one call socket; more are refused unread. Our own page never has as many. */
  CALL_SOCKET_BODIES_MAX: 4_096,
  /** A call socket with this many calls in flight is busy: its responses are sent in groups. */
  CALL_SOCKET_BUSY_CALLS: 16,
  /** How long a call socket stays busy after that. */
  CALL_SOCKET_BUSY_MS: 25,
  /** How long a response on a busy call socket waits for others, to be sent with them. */
  CALL_SOCKET_GATHER_MS: 6,
  /** A call socket without a heartbeat for two of these is closed. */
  CALL_SOCKET_PING_MS: 15_000,
  /** The line before a body on a call socket: a number and a token. */
  CALL_SOCKET_HEAD_MAX_BYTES: 8_192,
} as const
