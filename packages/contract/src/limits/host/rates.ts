/** Rates, each over time and as a burst; and what an overloaded host refuses. */
export const rates = {
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
  /** Reports of one body that are read, the first ones: a browser sends no more at once. */
  BROWSER_REPORTS_PER_BODY: 100,
  /** Reports of browsers that a host logs in a minute: this many with a window, and this many without. */
  BROWSER_REPORTS_LOGGED_PER_MINUTE: 120,
  /** Reports of browsers for one window that a host logs in a minute. */
  BROWSER_REPORTS_LOGGED_PER_WINDOW: 12,
  /** Refusals with `rate_limited` that are sent to one address in a second, over time; more of them are delayed. */
  REFUSALS_PER_SECOND: 100,
  /** Such refusals at once. */
  REFUSALS_BURST: 100,
  /** The longest such delay: a client that retries at once is slowed down by this much. */
  REFUSALS_WAIT_MAX_MS: 5_000,
  /** The percentage of a user's rate that one app may use, so that some is left for other apps. */
  RATE_APP_PERCENT: 75,
  /** All addresses together have the rate of one address times this number. */
  RATE_HOST_TIMES: 20,
  /** Users, apps or addresses that are counted of one class; above it the least recent ones are dropped. */
  RATE_KEYS_MAX: 20_000,
  /** How often a host measures its memory and its event loop. */
  LOAD_SAMPLE_MS: 1_000,
  /** If the event loop is late by this three times in a row, the host limits the heaviest users. */
  LOAD_LAG_MAX_MS: 1_000,
  /** The same if the host uses this percentage of its heap, or of the memory of its machine or container. */
  LOAD_MEMORY_PERCENT: 90,
  /** Requests of a user or an address that are then accepted between two measurements. */
  LOAD_FREE_REQUESTS: 20,
} as const
