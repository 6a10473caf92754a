import {
  argsText,
  type CallOutcome,
  type DescribeOutcome,
  describeMs,
  type Failure,
  failure,
  type InstallOutcome,
  type Runner,
  type RunnerStats,
} from '@svc/runner'
import { BusError } from '@svc/state'
import type { Owner } from '../kernel/hosts.ts'
import { invalidOutcome, readPayload } from './read-outcome.ts'
import type { Relay, RelayedWork } from './relay.ts'
import type { RelayedAsks } from './serve-relayed.ts'
import type { RunnerNeeds } from './services.ts'

/** What a relayed runner needs. */
export interface RelayedRunnerParts extends Pick<RunnerNeeds, 'clock' | 'limits' | 'log'> {
  readonly relay: Relay
  readonly asks: RelayedAsks
  /** Its host says that it has no such link, or there is no such host. */
  readonly onGone: () => void
}

/** A link that another host holds. */
export interface RelayedLink {
  readonly id: string
  readonly epoch: number
  readonly userId: string
  readonly holder: Owner
}

/** How long a request may take, and what is made of it. */
interface Waiting<Outcome> {
  /** Unix ms. */
  readonly deadlineMs: number
  /** Ms past its deadline. */
  readonly graceMs: number
  readonly text: string
  readonly signal?: AbortSignal | undefined
  readonly late: () => Failure
  readonly read: (text: string) => Promise<Outcome | Failure>
}

const GONE = 'the link to the runner is lost: its host does not have it any more'
const UNKNOWN = 'the host of the runner does not answer; whether the tool had an effect is unknown'
const unavailable = (message: string) => failure('agent_unavailable', message, { retriable: true })
const noStats: RunnerStats = { processes: 0, busy: 0, waiting: 0, noise: 0 }

/**
 * The `Runner` port over a link that another host holds. A request is sent once; its host judges it as one of its own.
 * Jobs are not among them: they are run by the host that has the link.
 */
export function openRelayedRunner(
  parts: RelayedRunnerParts,
  { id, epoch, userId: owner, holder }: RelayedLink,
) {
  const { asks, clock, limits, log, onGone, relay } = parts
  const over = new AbortController()
  let stats = noStats
  let underWay = 0

  async function ask<Outcome>(work: RelayedWork, waiting: Waiting<Outcome>): Promise<Outcome | Failure> {
    const { deadlineMs, graceMs, text, signal, late, read } = waiting
    const left_ms = Math.max(0, deadlineMs - clock.now())
    // Its host ends it before, unless it is held up.
    const deadline = deadlineMs + graceMs + 2 * limits.LINK_GRACE_MS
    underWay += 1
    try {
      const request = { ...work, runner_id: id, epoch, owner, left_ms }
      const either = signal ? AbortSignal.any([signal, over.signal]) : over.signal
      const [answer, body] = await relay.ask(holder.host_id, request, text, { deadline, signal: either })
      if (answer.is === 'moved') onGone()
      if (answer.is === 'moved' || answer.is === 'done') return unavailable(GONE)
      stats = answer.stats
      return answer.is === 'ok' ? await read(body) : JSON.parse(body)
    } catch (error) {
      return failureOf(error, signal, late)
    } finally {
      underWay -= 1
    }
  }

  function failureOf(error: unknown, signal: AbortSignal | undefined, late: () => Failure): Failure {
    const code = error instanceof BusError ? error.code : null
    if (code === 'aborted' && over.signal.aborted) return unavailable(String(over.signal.reason))
    if (code === 'aborted' && signal?.aborted) return failure('cancelled', 'The call was cancelled.')
    if (code === 'deadline') return late()
    if (code === 'no_host') {
      onGone()
      return unavailable(GONE)
    }
    log.warn({ err: error, runner: id, host: holder.host_id }, 'the host of a runner did not answer')
    return unavailable(UNKNOWN)
  }

  const runner: Runner = {
    install(plugin, { deadlineMs = clock.now() + limits.INSTALL_TIMEOUT_MS, signal } = {}) {
      return ask<InstallOutcome>(
        { do: 'install', plugin },
        {
          deadlineMs,
          graceMs: 0,
          text: '',
          signal,
          late: () => failure('plug_unavailable', `The runner did not install ${plugin.id} in time.`),
          read: async () => ({ ok: true }),
        },
      )
    },
    describe(plugin, { userId = null, deadlineMs = clock.now() + describeMs(plugin, limits), signal } = {}) {
      return ask<DescribeOutcome>(
        { do: 'describe', plugin, user_id: userId },
        {
          deadlineMs,
          graceMs: 0,
          text: '',
          signal,
          late: () => failure('plug_unavailable', `The runner did not describe ${plugin.id} in time.`),
          read: async (text) => ({ ok: true, description: JSON.parse(text) }),
        },
      )
    },
    async call(input) {
      const { deadlineMs, graceMs, maxResultBytes, plugin, signal, subcalls, timeoutMs, tool } = input
      const asked = subcalls && asks.open(subcalls)
      try {
        const me = asked && (await relay.me().catch(() => null))
        if (me === null) return unavailable(UNKNOWN)
        const work = {
          do: 'call',
          user_id: input.userId,
          ...(input.appId !== undefined && { app_id: input.appId }),
          ...(input.session !== undefined && { session: input.session }),
          plugin,
          tool,
          invoke_id: input.invokeId,
          timeout_ms: timeoutMs,
          grace_ms: graceMs,
          max_result_bytes: maxResultBytes,
          asks: asked && me ? { host_id: me.host_id, ...asked.named } : null,
        } as const
        return await ask<CallOutcome>(work, {
          deadlineMs,
          graceMs,
          text: argsText(input),
          signal,
          late: () => failure('tool_timeout', `${tool} did not answer in ${timeoutMs} ms.`),
          read: (text) => readPayload(Buffer.from(text), maxResultBytes, limits),
        })
      } finally {
        asked?.close()
      }
    },
    // Who accepts a job for this machine leaves it to its host.
    job: async () => invalidOutcome('jobs run at the host that has the link'),
    stats: () => stats,
    close: async () => {},
  }

  return {
    runner,
    /** Whether something is under way on it. */
    isBusy: (): boolean => underWay > 0,
    /** It is over for this host: everything ends with `agent_unavailable`, and so does what comes after. */
    end: (problem: string): void => over.abort(problem),
  }
}

/** The runner of a machine that is linked to another host. */
export type RelayedRunner = ReturnType<typeof openRelayedRunner>
