/** What a host allows a user in a day; `createHost({ quotas })` sets others. */
export const quotas = {
  /** Completions that a user may have in a day (UTC) on a host without quotas of its own. */
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
  /** Searches and fetches together that one app of a user may make in a day (UTC) on such a host. */
  WEB_CALLS_PER_APP_PER_DAY: 500,
} as const
