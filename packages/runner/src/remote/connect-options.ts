import type { Limits } from '@svc/contract/limits'
import type { Clock } from '@svc/node'
import {
  clock as clockRule,
  fn,
  having,
  list,
  object,
  orNull,
  type Rule,
  secret,
  text,
  textThat,
  whole,
} from '@svc/node/options'
import type { LocalRunner } from '../calls/local-runner.ts'
import { limitsRule } from '../port/limits-rule.ts'
import type { Log } from '../port/log.ts'
import { connectAddress } from './address.ts'
import type { AllowPlugin } from './allow.ts'
import type { RemoteState } from './connect-runner.ts'

/** What `connectRunner` takes. */
export interface ConnectRunnerOptions {
  /** The host, as `https://…`; plain `http` on loopback alone. */
  readonly url: string
  /**
   * What enrolling the machine answered: `svcr_…`. It is good for the first link, with which the machine makes its key;
   * after that it only names the enrolment, and what is shown is the token that the last link brought.
   */
  readonly token: string
  /**
   * Where the key of this machine and its next token are kept, for its user alone. Default: `$XDG_STATE_HOME/svc` or
   * `~/.local/state/svc`. `null`: in memory, so that the enrolment ends with this process.
   */
  readonly stateDir?: string | null
  /** What runs the plugins here; whoever made it closes it. */
  readonly runner: LocalRunner
  /**
   * Says whether this machine takes a plugin, each time before it is installed, described or called. What it does not
   * decide within `RUNNER_ALLOW_MS` is refused. Default: those whose author is the user of the machine, as the host says.
   */
  readonly allow?: AllowPlugin
  /** Takes the log. */
  readonly log: Log
  /** Jobs that run at once; as many as the host allows where left out, and never more. */
  readonly slots?: {
    /** How many jobs may run at once. */
    readonly jobs: number
  }
  /** The types of distribution that the runner installs; those that the machine can, homebrew aside, where left out. */
  readonly installs?: readonly string[]
  /** The clock. Default: the system's. */
  readonly clock?: Clock
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<Limits>
  /** Returns a number from 0 to 1; it spreads the pauses between tries. */
  readonly random?: () => number
  /** Is called at each change. */
  readonly onState?: (state: RemoteState) => void
}

function isAddress(url: string): boolean {
  try {
    connectAddress(url)
    return true
  } catch {
    return false
  }
}

/** What its options may be. */
export const connectRule = object(
  {
    url: textThat(
      'must be an https URL without user, password, query and fragment; plain http is for loopback alone',
      isAddress,
    ),
    token: secret(textThat('must be the one of the enrolment, which begins with svcr_', /^svcr_[\w-]+$/)),
    stateDir: orNull(text),
    runner: having('call', 'job', 'describe', 'install', 'departed', 'close'),
    allow: fn,
    log: having('debug', 'info', 'warn'),
    slots: object({ jobs: whole(1) }, 'jobs'),
    installs: list(text),
    clock: clockRule,
    limits: limitsRule,
    random: fn,
    onState: fn,
  } satisfies Record<keyof ConnectRunnerOptions, Rule>,
  'url',
  'token',
  'runner',
  'log',
)
