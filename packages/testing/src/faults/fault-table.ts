/** One fault: what it does to a test, what the app reads of it, and how it passes. */
export interface FaultRow {
  /** What it is called with. */
  readonly args: string
  /** What it does. */
  readonly does: string
  /** The code that a call of the app fails with; `null`: the app sees nothing of it. */
  readonly code: string | null
  /** How it passes: by itself, or what a test or a user does. */
  readonly heals: string
}

/** Every fault of a test host, by its name: `host.fault.killPlugin('csv-stats')`. */
export const faultTable = {
  loseFrame: {
    args: 'seq',
    does: 'Loses one frame of a run on its way to the page, by its number in the stream; called twice, also when it is sent again.',
    code: null,
    heals: 'The client asks for what is missing after 250 ms, and the app reads the whole text.',
  },
  killPlugin: {
    args: 'plugin',
    does: 'Ends the processes of a plugin, as a crash does. One must run: a tool of it was called.',
    code: 'plug_error',
    heals: 'The next call starts a new process. A job that was running has failed.',
  },
  expireToken: {
    args: '',
    does: 'Lets the tokens of all open windows expire: the next request of each is refused.',
    code: null,
    heals: 'The page renews the token and sends the request again.',
  },
  spendQuota: {
    args: 'quota',
    does: 'Uses up what the user may use of something in a day, such as `completions_per_day`.',
    code: 'quota_exceeded',
    heals: 'At the end of the day in UTC, which is `details.resets_at`.',
  },
  cutStream: {
    args: '',
    does: 'Breaks the event stream of the page.',
    code: null,
    heals: 'The page connects again after a second, and the app hears what happened meanwhile.',
  },
  denyGrant: {
    args: 'grant',
    does: 'Takes a grant back, as the user does who installs the app anew without it. It must have been granted. `storage` is the scope `shared`.',
    code: 'permission_denied',
    heals: 'Not by itself: `details.denied_by` is `grant`, and `hint` names the grant.',
  },
  slowHost: {
    args: 'ms',
    does: 'Lets each request reach the host later.',
    code: 'timeout',
    heals: 'With `slowHost(0)`. A call that waits long enough gets its answer.',
  },
  hostGone: {
    args: '',
    does: 'Lets the host go away: what is under way breaks, and nothing reaches it.',
    code: 'host_unreachable',
    heals: 'With `hostBack()`: windows, jobs and runs go on.',
  },
  hostBack: {
    args: '',
    does: 'Lets the host be reached again, with all that it had.',
    code: null,
    heals: 'The page notices it within ten seconds.',
  },
} as const satisfies Readonly<Record<string, FaultRow>>

/** The name of a fault. */
export type FaultName = keyof typeof faultTable
