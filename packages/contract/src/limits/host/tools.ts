/** Calls of tools, and what plugins ask meanwhile. */
export const tools = {
  /** The least timeout that a call of a tool may ask for. */
  SYNC_TIMEOUT_MIN_MS: 1_000,
  /** The timeout of a call of a tool where neither the call nor the tool names one. */
  SYNC_TIMEOUT_DEFAULT_MS: 65_000,
  /** How much longer than its timeout a call is waited for, so that the plugin's own answer comes first. */
  SYNC_GRACE_MS: 2_000,
  /** The arguments, and the result, of a call of a tool as JSON. */
  SYNC_PAYLOAD_MAX_BYTES: 4_194_304,
  /** How long a cancelled plugin has before its processes are killed. */
  CANCEL_KILL_MS: 500,
  /** A plugin's own request to the host. */
  SUBCALL_TIMEOUT_MS: 30_000,
  /** Reverse requests of one call that may be under way. */
  SUBCALLS_PER_CALL: 16,
  /** One such request on the wire, with room for a file that comes inline; and its answer. */
  SUBCALL_LINE_MAX_BYTES: 8_388_608,
  /** Values and names of such a request. */
  SUBCALL_VALUES_MAX: 32_768,
  /** The answer to such a request. */
  SUBCALL_ANSWER_MAX_BYTES: 4_194_304,
  /** Sessions of plugins whose token one process keeps; the ones used longest ago go first. */
  PLUGIN_SESSIONS_MAX: 10_000,
} as const
