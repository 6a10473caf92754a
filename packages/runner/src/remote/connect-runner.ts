import { limits as defaults, type Limits } from '@svc/contract/limits'
import { keepAliveClock } from '@svc/node'
import { judgeOptions } from '@svc/node/options'
import { installable } from '../install/installers.ts'
import { LINK_CLOSE, type LinkMachine } from '../link/index.ts'
import { connectAddress } from './address.ts'
import { openBackOff } from './back-off.ts'
import { type ConnectRunnerOptions, connectRule } from './connect-options.ts'
import { openIdentity } from './identity.ts'
import { type LinkEnd, machineLink } from './machine-link.ts'
import { stateFolder } from './state-folder.ts'

/** The state of the connection between the machine and its host. */
export type RemoteState =
  | {
      /** The first try, or another. */
      readonly state: 'connecting'
    }
  | {
      /** It serves the host. */
      readonly state: 'online'
      /** The id of the machine at the host. */
      readonly runnerId: string
      /** The name that its user gave it. */
      readonly name: string
    }
  | {
      /** It connects again by itself. */
      readonly state: 'waiting'
      /** When it tries again, in ms. */
      readonly retryInMs: number
      /** Why the link was lost, in a sentence. */
      readonly problem: string
    }
  | ({
      /** It does not connect again. */
      readonly state: 'ended'
    } & RemoteEnd)

/** Why the machine has stopped connecting for good; `message` says what to do. */
export interface RemoteEnd {
  /** Why it ended. */
  readonly reason:
    | 'closed'
    | 'unknown_token'
    | 'wrong_key'
    | 'unproven_key'
    | 'wrong_name'
    | 'incompatible'
    | 'displaced'
    | 'no_state'
  /** The same in a sentence. */
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
    'The host does not know this token: the machine was revoked, the token was replaced by a newer one elsewhere, or the host keeps its store in memory and was started again. Enrol the machine again.',
}
const wrongKey: RemoteEnd = {
  reason: 'wrong_key',
  message:
    'This token belongs to the key of another machine: it was used there first, or the state of this machine is gone. Revoke that machine if you do not know it, and enrol this one again.',
}
const unprovenKey: RemoteEnd = {
  reason: 'unproven_key',
  message:
    'The host says that this machine did not prove its key. Something between the two may change what they say; if not, enrol the machine again.',
}
const wrongName = (host: string): RemoteEnd => ({
  reason: 'wrong_name',
  message: `The host says that ${host} is not its name. Use the URL of its page; its operator lists the names of the host in origins.`,
})
/** The ends of a link that no further try puts right. */
const finalEnds = new Map<number, (problem: string, address: URL) => RemoteEnd>([
  [LINK_CLOSE.revoked, () => unknownToken],
  [LINK_CLOSE.key, () => wrongKey],
  [LINK_CLOSE.proof, () => unprovenKey],
  [LINK_CLOSE.name, (_problem, { host }) => wrongName(host)],
  [LINK_CLOSE.version, (problem) => ({ reason: 'incompatible', message: problem })],
  [
    LINK_CLOSE.displaced,
    () => ({
      reason: 'displaced',
      message:
        'Another process connected with the token and the key of this machine. Enrol each machine by itself; if you know of no other, revoke this one and enrol it again.',
    }),
  ],
])
const UNAUTHORIZED = 401

/**
 * Links this machine to a host and serves it, and connects again whenever the link is lost. What ran for a
 * lost link is ended before the next one begins. Errors: `OptionError`, also where the URL is none that a token may be sent
 * to.
 *
 * @example
 * ```ts
 * const runner = createRunner()
 * const remote = connectRunner({ url: 'https://svc.example.org', token, runner, log })
 * ```
 */
export function connectRunner(options: ConnectRunnerOptions): RemoteRunner {
  judgeOptions('connectRunner', connectRule, options)
  const { token, runner, log, slots, allow = ({ isOwn }) => isOwn, random = Math.random } = options
  const { clock = keepAliveClock } = options
  const limits: Limits = { ...defaults, ...options.limits }
  const address = connectAddress(options.url)
  const closing = new AbortController()
  const backOff = openBackOff(limits, clock, random)
  const { isolation } = runner
  const machine: LinkMachine = {
    platform: `${process.platform}-${process.arch}`,
    node: process.version,
    installs: options.installs ?? installable(),
    ...(isolation && { isolation: { walls: isolation.walls, problem: isolation.problem } }),
    ...(slots && { slots: { jobs: slots.jobs } }),
  }

  function setState(state: RemoteState): void {
    log.debug({ state: state.state }, 'the link to the host')
    try {
      options.onState?.(state)
    } catch (err) {
      log.warn({ err }, 'a listener of the link failed')
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
    const { stateDir: dir = stateFolder() } = options
    if (dir !== null) runner.hide?.(dir)
    const identity = await openIdentity({ dir, token })
    while (!closing.signal.aborted) {
      setState({ state: 'connecting' })
      const shown = await identity.token()
      const end = await machineLink({
        address,
        token: shown,
        identity,
        machine,
        runner,
        allow,
        clock,
        limits,
        log,
        signal: closing.signal,
        onOnline({ runner_id: runnerId, name }) {
          backOff.reset()
          log.info({ runner: runnerId }, 'this machine is linked to its host')
          setState({ state: 'online', runnerId, name })
        },
      })
      // Another process of this machine may have been given a newer one meanwhile.
      if (end.status === UNAUTHORIZED && (await identity.token()) !== shown) continue
      const final = finalOf(end, address)
      if (final) return final
      if (closing.signal.aborted) break
      const retryInMs = backOff.nextMs()
      log.warn({ problem: end.problem, retryInMs }, 'this machine is not linked to its host')
      setState({ state: 'waiting', retryInMs, problem: end.problem })
      await pause(retryInMs)
    }
    return { reason: 'closed', message: 'It was closed.' }
  }

  const ended = serve()
    .catch((err: Error) => {
      log.warn({ err }, 'this machine stops: its key or its token could not be stored')
      return noState(err)
    })
    .then((end) => {
      setState({ state: 'ended', ...end })
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

const noState = (error: Error): RemoteEnd => ({
  reason: 'no_state',
  message: `The key and the token of this machine could not be stored: ${error.message}.`,
})

function finalOf({ status, code, problem }: LinkEnd, address: URL): RemoteEnd | undefined {
  if (status === UNAUTHORIZED) return unknownToken
  return code === undefined ? undefined : finalEnds.get(code)?.(problem, address)
}
