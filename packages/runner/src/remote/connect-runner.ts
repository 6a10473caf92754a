import { limits as defaults, type Limits } from '@svc/contract/limits'
import { LINK_CLOSE, type LinkMachine } from '@svc/contract/link-wire'
import { type Clock, systemClock } from '../clock.ts'
import { installable } from '../install/installers.ts'
import type { Log } from '../log.ts'
import type { LocalRunner } from '../runner.ts'
import { connectAddress } from './address.ts'
import { openBackOff } from './back-off.ts'
import { type LinkEnd, machineLink } from './machine-link.ts'

/** What `connectRunner` takes. */
export interface ConnectRunnerOptions {
  /** The host, as `https://…`; plain `http` on loopback alone. */
  readonly url: string
  /** What enrolling the machine answered: `svcr_…`. */
  readonly token: string
  /** What runs the plugins here; whoever made it closes it. */
  readonly runner: LocalRunner
  readonly log: Log
  /** Jobs that run at once; as many as the host allows where left out, and never more. */
  readonly slots?: { readonly jobs: number }
  /** The types of distribution that the runner installs; those that the machine can, homebrew aside, where left out. */
  readonly installs?: readonly string[]
  readonly clock?: Clock
  readonly limits?: Partial<Limits>
  /** Answers a number from 0 to 1; it spreads the pauses between tries. */
  readonly random?: () => number
  /** Hears of each change, at once. */
  readonly onState?: (state: RemoteState) => void
}

/** How the machine stands to its host. */
export type RemoteState =
  | { readonly state: 'connecting' }
  | { readonly state: 'online'; readonly runnerId: string; readonly name: string }
  /** Connects again by itself. */
  | { readonly state: 'waiting'; readonly retryInMs: number; readonly problem: string }
  | ({ readonly state: 'ended' } & RemoteEnd)

/** Why the machine has stopped connecting for good; `message` says what to do. */
export interface RemoteEnd {
  readonly reason: 'closed' | 'unknown_token' | 'incompatible' | 'displaced'
  readonly message: string
}

/** A machine that serves a host. */
export interface RemoteRunner {
  /** Ends the link and everything that runs for it. Twice is harmless. */
  close(): Promise<void>
  /** Resolves when it is over for good and nothing of it runs any more; never rejects. */
  readonly ended: Promise<RemoteEnd>
}

const unknownToken: RemoteEnd = {
  reason: 'unknown_token',
  message:
    'The host does not know this token: the machine was revoked, or the host keeps its store in memory and was started again. Enrol the machine anew.',
}
/** The ends of a link that no further try puts right. */
const finalEnds = new Map<number, (problem: string) => RemoteEnd>([
  [LINK_CLOSE.revoked, () => unknownToken],
  [LINK_CLOSE.version, (problem: string) => ({ reason: 'incompatible', message: problem })],
  [
    LINK_CLOSE.displaced,
    () => ({
      reason: 'displaced',
      message: 'Another process connected with the same token. Enrol each machine by itself.',
    }),
  ],
])
const UNAUTHORIZED = 401
const TOKEN = /^svcr_[\w-]+$/

/**
 * Links this machine to a host and serves it, and connects again whenever the link is lost (decision 19). What ran for a
 * lost link is ended before the next one begins. Throws where the URL is none that a token may be sent to, or the token
 * none.
 */
export function connectRunner(options: ConnectRunnerOptions): RemoteRunner {
  const { token, runner, log, slots, clock = systemClock, random = Math.random } = options
  const limits: Limits = { ...defaults, ...options.limits }
  const address = connectAddress(options.url)
  if (!TOKEN.test(token))
    throw new Error('the token must be what enrolling the machine answered: svcr_ and more')
  const closing = new AbortController()
  const backOff = openBackOff(limits, clock, random)
  const machine: LinkMachine = {
    ...{ platform: `${process.platform}-${process.arch}`, node: process.version },
    installs: options.installs ?? installable(),
    ...(slots && { slots: { jobs: slots.jobs } }),
  }

  function tell(state: RemoteState): void {
    log.debug({ state: state.state }, 'the link to the host')
    try {
      options.onState?.(state)
    } catch (err) {
      log.warn({ err }, 'what listens to the link failed')
    }
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        stop()
        closing.signal.removeEventListener('abort', done)
        resolve()
      }
      const stop = clock.setTimer(done, ms)
      closing.signal.addEventListener('abort', done)
    })
  }

  async function serve(): Promise<RemoteEnd> {
    while (!closing.signal.aborted) {
      tell({ state: 'connecting' })
      const end = await machineLink({
        ...{ address, token, machine, runner, clock, limits, signal: closing.signal },
        onOnline({ runner_id: runnerId, name }) {
          backOff.stands()
          log.info({ runner: runnerId }, 'this machine is linked to its host')
          tell({ state: 'online', runnerId, name })
        },
      })
      const final = finalOf(end)
      if (final) return final
      if (closing.signal.aborted) break
      const retryInMs = backOff.nextMs()
      log.warn({ problem: end.problem, retryInMs }, 'this machine is not linked to its host')
      tell({ state: 'waiting', retryInMs, problem: end.problem })
      await pause(retryInMs)
    }
    return { reason: 'closed', message: 'It was closed.' }
  }

  const ended = serve().then((end) => {
    tell({ state: 'ended', ...end })
    return end
  })
  return {
    async close() {
      closing.abort()
      await ended
    },
    ended,
  }
}

function finalOf({ status, code, problem }: LinkEnd): RemoteEnd | undefined {
  if (status === UNAUTHORIZED) return unknownToken
  return code === undefined ? undefined : finalEnds.get(code)?.(problem)
}
