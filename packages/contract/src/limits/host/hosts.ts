/** Hosts among each other, and the machines that users enrol. */
export const hosts = {
  /** How often what has expired is looked for. */
  REAPER_INTERVAL_MS: 1_000,
  /** Machines that one user may enrol. */
  RUNNERS_PER_USER: 16,
  /** How often a host asks a machine for a sign of life. */
  RUNNER_PING_MS: 1_000,
  /** The silence after which either side of a link takes the other for lost. */
  RUNNER_SILENT_MS: 3_000,
  /** From a link's connection to what its machine says of itself. */
  RUNNER_HELLO_MS: 5_000,
  /** How often an open link checks whether its machine is still enrolled, and stores that it was seen. */
  RUNNER_SEEN_WRITE_MS: 30_000,
  /** How long a host follows which other hosts have the machines of a user for whom nobody looks there any more. */
  RUNNERS_KNOWN_MS: 600_000,
  /** How much later than on its machine a call ends on the host. */
  LINK_GRACE_MS: 1_000,
  /** How often the journals of quiet users, run out values and what nobody needs any more are looked at. */
  CLEAN_INTERVAL_MS: 60_000,
  /** Records of a kind that are thrown away at once. */
  CLEAN_RECORDS_MAX: 100,
  /** How often a host writes down that it lives. */
  HOST_BEAT_MS: 1_000,
  /** A host that did not for this long is taken for dead; its jobs and runs end. */
  HOST_DEAD_MS: 3_000,
  /** How long `/readyz` waits for each part of a host: whoever asks gets an answer within a second, whatever is away. */
  READY_WAIT_MS: 800,
  /** How old a copy of a record may be that another host may have changed. */
  CACHE_STALE_MS: 1_000,
  /**
   * How long a closing host still listens, while `/readyz` says no and it takes no new work: longer than its load balancer
   * takes to notice.
   */
  LEAVE_NOTICE_MS: 0,
  /** How long a closing host waits for what is under way. */
  SHUTDOWN_MS: 5_000,
} as const
