/** Processes of plugins and their installs. */
export const processes = {
  /** How long a plugin may take to say what it is. */
  DESCRIBE_TIMEOUT_MS: 10_000,
  /**
   * The pause before a plugin that did not describe itself is asked again; it doubles up to `DESCRIBE_RETRY_MAX_MS`.
   */
  DESCRIBE_RETRY_MS: 30_000,
  /** The longest such pause. */
  DESCRIBE_RETRY_MAX_MS: 600_000,
  /** One line of stdio. */
  LINE_MAX_BYTES: 16_777_216,
  /** Warm processes of one user and plugin. */
  POOL_PER_PLUGIN: 4,
  /** Warm processes of all plugins of a runner. */
  POOL_PER_RUNNER: 64,
  /** Places of a runner that nobody takes who holds one already, so that others find one at once; a quarter at most. */
  POOL_RESERVE: 16,
  /** Processes that the windows and agent sessions of one user keep on a runner. */
  POOL_SESSIONS_PER_USER: 16,
  /** How long a process stays warm that nobody calls. */
  POOL_IDLE_MS: 60_000,
  /** From a plugin's `tools_changed` to the question which tools it has, and between two of them. */
  TOOLS_CHANGED_MS: 500,
  /** Bytes of the answer for each ms in which no process of the plugin is asked again: what is long takes long to read. */
  TOOLS_CHANGED_BYTES_PER_MS: 256,
  /** Between two times that an unknown name of a tool has its plugin asked for its tools. */
  DESCRIBE_AGAIN_MS: 10_000,
  /** Tools that one `describe` may list. */
  DESCRIBE_TOOLS_MAX: 256,
  /** The description of one tool or parameter; the rest is cut off. */
  DESCRIPTION_MAX_CHARS: 4_000,
  /** What a model gets of the instructions of one plugin; the rest is cut off. */
  PLUGIN_INSTRUCTIONS_MAX_CHARS: 4_000,
  /** What a model gets of those of all plugins of a session; the rest is cut off. */
  ALL_INSTRUCTIONS_MAX_CHARS: 16_000,
  /** What is kept of a plugin's stderr for one log record. */
  STDERR_LINE_MAX_BYTES: 8_192,
  /** Parameters that one tool may describe. */
  DESCRIBE_PARAMETERS_MAX: 64,
  /** The JSON text of the schema of a tool's arguments. */
  INPUT_SCHEMA_MAX_BYTES: 65_536,
  /** The JSON text of the schema of what a tool returns. */
  OUTPUT_SCHEMA_MAX_BYTES: 65_536,
  /** Nesting of a payload: what walks a value by recursion fails at about 4 000 levels. */
  RESULT_DEPTH_MAX: 1_000,
  /** Lines without a reply in them that a plugin may write before its stdout rests. */
  NOISE_BURST_LINES: 1_000,
  /** How long the stdout of such a plugin rests. */
  NOISE_REST_MS: 10,
  /** Records that one plugin's stdout noise or stderr may put into the log. */
  PLUGIN_LOG_PER_SECOND: 50,
  /** Bytes of stderr that are read before it rests for as long as noise does. */
  STDERR_BURST_BYTES: 1_048_576,
  /** How long the last bytes of an ended process are waited for. */
  DRAIN_MS: 100,
  /** Answers that wait for a plugin which does not read them. */
  UNREAD_ANSWERS_MAX_BYTES: 1_048_576,
  /** One install, from its turn to the last file; also how long `Runner.install` waits. */
  INSTALL_TIMEOUT_MS: 300_000,
  /** A failed install is reported again this long before it is tried again. */
  INSTALL_RETRY_MS: 10_000,
  /** Installs of a runner that are done at once; others wait. */
  INSTALLS_AT_ONCE: 2,
  /**
   * A binary by its URL, in place of `PUBLIC_FETCH_MS` and `PUBLIC_FETCH_MAX_BYTES`: programs are larger than pictures.
   */
  INSTALL_DOWNLOAD_MS: 120_000,
  /** The size of a binary by its URL. */
  INSTALL_DOWNLOAD_MAX_BYTES: 67_108_864,
  /** An install that nobody started for this long is removed at the next start of a runner. */
  INSTALL_KEPT_MS: 2_592_000_000,
  /**
   * What a frozen version needs may have been published so long after it was frozen: the clocks of host and registry
   * differ.
   */
  INSTALL_FROZEN_SLACK_MS: 600_000,
  /** What a runner knows of an install before it looks again whether it is there, which also counts as its use. */
  INSTALL_KNOWN_MS: 3_600_000,
} as const
