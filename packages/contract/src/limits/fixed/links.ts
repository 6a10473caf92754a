/** Links between hosts and the machines that users enrol. */
export const links = {
  /** The name of a machine. */
  RUNNER_NAME_MAX_CHARS: 80,
  /** Kinds of distribution that are kept of what a machine says it can install. */
  RUNNER_INSTALLS_MAX: 16,
  /** Before a silent link is taken for lost, what lies unread is looked at once more. */
  RUNNER_LOOK_MS: 50,
  /** What one try of a machine to connect may take. */
  RUNNER_CONNECT_MS: 10_000,
  /** How long a call, a job or an install waits for a machine's own decision on whether a plugin may run there. */
  RUNNER_ALLOW_MS: 30_000,
  /** Questions about plugins that svc runner has open on its terminal at once; past them a plugin is refused. */
  RUNNER_QUESTIONS_MAX: 8,
  /**
   * The pause before a machine connects again: it doubles up to `RUNNER_RETRY_MAX_MS`, until a link stood for
   * `RUNNER_STEADY_MS`.
   */
  RUNNER_RETRY_MS: 500,
  /** The longest such pause. */
  RUNNER_RETRY_MAX_MS: 30_000,
  /** A link that was up this long begins with the first pause again. */
  RUNNER_STEADY_MS: 10_000,
  /** A longer message travels in parts of this length, in turns with others. */
  LINK_PART_BYTES: 65_536,
  /** What comes before the body of a message; with its line feed it fits into one part. */
  LINK_HEAD_MAX_BYTES: 65_535,
  /** What waits in the socket of a link. */
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
  /** Dropped progress of a machine is counted together for so long. */
  LINK_DROPPED_MS: 250,
  /** Messages a second that nobody on the host asked for: more end the link. */
  LINK_STRAYS_MAX: 1_000,
  /** How a call failed, as JSON. */
  LINK_FAILURE_MAX_BYTES: 131_072,
} as const
