import { refuse } from '@svc/contract'
import { refusalError } from '@svc/contract/stdio'
import type { CallOutcome, DescribeOutcome, InstallOutcome, Subcalls } from '@svc/runner'
import { type AskContext, BusError } from '@svc/state'
import { refusalOf } from '../kernel/refusal-of.ts'
import type { Links, LiveLink } from './links.ts'
import type { Answered, Relay, RelayedCall, RelayedWork, RelayRequest, UnderWay } from './relay.ts'
import type { RunnerNeeds } from './services.ts'
import type { ToolSessions } from './tool-sessions.ts'

/** What answering other hosts needs. */
export interface ServeRelayedParts extends Pick<RunnerNeeds, 'clock' | 'limits' | 'reconcile'> {
  readonly links: Links
  /** What the plugins of relayed calls may ask of this host. */
  readonly asks: RelayedAsks
  readonly relay: () => Relay
  readonly toolSessions: ToolSessions
}

/** Answers another host about the machines that are linked to this one, and about the calls that it made itself. */
export async function serveRelayed(
  parts: ServeRelayedParts,
  request: RelayRequest,
  text: string,
  { signal }: AskContext,
): Promise<Answered> {
  if (request.do === 'ask') return [DONE, await parts.asks.answer(request, text, signal)]
  if (request.do === 'count')
    return [{ is: 'done', under_way: underWay(parts.links, request.runner_ids) }, '']
  if (request.do === 'take_up') {
    await parts.reconcile(request.user_id, request.runner_id)
    return [DONE, '']
  }
  const live = parts.links.of(request.runner_id)
  const isIt = live?.link.epoch === request.epoch && live.userId === request.owner
  // Nothing was started: whoever asked may try the newer link.
  if (!isIt || live.isLeaving()) return [{ is: 'moved' }, '']
  const outcome = await run(parts, live, request, {
    text,
    deadlineMs: parts.clock.now() + request.left_ms,
    signal,
  })
  const stats = live.link.runner.stats()
  return outcome.ok
    ? [{ is: 'ok', stats }, textOf(outcome)]
    : [{ is: 'failed', stats }, JSON.stringify(outcome)]
}

const DONE = { is: 'done' } as const

interface RunInput {
  readonly text: string
  readonly deadlineMs: number
  readonly signal: AbortSignal
}

type Outcome = CallOutcome | DescribeOutcome | InstallOutcome

function run(
  parts: ServeRelayedParts,
  { link: { runner } }: LiveLink,
  work: RelayedWork,
  { text, deadlineMs, signal }: RunInput,
): Promise<Outcome> {
  if (work.do === 'install') return runner.install(work.plugin, { deadlineMs, signal })
  if (work.do === 'describe')
    return runner.describe(work.plugin, { userId: work.user_id ?? undefined, deadlineMs, signal })
  const { app_id: appId, session, user_id: userId } = work
  if (session !== undefined) parts.toolSessions.noteRelayed(runner, { userId, appId: appId ?? '' }, session)
  return runner.call({
    userId,
    appId,
    session,
    plugin: work.plugin,
    tool: work.tool,
    argsJson: text,
    timeoutMs: work.timeout_ms,
    deadlineMs,
    graceMs: work.grace_ms,
    invokeId: work.invoke_id,
    maxResultBytes: work.max_result_bytes,
    signal,
    subcalls: askingBack(parts, work, deadlineMs),
  })
}

const textOf = (outcome: Outcome & { readonly ok: true }): string => {
  if ('json' in outcome) return outcome.json
  return 'description' in outcome ? JSON.stringify(outcome.description) : ''
}

/** What the plugin of a relayed call asks goes back to the host of the call. */
function askingBack(
  { limits, relay }: ServeRelayedParts,
  { asks, grace_ms }: RelayedCall,
  deadlineMs: number,
): Subcalls | undefined {
  if (!asks) return undefined
  const deadline = deadlineMs + grace_ms + limits.LINK_GRACE_MS
  return {
    samplingToken: asks.sampling_token,
    async onRequest(method, params, signal) {
      const request = { do: 'ask', call: asks.call, method } as const
      try {
        const [, reply] = await relay().ask(asks.host_id, request, JSON.stringify(params), {
          deadline,
          signal,
        })
        return JSON.parse(reply)
      } catch (error) {
        if (!(error instanceof BusError)) throw error
        throw refuse('agent_unavailable', 'the host of this call does not answer')
      }
    },
  }
}

function underWay(links: Links, runnerIds: readonly string[]): UnderWay {
  const counted = runnerIds.flatMap((id) => {
    const live = links.of(id)
    return live ? [[id, { jobs: live.count('job'), calls: live.count('call') }] as const] : []
  })
  return Object.fromEntries(counted)
}

/** Opens what the plugins of this host's relayed calls may ask of it, for as long as those calls are under way. */
export function openRelayedAsks() {
  const open = new Map<number, Subcalls>()
  let ids = 0
  return {
    /** Lets the plugin of a call ask; `close` ends that. */
    open(subcalls: Subcalls) {
      ids += 1
      const call = ids
      open.set(call, subcalls)
      const named = { call, sampling_token: subcalls.samplingToken }
      return { named, close: (): void => void open.delete(call) }
    },
    /** Answers a request, as JSON text. Never rejects. */
    async answer(
      { call, method }: RelayRequest & { readonly do: 'ask' },
      text: string,
      signal: AbortSignal,
    ): Promise<string> {
      try {
        const subcalls = open.get(call)
        if (!subcalls) throw refuse('cancelled', 'the call of this request has ended')
        return JSON.stringify(await subcalls.onRequest(method, JSON.parse(text), signal))
      } catch (error) {
        return JSON.stringify({ error: refusalError(refusalOf(error)) })
      }
    },
  }
}

/** What the plugins of relayed calls may ask. */
export type RelayedAsks = ReturnType<typeof openRelayedAsks>
