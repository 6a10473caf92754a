import { parseKeeping } from '@svc/contract/exact-json'
import type { Limits } from '@svc/contract/limits'
import { readReach } from '@svc/contract/reach'
import type { Clock } from '@svc/node'
import type { LocalRunner } from '../calls/local-runner.ts'
import type { HostMessage, LinkFailure, LinkHead, LinkPlugin } from '../link/index.ts'
import { type CallInput, type Failure, failure, type InstalledSpec } from '../port/runner.ts'
import type { Gate } from './allow.ts'
import { openJobReporter } from './job-reporter.ts'
import type { SendToHost } from './send.ts'
import { openSubcallSender } from './subcall-sender.ts'

/** What serving a link takes. */
export interface ServeParts {
  readonly clock: Clock
  readonly limits: Limits
  readonly runner: LocalRunner
  /** Refuses plugins that this machine does not take, before anything of them is installed or started. */
  readonly gate: Gate
  readonly send: SendToHost
  /** Bytes of small messages that wait for the host. */
  readonly waitingBytes: () => number
}

/** The work of one link. */
export interface LinkWork {
  /** How long the body of a message may be; `null`: nobody waits for it. */
  room(head: LinkHead): number | null
  take(message: HostMessage, body: Buffer): void
  /** Ends all of it; resolves when none of its processes is left. */
  end(reason: string): Promise<void>
}

type Of<Type extends HostMessage['type']> = Extract<HostMessage, { readonly type: Type }>
type Takers = { readonly [Type in HostMessage['type']]: (message: Of<Type>, body: Buffer) => void }
/** An outcome as the wire has it: the JSON text of what came out, where something did. */
type Outcome = { readonly ok: true; readonly json?: string } | Failure

/** Does on this machine what a host asks for, and answers each once. */
export function serveLink(parts: ServeParts): LinkWork {
  const { clock, gate, limits, runner, send } = parts
  const open = new Map<number, { readonly abort: AbortController; readonly done: Promise<void> }>()
  const sender = openSubcallSender(send)
  /** The sessions for which processes may be kept: nothing of a link outlives it. */
  const kept = new Map<string, { readonly userId: string; readonly session: string }>()

  function answer(id: number, outcome: Outcome): void {
    const body = Buffer.from(outcome.ok ? (outcome.json ?? '') : JSON.stringify(lineOf(outcome)))
    const sent = send({ type: 'outcome', id, ok: outcome.ok }, body)
    if (!sent) answer(id, failure('result_too_large', 'The result is too long for the link to the host.'))
  }

  /** Does one thing that the host asked for under an id. */
  function begin(id: number, work: (signal: AbortSignal) => Promise<Outcome>): void {
    if (open.has(id)) return
    const abort = new AbortController()
    const done = work(abort.signal)
      .catch(() => failure('plug_unavailable', 'The machine could not read the request of the host.'))
      .then((outcome) => {
        open.delete(id)
        if (!abort.signal.aborted) answer(id, outcome)
      })
    open.set(id, { abort, done })
  }

  /** Does work with a plugin that this machine takes. */
  async function admitted<Result>(
    message: { readonly plugin: LinkPlugin; readonly left_ms: number },
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result | Failure> {
    return (await gate(message.plugin, { waitMs: message.left_ms, signal })) ?? work()
  }

  const deadlineIn = (leftMs: number) => clock.now() + leftMs
  const workOf = (message: Of<'call'> | Of<'job'>, body: Buffer, signal: AbortSignal) => ({
    userId: message.user_id,
    plugin: specOf(message.plugin),
    tool: message.tool,
    signal,
    args: parseKeeping(body.toString(), body) as CallInput['args'],
    timeoutMs: message.timeout_ms,
    deadlineMs: deadlineIn(message.left_ms),
    maxResultBytes: message.max_result_bytes,
    ...(message.sampling_token !== undefined && {
      subcalls: sender.of(message.id, message.sampling_token),
    }),
  })

  const takers: Takers = {
    challenge() {},
    welcome() {},
    ping() {},
    call: (message, body) =>
      begin(message.id, async (signal) => {
        const { invoke_id: invokeId, grace_ms: graceMs, app_id: appId, session, user_id: userId } = message
        const work = { ...workOf(message, body, signal), appId, session }
        if (session !== undefined) kept.set(JSON.stringify([userId, session]), { userId, session })
        return admitted(message, signal, () => runner.call({ ...work, invokeId, graceMs }))
      }),
    job: (message, body) =>
      begin(message.id, async (signal) => {
        const work = workOf(message, body, signal)
        return admitted(message, signal, async () => {
          const teller = openJobReporter(message.id, parts)
          const outcome = await runner.job({ ...work, jobId: message.job_id, ...teller.face })
          teller.close()
          return outcome
        })
      }),
    describe: (message) =>
      begin(message.id, async (signal) => {
        const { plugin, user_id: userId, left_ms } = message
        const wait = { deadlineMs: deadlineIn(left_ms), signal, ...(userId !== undefined && { userId }) }
        const outcome = await admitted(message, signal, () => runner.describe(specOf(plugin), wait))
        return outcome.ok ? { ok: true, json: JSON.stringify(outcome.description) } : outcome
      }),
    install: (message) =>
      begin(message.id, async (signal) => {
        const wait = { deadlineMs: deadlineIn(message.left_ms), signal }
        return admitted(message, signal, () => runner.install(specOf(message.plugin), wait))
      }),
    end_sessions({ user_id: userId, session, plugin_id: pluginId }) {
      runner.endSessions?.({ userId, session, pluginId })
      if (pluginId === undefined) kept.delete(JSON.stringify([userId, session]))
    },
    cancel: ({ id, reason }) => open.get(id)?.abort.abort(reason),
    reply: ({ id }, body) => sender.take(id, body),
  }

  return {
    room({ type, id }) {
      if (type === 'reply') return sender.has(id) ? limits.LINK_MESSAGE_MAX_BYTES : null
      return type === 'call' || type === 'job' ? limits.LINK_MESSAGE_MAX_BYTES : 0
    },
    take: (message, body) =>
      (takers[message.type] as (message: HostMessage, body: Buffer) => void)(message, body),
    async end(reason) {
      sender.end()
      const all = [...open.values()]
      for (const { abort } of all) abort.abort(reason)
      await Promise.all(all.map(({ done }) => done))
      for (const session of kept.values()) runner.endSessions?.(session)
      await runner.departed()
    },
  }
}

/** A host names a plugin by its distribution alone; whether that is one is judged where it is installed. */
const specOf = ({
  id,
  version,
  author,
  distribution,
  reach,
  frozen_at,
  values,
}: LinkPlugin): InstalledSpec => ({
  id,
  version,
  author,
  frozenAt: frozen_at,
  distribution: distribution as unknown as InstalledSpec['distribution'],
  values,
  // What cannot be read of it is not reached.
  reach: readReach(reach),
})

const lineOf = ({ code, message, details }: Failure): LinkFailure => ({
  code,
  message,
  ...(details && { details }),
})
