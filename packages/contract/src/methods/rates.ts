/** One class of requests whose number in a time is bounded. */
export interface RateRow {
  /** What counts. */
  readonly sentence: string
  /** Whose requests are counted together: those of one signed-in user, or those of one address. */
  readonly by: 'user' | 'address'
}

/**
 * The classes of requests that are counted. How many of each there may be is in `limits`, under `RATE_<CLASS>_PER_SECOND`
 * over time and `RATE_<CLASS>_BURST` at once; past it a request is `rate_limited`, with `details.retry_after_ms`.
 */
export const rates = {
  call: { by: 'user', sentence: 'Every call; a batch counts as the calls that it holds.' },
  open: { by: 'user', sentence: 'Opening windows.' },
  costly: {
    by: 'user',
    sentence: 'Requests that cost the operator money or external traffic: the web and images.',
  },
  model: { by: 'user', sentence: 'Requests to a model: completions, embeddings and runs.' },
  report: { by: 'user', sentence: 'Requests that write text of an app into the log.' },
  route: { by: 'user', sentence: 'Every request with a sign-in that is not a call.' },
  publish: {
    by: 'user',
    sentence: 'Changes of apps, versions, installs, plugins, machines or answers, and signing out.',
  },
  public: { by: 'address', sentence: 'Every request that needs no sign-in: files, the page, uploads.' },
  browser: { by: 'address', sentence: 'Reports of browsers about policies of pages and bundles.' },
  sign_in: { by: 'address', sentence: 'Signing in.' },
  refused: { by: 'address', sentence: 'Requests whose token or sign-in was refused.' },
} as const satisfies Record<string, RateRow>

/** A class of the table. */
export type RateName = keyof typeof rates

type By<Kind extends RateRow['by']> = {
  [Name in RateName]: (typeof rates)[Name]['by'] extends Kind ? Name : never
}[RateName]

/** A class that is counted by user. */
export type UserRate = By<'user'>
/** A class that is counted by address. */
export type AddressRate = By<'address'>

/** Tells the two kinds apart. */
export const isByUser = (rate: RateName): rate is UserRate => rates[rate].by === 'user'
