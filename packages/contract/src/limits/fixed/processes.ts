/** Walls around processes of plugins, their output and installs, and MCP servers. */
export const processes = {
  /** A long line of noise counts as one more for each of so many bytes. */
  NOISE_LINE_BYTES: 512,
  /** What the log shows of a line of noise. */
  NOISE_SHOWN_CHARS: 200,
  /** What is shown of a line that is meant as a message and cannot be read. */
  MEANT_SHOWN_CHARS: 120,
  /** How long a right answer behind such a line is waited for before its call fails. */
  MEANT_LINE_MS: 500,
  /** Folders of killed runners that one start removes. */
  SWEEP_FOLDERS_MAX: 100,
  /** Names of folders among which one start looks for them. */
  SWEEP_NAMES_MAX: 10_000,
  /** How long one start looks for them. */
  SWEEP_MS: 10_000,
  /** What one try of a way to keep a plugin's processes together may take. */
  ISOLATION_PROBE_MS: 10_000,
  /** Memory of a plugin process with all that it starts; of one process, what it may reserve to write to. */
  PLUGIN_MEMORY_MAX_BYTES: 2_147_483_648,
  /** Processes that a plugin process may have with itself. */
  PLUGIN_PROCESSES_MAX: 256,
  /** Memory of all plugin processes of a user on a runner: past it the one that holds the most of it is ended. */
  USER_MEMORY_MAX_BYTES: 8_589_934_592,
  /**
   * Processes of all plugins of a user on a runner, with all that they start; past it the one with the most is ended.
   */
  USER_PROCESSES_MAX: 1_024,
  /** Memory of all plugin processes on a runner, in percent of the machine's: past it the one that holds the most is ended. */
  ALL_PLUGINS_MEMORY_PERCENT: 75,
  /** Processes of all plugins on a runner, with all that they start; past it the one with the most is ended. */
  ALL_PLUGINS_PROCESSES_MAX: 4_096,
  /** What the kernel watches and locks for all plugins on a runner: a user of a small machine has about 450,000. */
  ALL_PLUGINS_WATCHES_MAX: 262_144,
  /** Watchers of files (inotify) of all plugins on a runner: a user has 128 on most machines. */
  ALL_PLUGINS_WATCHERS_MAX: 64,
  /** Threads of one plugin process with all that it starts; where the runner is not root the kernel counts them too. */
  PLUGIN_THREADS_MAX: 2_048,
  /** Open files of a plugin process with all that it starts. */
  PLUGIN_OPEN_FILES_ALL_MAX: 16_384,
  /** Sockets of a plugin process with all that it starts. */
  PLUGIN_SOCKETS_MAX: 4_096,
  /**
   * Files and events that the kernel may watch for a plugin process with all that it starts, and ranges of files that
   * these may lock.
   */
  PLUGIN_WATCHES_MAX: 16_384,
  /** Watchers of files (inotify) of a plugin process with all that it starts. */
  PLUGIN_WATCHERS_MAX: 16,
  /**
   * What the kernel may have to say of the memory that a plugin process maps, with all that it starts: 100 bytes a
   * piece.
   */
  PLUGIN_MAPS_MAX_BYTES: 16_777_216,
  /** How long an open file may be on its way from one process of a plugin to another. */
  PLUGIN_FILES_SENT_MS: 10_000,
  /** Files that one process of a plugin may have open. */
  PLUGIN_OPEN_FILES_MAX: 1_024,
  /** One file that a plugin writes. */
  PLUGIN_FILE_MAX_BYTES: 1_073_741_824,
  /** All files in the folder of a plugin process and in its compile cache, and those that it has open without a name. */
  PLUGIN_DISK_MAX_BYTES: 2_147_483_648,
  /** How many they may be, with folders, and with what lies in memory. */
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
  /** How long a name is looked up where the proxy of the machine knows it too. */
  EGRESS_PROXY_LOOKUP_MS: 1_000,
  /** A connection on which nothing moves for so long is closed. */
  EGRESS_IDLE_MS: 120_000,
  /** The same for a connection of TCP that its reach names: clients of databases keep theirs open. */
  EGRESS_TCP_IDLE_MS: 3_600_000,
  /** Hosts that walls refused to a plugin of a user, and that are told; those after them are not. */
  REFUSED_TOLD_MAX: 16,
  /** Plugins of users of which a runner remembers what it told. */
  REFUSED_GROUPS_MAX: 1_024,
  /** What a machine says of the walls that it lacks. */
  RUNNER_PROBLEM_MAX_CHARS: 400,
  /** How often a runner looks at what a plugin's processes and folder take. */
  PLUGIN_WATCH_MS: 500,
  /** From a plugin's start to writing its compile cache: past the first answer, so that it waits for nothing. */
  COMPILE_CACHE_FLUSH_MS: 500,
  /** What a plugin's refusal shows of an argument. */
  ARGUMENT_SHOWN_CHARS: 80,
  /** What is kept of an installer's output. */
  INSTALL_OUTPUT_KEPT_BYTES: 8_192,
  /** How many of its last lines a failure shows. */
  INSTALL_OUTPUT_SHOWN_LINES: 6,
  /** How many of its last characters a failure shows. */
  INSTALL_OUTPUT_SHOWN_CHARS: 600,
  /** How far the clock of a host may be ahead of that of a machine that gets the time when a version was frozen. */
  INSTALL_FROZEN_AHEAD_MS: 86_400_000,
  /** Files of an install that are looked at in one turn of the loop, before each start. */
  INSTALL_CHECK_BATCH: 64,
  /**
   * From the start of an MCP server to its tools, where it asks for no other time: short of `DESCRIBE_TIMEOUT_MS`, so
   * that the reason is reported in time.
   */
  MCP_START_MS: 8_000,
  /** A call of an MCP server that names no deadline. */
  MCP_CALL_MS: 90_000,
  /** From the end of a server's stdin to SIGTERM, and from there to SIGKILL: both within `CANCEL_KILL_MS`. */
  MCP_END_MS: 200,
  /** Pages of its list of tools that are read. */
  MCP_PAGES_MAX: 64,
} as const
