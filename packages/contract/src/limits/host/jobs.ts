/** Jobs and their progress. */
export const jobs = {
  /** The result of a job as JSON. */
  ASYNC_RESULT_MAX_BYTES: 262_144,
  /** The arguments of a job as JSON. */
  ASYNC_ARGS_MAX_BYTES: 65_536,
  /** How long a job may take that names no timeout. */
  JOB_DEADLINE_DEFAULT_MS: 1_800_000,
  /** The shortest time that a job gets; less is raised to it. */
  JOB_DEADLINE_MIN_MS: 60_000,
  /** Jobs of a user that wait or run. */
  JOBS_ACTIVE_PER_USER: 5,
  /** Jobs that one runner runs at once. */
  JOBS_RUNNING_PER_RUNNER: 3,
  /** Jobs that a runner takes beyond those that it runs. */
  RUNNER_QUEUE_MAX: 2,
  /** Progress that a list shows of each job: its last. */
  JOB_LISTED_PROGRESS: 5,
  /** How far back a list of jobs looks. */
  JOB_LOOKBACK_MS: 604_800_000,
  /** A job that has ended can be read this long: as far as `listJobs` looks back. */
  JOB_KEPT_MS: 604_800_000,
  /** Ended jobs that are kept of one app of a user: past it the oldest go, however young. */
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
} as const
