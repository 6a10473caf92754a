import type { Limits } from '@svc/contract'
import type { Clock } from '@svc/node'
import {
  argsText,
  type CallInput,
  describeMs,
  type Failure,
  failure,
  type JobInput,
  type PluginSpec,
  type Runner,
  type RunnerStats,
} from '@svc/runner'
import type { LinkHead, LinkPlugin, LinkStats } from '@svc/runner/link'
import { type CallSubcalls, openCallSubcalls } from './call-subcalls.ts'
import { openJobReports } from './job-reports.ts'
import { openLinkRequests, type SendToMachine } from './link-requests.ts'
import { invalidOutcome, readDescription, readFailure, readPayload } from './read-outcome.ts'

/** What a remote runner needs. */
export interface RemoteRunnerParts {
  readonly clock: Clock
  readonly limits: Limits
  readonly send: SendToMachine
  /** Bytes of small messages that wait for the machine. */
  readonly waitingBytes: () => number
}

const noStats: RunnerStats = { processes: 0, busy: 0, waiting: 0, noise: 0 }

/** The `Runner` port over a link. Nothing that the machine says is believed: see each reader. */
export function openRemoteRunner(parts: RemoteRunnerParts) {
  const { clock, limits, send } = parts
  const requests = openLinkRequests(send, clock)
  let stats = noStats

  const leftTo = (deadlineMs: number) => Math.max(0, deadlineMs - clock.now())
  /** What calls and jobs have in common on the wire. */
  const work = (input: CallInput | JobInput, plugin: LinkPlugin) => ({
    user_id: input.userId,
    plugin,
    tool: input.tool,
    timeout_ms: input.timeoutMs,
    left_ms: leftTo(input.deadlineMs),
    max_result_bytes: input.maxResultBytes,
    ...(input.subcalls && { sampling_token: input.subcalls.samplingToken }),
  })
  /** How its request is judged. */
  const judged = (input: CallInput | JobInput, graceMs: number) => ({
    body: Buffer.from(argsText(input)),
    signal: input.signal,
    untilMs: input.deadlineMs + graceMs + limits.LINK_GRACE_MS,
    late: () => failure('tool_timeout', `${input.tool} did not answer in ${input.timeoutMs} ms.`),
    maxBytes: input.maxResultBytes,
    read: (body: Buffer) => readPayload(body, input.maxResultBytes, limits),
    subcalls: input.subcalls && openCallSubcalls(input.subcalls, parts),
  })
  const lateFor = (plugin: PluginSpec, doing: string) => () =>
    failure('plug_unavailable', `The runner did not ${doing} ${plugin.id} in time.`)

  const runner: Runner = {
    async install(plugin, { deadlineMs = clock.now() + limits.INSTALL_TIMEOUT_MS, signal } = {}) {
      const named = linkPlugin(plugin)
      if ('ok' in named) return named
      return requests.ask({
        kind: 'other',
        message: (id) => ({ type: 'install', id, plugin: named, left_ms: leftTo(deadlineMs) }),
        signal,
        untilMs: deadlineMs + limits.LINK_GRACE_MS,
        late: lateFor(plugin, 'install'),
        maxBytes: 0,
        read: async () => ({ ok: true }),
      })
    },
    async call(input) {
      const plugin = linkPlugin(input.plugin)
      if ('ok' in plugin) return plugin
      const { appId: app_id, session, invokeId: invoke_id, graceMs: grace_ms } = input
      const whose = { ...(app_id !== undefined && { app_id }), ...(session !== undefined && { session }) }
      return requests.ask({
        kind: 'call',
        message: (id) => ({ type: 'call', id, invoke_id, grace_ms, ...whose, ...work(input, plugin) }),
        ...judged(input, grace_ms),
      })
    },
    async job(input) {
      const plugin = linkPlugin(input.plugin)
      if ('ok' in plugin) return plugin
      return requests.ask({
        kind: 'job',
        message: (id) => ({ type: 'job', id, job_id: input.jobId, ...work(input, plugin) }),
        ...judged(input, 0),
        jobReports: openJobReports(input, { clock, limits }),
      })
    },
    async describe(plugin, { userId, deadlineMs = clock.now() + describeMs(plugin, limits), signal } = {}) {
      const named = linkPlugin(plugin)
      if ('ok' in named) return named
      const user = userId !== undefined && { user_id: userId }
      return requests.ask({
        kind: 'other',
        message: (id) => ({ type: 'describe', id, plugin: named, ...user, left_ms: leftTo(deadlineMs) }),
        signal,
        untilMs: deadlineMs + limits.LINK_GRACE_MS,
        late: lateFor(plugin, 'describe'),
        maxBytes: limits.LINE_MAX_BYTES,
        read: async (body) => readDescription(body, limits),
      })
    },
    endSessions({ userId: user_id, session, pluginId: plugin_id }) {
      send({
        type: 'end_sessions',
        ...(user_id !== undefined && { user_id }),
        ...(session !== undefined && { session }),
        ...(plugin_id !== undefined && { plugin_id }),
      })
    },
    stats: () => stats,
    // Its link is the host's to end.
    close: async () => {},
  }

  /** The requests of the call that a machine names with one of them. */
  const subcallsOf = ({ call }: LinkHead): CallSubcalls | undefined => requests.of(call)?.subcalls

  return {
    runner,
    /** How long the body of a message may be; `null`: nobody waits for it. */
    room(head: LinkHead) {
      const request = requests.of(head.id)
      if (head.type === 'pong') return 0
      if (head.type === 'unask') return subcallsOf(head) ? 0 : null
      if (head.type === 'ask') return subcallsOf(head) ? limits.SUBCALL_LINE_MAX_BYTES : null
      if (head.type !== 'outcome') return request?.jobReports?.room(head) ?? null
      if (!request) return null
      return head.ok === true ? request.maxBytes : limits.LINK_FAILURE_MAX_BYTES
    },
    take(head: LinkHead, body: Buffer) {
      const request = requests.of(head.id)
      if (head.type === 'pong') stats = readStats(head.stats) ?? stats
      else if (head.type === 'ask' && typeof head.id === 'number')
        subcallsOf(head)?.take(head.id, head.method, body)
      else if (head.type === 'unask') subcallsOf(head)?.drop(head.id)
      else if (head.type !== 'outcome') request?.jobReports?.take(head, body)
      else if (head.ok === true) request?.answer(body)
      else request?.fail(readFailure(body, limits))
    },
    /** The body of a message was longer than its room. */
    tooLong(head: LinkHead) {
      if (head.type === 'outcome') requests.of(head.id)?.fail(invalidOutcome('it is too long'))
      else if (head.type === 'ask' && typeof head.id === 'number') subcallsOf(head)?.refuse(head.id)
    },
    /** How many calls, or jobs, wait for their outcome. */
    count: requests.count,
    /** The link is over: everything ends with `agent_unavailable`, and so does what comes after. */
    end: (problem: string) => requests.end(failure('agent_unavailable', problem, { retriable: true })),
  }
}

/** A machine as the host speaks with it. */
export type RemoteRunner = ReturnType<typeof openRemoteRunner>

/** A plugin as a link names it. What has only a command is the host's own, and no other machine may start it. */
function linkPlugin(plugin: PluginSpec): LinkPlugin | Failure {
  if ('command' in plugin)
    return failure('plug_unavailable', `${plugin.id} is started on the machine of the host alone.`)
  const { id, version, author, distribution, frozenAt, reach, values } = plugin
  return {
    id,
    version,
    ...(author !== undefined && { author }),
    distribution,
    ...(frozenAt !== undefined && { frozen_at: frozenAt }),
    ...(reach && { reach }),
    ...(values && { values }),
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

function readStats(told: unknown): LinkStats | null {
  const { processes, busy, waiting, noise } = { ...(told as Partial<LinkStats>) }
  return isCount(processes) && isCount(busy) && isCount(waiting) && isCount(noise)
    ? { processes, busy, waiting, noise }
    : null
}
